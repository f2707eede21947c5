/**
 * Typed parsers of query parameters, with the product's error messages. A handler receives each parameter with the
 * type of its parser.
 *
 * "Did you mean" suggests, as in the product, only parameters that the handler reads unconditionally; `onDemand`
 * marks all others.
 */
import { compareText, illegalArgument, parseDuration, type Problem } from "@orrery/stdx";

/** A query parameter: its parser, and whether "did you mean" suggests it. */
export interface Parameter<T> {
  /** Parses the parameter; `undefined` stands for a request without it. Throws `OperationError` for an invalid value. */
  readonly parse: (text: string | undefined, name: string) => T;
  readonly isSuggested: boolean;
}

/** The query parameters that an operation accepts: parsers by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** Values of parsed query parameters, by name. */
export type Parsed<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

function parameter<T>(parse: Parameter<T>["parse"]): Parameter<T> {
  return { parse, isSuggested: true };
}

/** A parameter that the handler reads only in some cases, so "did you mean" does not suggest it. */
export function onDemand<T>(inner: Parameter<T>): Parameter<T> {
  return { ...inner, isSuggested: false };
}

export function text(): Parameter<string | undefined>;
export function text(fallback: string): Parameter<string>;
export function text(fallback?: string): Parameter<string | undefined> {
  return parameter((given) => given ?? fallback);
}

/** Only `true`, `false` and an empty text (true) are booleans; throws for others. */
export function parseBoolean(given: string): boolean {
  if (given === "true" || given === "") return true;
  if (given === "false") return false;
  throw illegalArgument(`Failed to parse value [${given}] as only [true] or [false] are allowed.`);
}

export function flag(): Parameter<boolean | undefined>;
export function flag(fallback: boolean): Parameter<boolean>;
export function flag(fallback?: boolean): Parameter<boolean | undefined> {
  return parameter((given) => (given === undefined ? fallback : parseBoolean(given)));
}

/** Parts of a comma-separated list, trimmed; empty parts are dropped. */
export function splitList(given: string): string[] {
  return given.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

/** Parts of a comma-separated list as Java's `split` returns them: blanks are kept, only trailing empty parts are dropped. */
export function splitNames(given: string): string[] {
  const parts = given.split(",");
  while (parts.at(-1) === "") parts.pop();
  return parts;
}

export function list(): Parameter<readonly string[] | undefined>;
export function list(fallback: readonly string[]): Parameter<readonly string[]>;
export function list(fallback?: readonly string[]): Parameter<readonly string[] | undefined> {
  return parameter((given) => (given === undefined ? fallback : splitList(given)));
}

/** A list like `list`, with blanks kept: a name with a blank is another name. */
export function names(): Parameter<readonly string[] | undefined>;
export function names(fallback: readonly string[]): Parameter<readonly string[]>;
export function names(fallback?: readonly string[]): Parameter<readonly string[] | undefined> {
  return parameter((given) => (given === undefined ? fallback : splitNames(given)));
}

/** Java's `NumberFormatException` for the text. */
export function numberFormatProblem(given: string): Problem {
  const reason =
    given === "" ? 'For input string: ""' : `For input string: ${JSON.stringify(given)}`;
  return { type: "number_format_exception", reason, status: 400 };
}

/** Parses like Java's `Integer.parseInt`: 32 bits, decimal; `undefined` when invalid. */
export function parseInt32(given: string): number | undefined {
  const value = /^[+-]?\d{1,11}$/.test(given) ? Number(given) : undefined;
  return value !== undefined && value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
}

export function int(): Parameter<number | undefined>;
export function int(fallback: number): Parameter<number>;
export function int(fallback?: number): Parameter<number | undefined> {
  return parameter((given, name) => {
    if (given === undefined) return fallback;
    const value = parseInt32(given);
    if (value !== undefined) return value;
    const reason = `Failed to parse int parameter [${name}] with value [${given}]`;
    throw illegalArgument(reason, numberFormatProblem(given));
  });
}

/**
 * An integer. The product accepts 64 bits; values above 2^53 are refused here, because a rounded version or sequence
 * number could win a comparison that it must lose.
 */
export function long(): Parameter<number | undefined>;
export function long(fallback: number): Parameter<number>;
export function long(fallback?: number): Parameter<number | undefined> {
  return parameter((given, name) => {
    if (given === undefined) return fallback;
    if (/^[+-]?\d{1,19}$/.test(given)) return exact(Number(given), name, given);
    const reason = `Failed to parse long parameter [${name}] with value [${given}]`;
    throw illegalArgument(reason, numberFormatProblem(given));
  });
}

/**
 * Checks a parsed number: returns it if it is a safe integer. Otherwise throws `illegal_argument_exception`; `given`, the
 * text as sent, is for the message.
 */
export function exact(number: number, name: string, given: string): number {
  if (Number.isSafeInteger(number)) return number;
  throw illegalArgument(
    `[${name}] is [${given}]: numbers beyond [${Number.MAX_SAFE_INTEGER}] are not supported`,
  );
}

export function float(): Parameter<number | undefined> {
  return parameter((given, name) => {
    if (given === undefined) return undefined;
    const value = Number(given);
    if (given.trim() !== "" && !Number.isNaN(value)) return value;
    const reason = `Failed to parse float parameter [${name}] with value [${given}]`;
    throw illegalArgument(reason, numberFormatProblem(given));
  });
}

/**
 * Milliseconds of a duration. Only `0` and `-1` need no unit. Throws for any other number without unit, and for any
 * other negative value.
 */
export function parseTime(given: string, name: string): number {
  const value = parseDuration(given);
  if (value !== undefined) return value;
  const isNegative = /^-\d+(\.\d+)?(nanos|micros|ms|s|m|h|d)$/i.test(given.trim());
  const why = isNegative
    ? "negative durations are not supported"
    : "unit is missing or unrecognized";
  throw illegalArgument(
    `failed to parse setting [${name}] with value [${given}] as a time value: ${why}`,
  );
}

export function duration(): Parameter<number | undefined>;
export function duration(fallback: string): Parameter<number>;
export function duration(fallback?: string): Parameter<number | undefined> {
  return parameter((given, name) => {
    const value = given === undefined || given === "" ? fallback : given;
    return value === undefined ? undefined : parseTime(value, name);
  });
}

/**
 * A value of an enumeration, in upper or lower case; `undefined` when absent. The error for another value names the
 * product's class.
 */
export function enumerated<const Value extends string>(
  values: readonly Value[],
  className: string,
): Parameter<Value | undefined> {
  return parameter((given) => {
    if (given === undefined) return undefined;
    const found = values.find((value) => value.toUpperCase() === given.toUpperCase());
    if (found !== undefined) return found;
    throw illegalArgument(`No enum constant ${className}.${given.toUpperCase()}`);
  });
}

/** One of a few words, with an error message of the operation. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  fallback: Value | undefined,
  refusal: (given: string) => string,
): Parameter<Value | undefined> {
  return parameter((given) => {
    if (given === undefined) return fallback;
    const found = values.find((value) => value === given);
    if (found !== undefined) return found;
    throw illegalArgument(refusal(given));
  });
}

/** `wait_for_active_shards`: `all` or a number, as text. Validated here, interpreted where it is awaited. */
export function activeShards(): Parameter<string | undefined> {
  return parameter((given) => {
    if (given === undefined || given === "all") return given;
    const value = parseInt32(given);
    if (value !== undefined && value >= 0) return given;
    if (value !== undefined) throw illegalArgument("shard count cannot be a negative value");
    throw illegalArgument(`cannot parse ActiveShardCount[${given}]`, numberFormatProblem(given));
  });
}

/** `refresh` of writes: an empty value means true. */
export function refreshPolicy(): Parameter<"true" | "false" | "wait_for"> {
  return parameter((given) => {
    if (given === undefined || given === "false") return "false";
    if (given === "" || given === "true") return "true";
    if (given === "wait_for") return "wait_for";
    throw illegalArgument(`Unknown value for refresh: [${given}].`);
  });
}

/** `version_type` of a document. */
export function versionType(): Parameter<"internal" | "external" | "external_gte" | undefined> {
  return parameter((given) => (given === undefined ? undefined : versionTypeNamed(given)));
}

/** The version type of a name; throws for an unknown one. */
export function versionTypeNamed(name: string): "internal" | "external" | "external_gte" {
  if (name === "internal" || name === "external_gte") return name;
  if (name === "external" || name === "external_gt") return "external";
  throw illegalArgument(`No version type match [${name}]`);
}

/** Groups of parameters. */

/** The timeout for finding the elected cluster manager, under its new and its old name. */
export interface ManagerTimeout extends Parameters {
  readonly cluster_manager_timeout: Parameter<number | undefined>;
  readonly master_timeout: Parameter<number | undefined>;
}

export const managerTimeout: ManagerTimeout = {
  cluster_manager_timeout: duration(),
  // Deprecated name: the frame refuses both names together, and adds a warning for this one.
  master_timeout: onDemand(duration()),
};

/** The timeout in milliseconds; default 30 s. */
export function managerTimeoutMs(query: Parsed<ManagerTimeout>): number {
  return query.cluster_manager_timeout ?? query.master_timeout ?? 30_000;
}

/** Parameters that override the indices options of an operation. */
export interface IndexTargets extends Parameters {
  readonly expand_wildcards: Parameter<readonly string[] | undefined>;
  readonly ignore_unavailable: Parameter<boolean | undefined>;
  readonly allow_no_indices: Parameter<boolean | undefined>;
}

const WILDCARD_STATES = new Set(["open", "closed", "hidden", "none", "all"]);

/** The wildcard states in lower case; throws for an unknown one. */
export function checkWildcards(states: readonly string[]): readonly string[] {
  const unknown = states.find((state) => !WILDCARD_STATES.has(state.toLowerCase()));
  if (unknown !== undefined) throw illegalArgument(`No valid expand wildcard value [${unknown}]`);
  return states.map((state) => state.toLowerCase());
}

export const indexTargets: IndexTargets = {
  expand_wildcards: parameter((given) => {
    if (given === undefined) return undefined;
    return checkWildcards(splitNames(given));
  }),
  ignore_unavailable: flag(),
  allow_no_indices: flag(),
};

/** Names in the order of Java's `TreeSet`. */
export function sortedNames(given: Iterable<string>): string[] {
  return [...given].toSorted(compareText);
}
