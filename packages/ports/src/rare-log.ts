/**
 * Log lines about messages of peers and clients, limited in number: a sender of many bad messages must not fill the
 * log.
 */
import type { Clock } from "./clock.ts";
import type { Log, LogLevel } from "./log.ts";

/**
 * Limit of lines per period of `rareLinesMs`. Further lines are counted, and the count is logged with the first line
 * of a later period.
 */
export const rareLinesMost = 10;
export const rareLinesMs = 60_000;
const LINE_MOST = 500;
const STACK_MOST = 4000;

/**
 * Returns a logger of at most `rareLinesMost` lines per period, counted apart from other loggers. Messages are cut at 500
 * characters; with `isStack` at 4000, and line breaks in them are kept.
 */
export function rareLog(
  log: Log,
  clock: Clock,
  {
    level = "warn",
    isStack = false,
  }: { readonly level?: LogLevel; readonly isStack?: boolean } = {},
): (message: string) => void {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let leftOut = 0;
  return (message) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= rareLinesMs) {
      if (leftOut > 0) log(level, `[${leftOut}] more such lines were left out`);
      sinceMs = nowMs;
      lines = 0;
      leftOut = 0;
    }
    lines += 1;
    if (lines > rareLinesMost) leftOut += 1;
    else log(level, isStack ? printableLines(message) : printable(message.slice(0, LINE_MOST)));
  };
}

function printableLines(message: string): string {
  return message.slice(0, STACK_MOST).split("\n").map(printable).join("\n");
}

/** Messages contain bytes that a peer has sent: control characters must not reach a terminal. */
function printable(message: string): string {
  return message.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "?");
}
