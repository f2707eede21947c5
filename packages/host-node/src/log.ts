/** Log lines on standard error, in the product's layout: time (UTC, with a `Z`), level, node, message; coloured in a terminal. */
import { styleText } from "node:util";
import type { Log, LogLevel } from "@orrery/ports";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

const colours: { readonly [Level in LogLevel]: Parameters<typeof styleText>[0] } = {
  debug: "dim",
  info: "green",
  warn: "yellow",
  error: "red",
};

/** A log that prints lines of at least the level `lowest`. */
export function createLog(nodeName: string, lowest: LogLevel = "info"): Log {
  const { stderr } = process;
  // `styleText` adds no colour without a terminal, or with NO_COLOR.
  const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
    styleText(style, text, { stream: stderr });
  return (level, message) => {
    if (levels.indexOf(level) < levels.indexOf(lowest)) return;
    const time = styled("dim", `[${new Date().toISOString().replace(".", ",")}]`);
    const kind = styled(colours[level], `[${level.toUpperCase().padEnd(5)}]`);
    stderr.write(`${time}${kind}${styled("bold", `[${nodeName}]`)} ${message}\n`);
  };
}
