/** Lines about what others send: who sends much of it does not fill the log. */
import type { Clock, Log } from "@orrery/ports";

/** Lines in a while; those that are left out are counted. */
const LINES_MOST = 10;
const WHILE_MS = 60_000;
const LINE_MOST = 500;

export function rareLog(log: Log, clock: Clock): (message: string) => void {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let leftOut = 0;
  return (message) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - sinceMs >= WHILE_MS) {
      if (leftOut > 0) log("warn", `[${leftOut}] more such lines were left out`);
      sinceMs = nowMs;
      lines = 0;
      leftOut = 0;
    }
    lines += 1;
    if (lines > LINES_MOST) leftOut += 1;
    else log("warn", printable(message.slice(0, LINE_MOST)));
  };
}

/** Part of it is what somebody sent. */
function printable(message: string): string {
  return message.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "?");
}
