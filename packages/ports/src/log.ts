/** The Log port: messages of a node to its operator. */

export type LogLevel = "debug" | "info" | "warn" | "error";

export type Log = (level: LogLevel, message: string) => void;
