/** How many scripts may be compiled in a time: `75/5m`. Source: `ScriptCache.CompilationRate`. */
import { illegalArgument } from "@orrery/stdx";
import { parseTime } from "./parse-value.ts";

export interface CompilationRate {
  readonly count: number;
  readonly windowMs: number;
  /** The rate as the setting's text. */
  readonly text: string;
  /** Key of the setting that has this rate. */
  readonly setting: string;
}

/**
 * Parses a rate of compilations such as `75/5m`.
 * @throws OperationError In the product's words, for any other text.
 */
export function parseRate(text: string, setting: string): CompilationRate {
  const [count = "", time = "", ...more] = text.split("/");
  if (!/^-?\d+$/.test(count) || time === "" || more.length > 0) {
    throw illegalArgument(
      `parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${text}]`,
    );
  }
  if (Number(count) < 0) throw illegalArgument(`rate [${count}] must be positive`);
  const windowMs = parseTime(setting, time);
  if (windowMs <= 0) throw illegalArgument(`time value [${time}] must be positive`);
  return { count: Number(count), windowMs, text, setting };
}
