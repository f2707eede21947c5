/** Log of a node in the layout of the product's console, which programs that wait for a container read. */
import type { Log } from "@orrery/ports";

/** Loggers of the lines that such programs know, by their names in the product. */
const loggers = {
  node: "o.o.n.Node",
  http: "o.o.h.AbstractHttpServerTransport",
  transport: "o.o.t.TransportService",
  orrery: "orrery",
} as const;

export type LoggerName = keyof typeof loggers;

export interface NodeLog {
  /** Receives the lines of the node's program. */
  readonly log: Log;
  say(logger: LoggerName, message: string): void;
  warn(message: string): void;
}

export interface NodeLogOptions {
  readonly nodeName: string;
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

export function createNodeLog({ nodeName, write, now }: NodeLogOptions): NodeLog {
  const print = (level: string, logger: LoggerName, message: string): void => {
    const time = now().toISOString().replace(".", ",").replace("Z", "");
    write(
      `[${time}][${level.toUpperCase().padEnd(5)}][${loggers[logger].padEnd(25)}] [${nodeName}] ${message}\n`,
    );
  };
  return {
    log: (level, message) => {
      if (level !== "debug") print(level, "orrery", message);
    },
    say: (logger, message) => print("info", logger, message),
    warn: (message) => print("warn", "orrery", message),
  };
}
