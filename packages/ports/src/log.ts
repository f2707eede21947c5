/** What a node tells the person who runs it. */

export type LogLevel = "debug" | "info" | "warn" | "error";

export type Log = (level: LogLevel, message: string) => void;
