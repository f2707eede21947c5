/** Collects what a directive prints: handlers write text, nodes write log lines, a level silences either. */
import type { Logger } from "../../src/types.ts";

const levels = ["DEBUG", "INFO", "WARN", "ERROR", "FATAL", "NONE"] as const;
const quietLevel = levels.length - 1;

export interface Output extends Logger {
  write(text: string): void;
  /** What was written since the last call. */
  take(): string;
  level: number;
  /** The complaint, if there is no such level. */
  setLevel(name: string): string | undefined;
  isQuiet(): boolean;
  /** Indents every line that is written meanwhile. */
  withIndent<T>(write: () => T): T;
}

export function createOutput(): Output {
  let text = "";
  const log =
    (level: number) =>
    (line: string): void => {
      if (output.level <= level) output.write(`${levels[level]} ${line}\n`);
    };
  const output: Output = {
    level: 0,
    debug: log(0),
    info: log(1),
    warning: log(2),
    error: log(3),
    write: (added) => {
      if (!output.isQuiet()) text += added;
    },
    take: () => {
      const taken = text;
      text = "";
      return taken;
    },
    setLevel: (name) => {
      const level = levels.findIndex((each) => each === name.toUpperCase());
      if (level === -1) return `log levels must be either of [${levels.join(" ")}]`;
      output.level = level;
      return undefined;
    },
    isQuiet: () => output.level === quietLevel,
    withIndent: (write) => {
      const outer = text;
      text = "";
      const result = write();
      const lines = text.split("\n");
      if (lines.at(-1) === "") lines.pop();
      text = outer + lines.map((line) => `  ${line}\n`).join("");
      return result;
    },
  };
  return output;
}
