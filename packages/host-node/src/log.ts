/** Log lines on standard error, in the product's layout: time, level, node, message. */
import type { Log, LogLevel } from "@orrery/ports";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Prints lines of at least this level. */
export function createLog(nodeName: string, lowest: LogLevel = "info"): Log {
  return (level, message) => {
    if (levels.indexOf(level) < levels.indexOf(lowest)) return;
    const time = new Date().toISOString().replace(".", ",").replace("Z", "");
    process.stderr.write(`[${time}][${level.toUpperCase().padEnd(5)}][${nodeName}] ${message}\n`);
  };
}
