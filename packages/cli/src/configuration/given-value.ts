/** Values of options as a source gives them, and their readers: each error names the source. */
import { similar } from "@orrery/stdx";
import { UsageError } from "../usage.ts";
import type { Form } from "./up-options.ts";

/** Value of a node setting. */
export type SettingValue = string | readonly string[];

/** A value, and the source that gave it. */
export interface Given<T> {
  readonly value: T;
  /** Source in words: `command line`, the name of a variable, or a position in a file. */
  readonly from: string;
}

/** Value that a source gives to an option, before it is read. */
export interface Raw extends Given<string | readonly string[]> {
  /** Name of the option in this source, such as `--nodes`. */
  readonly label: string;
  /** Beginning of an error: the position in a file, or nothing. */
  readonly where: string;
}

export type OptionValue = string | number | readonly string[];

/** Value of an option in the form of its row. Throws `UsageError`. */
export function readOption(raw: Raw, form: Form): OptionValue {
  const { value, label, where } = raw;
  const refuse = (what: string): UsageError => new UsageError(`${where}${what}`);
  if (form.kind === "list") {
    const items = typeof value === "string" ? (value === "" ? [] : value.split(",")) : value;
    if (items.includes(""))
      throw refuse(`[${label} ${wordOf(value)}]: the name of a zone is empty`);
    return items;
  }
  if (typeof value !== "string") throw refuse(`[${label}] must not be a list`);
  switch (form.kind) {
    case "integer": {
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= form.low && number <= form.high) return number;
      throw refuse(
        `[${label}] must be a whole number from ${form.low} to ${form.high}, not [${value}]`,
      );
    }
    case "name": {
      if (form.names.includes(value)) return value;
      const [near] = similar(value, form.names);
      const hint =
        near === undefined
          ? `: expected one of [${form.names.join(", ")}]`
          : ` -> did you mean [${near}]?`;
      const what = label.replace(/^--/, "");
      throw refuse(`unknown ${what} [${value}]${hint}`);
    }
    case "folder":
      if (value === "") throw refuse(`[${label}] names no folder`);
      return value;
  }
}

/** A value in one word. */
export function wordOf(value: OptionValue): string {
  return typeof value === "object" ? value.join(",") : String(value);
}
