/** Command-line options as values: a missing option gets its default, an invalid one throws `UsageError`. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { lookup, similar } from "@orrery/stdx";
import { UsageError } from "./usage.ts";

export type OptionTable = NonNullable<ParseArgsConfig["options"]>;

export interface ParsedOptions {
  text(name: string): string | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
  readonly positionals: readonly string[];
}

export function readOptions(args: readonly string[], options: OptionTable): ParsedOptions {
  for (const [at, arg] of args.entries())
    if (!takesValue(args[at - 1], options)) refuseUnknown(arg, options);
  try {
    const { values, positionals } = parseArgs({
      args: withValuesJoined(args, options),
      options,
      allowPositionals: true,
    });
    const value = (name: string): unknown => lookup(values, name);
    return {
      text: (name) => (typeof value(name) === "string" ? (value(name) as string) : undefined),
      flag: (name) => value(name) === true,
      list: (name) => (value(name) as string[] | undefined) ?? [],
      positionals,
    };
  } catch (error) {
    throw new UsageError((error as Error).message.split("\n")[0] ?? "bad options");
  }
}

/** Rewrites `--seed -1` as `--seed=-1`: a value may begin with a dash, and its reader validates it. */
function withValuesJoined(args: readonly string[], options: OptionTable): string[] {
  const joined: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [arg = "", next] = args.slice(at, at + 2);
    const isText = takesValue(arg, options);
    if (isText && (next === undefined || next.startsWith("--")))
      throw new UsageError(`[${arg}] takes a value`);
    const isLong = arg.startsWith("--");
    joined.push(...(isText ? (isLong ? [`${arg}=${next}`] : [arg, next ?? ""]) : [arg]));
    if (isText) at += 1;
  }
  return joined;
}

/** True if the next word is the option's value. */
function takesValue(arg: string | undefined, options: OptionTable): boolean {
  const row = arg?.startsWith("--")
    ? lookup(options, arg.slice(2))
    : Object.values(options).find(({ short }) => short !== undefined && arg === `-${short}`);
  return row?.type === "string";
}

function refuseUnknown(arg: string, options: OptionTable): void {
  const name = /^--([^=]+)/.exec(arg)?.[1];
  const letter = /^-([A-Za-z])/.exec(arg)?.[1];
  const isKnown =
    (name === undefined || Object.hasOwn(options, name)) &&
    (letter === undefined || Object.values(options).some(({ short }) => short === letter));
  if (isKnown) return;
  const near = similar(name ?? "", Object.keys(options))[0];
  const hint = near === undefined ? "" : ` -> did you mean [--${near}]?`;
  throw new UsageError(
    `unknown option [${name === undefined ? `-${letter}` : `--${name}`}]${hint}`,
  );
}

/** Whole number within bounds. */
export function integer(
  name: string,
  text: string,
  bounds: { readonly low: number; readonly high: number },
): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= bounds.low && value <= bounds.high) return value;
  throw new UsageError(
    `[--${name}] must be a whole number from ${bounds.low} to ${bounds.high}, not [${text}]`,
  );
}

/** Settings of `-E key=value`, in the given order. */
export function settingsOf(pairs: readonly string[]): Record<string, string> {
  const settings = pairs.map((pair): [string, string] => {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`[-E ${pair}] is not of the form [-E setting=value]`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(settings);
}
