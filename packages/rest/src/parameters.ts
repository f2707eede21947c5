/**
 * Typed parsers of query parameters, in the product's words. In a handler a parameter has the type its parser gives.
 *
 * Whether a parameter is among the candidates of "did you mean" follows the product, which knows only those its handler
 * reads in any case: `onDemand` marks the others.
 */
import { compareText, illegalArgument, parseDuration, type Problem } from "@orrery/stdx";

export interface Parameter<T> {
  /** `undefined` when the request does not have it. */
  readonly parse: (text: string | undefined, name: string) => T;
  readonly isSuggested: boolean;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Parsed<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

function parameter<T>(parse: Parameter<T>["parse"]): Parameter<T> {
  return { parse, isSuggested: true };
}

/** The handler looks at it only if it is there. */
export function onDemand<T>(inner: Parameter<T>): Parameter<T> {
  return { ...inner, isSuggested: false };
}

export function text(): Parameter<string | undefined>;
export function text(fallback: string): Parameter<string>;
export function text(fallback?: string): Parameter<string | undefined> {
  return parameter((given) => given ?? fallback);
}

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

/** Comma-separated; blanks around the parts and empty parts are dropped. */
export function splitList(given: string): string[] {
  return given.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

/** Comma-separated, as Java splits a text: blanks belong to the parts, and only empty parts at the end are dropped. */
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

/** As `list`, but blanks belong to the names: one with a blank is another name. */
export function names(): Parameter<readonly string[] | undefined>;
export function names(fallback: readonly string[]): Parameter<readonly string[]>;
export function names(fallback?: readonly string[]): Parameter<readonly string[] | undefined> {
  return parameter((given) => (given === undefined ? fallback : splitNames(given)));
}

export function numberFormatProblem(given: string): Problem {
  const reason =
    given === "" ? 'For input string: ""' : `For input string: ${JSON.stringify(given)}`;
  return { type: "number_format_exception", reason, status: 400 };
}

/** `Integer.parseInt`: 32 bits, decimal. */
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

/** 64 bits in the product; up to 2^53 here, as sequence numbers and versions are. Larger ones are refused: rounded, an old version would beat a new one. */
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

/** `given`: as it was sent. */
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

/** Milliseconds. Negative values but `-1` are refused, as is a number without its unit. */
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

/** One of an enumeration of the product, which names its class when the value is none of them. */
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

/** One of a few words; the refusal is the operation's own. */
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

/** `wait_for_active_shards`: `all` or a number, as text; checked here, meant by who waits. */
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

/** `version_type` of documents. */
export function versionType(): Parameter<"internal" | "external" | "external_gte" | undefined> {
  return parameter((given) => (given === undefined ? undefined : versionTypeNamed(given)));
}

export function versionTypeNamed(name: string): "internal" | "external" | "external_gte" {
  if (name === "internal" || name === "external_gte") return name;
  if (name === "external" || name === "external_gt") return "external";
  throw illegalArgument(`No version type match [${name}]`);
}

/** Parameters that come in groups. */

export interface ManagerTimeout extends Parameters {
  readonly cluster_manager_timeout: Parameter<number | undefined>;
  readonly master_timeout: Parameter<number | undefined>;
}

export const managerTimeout: ManagerTimeout = {
  cluster_manager_timeout: duration(),
  // Deprecated; the frame refuses both at once and warns of the old name.
  master_timeout: onDemand(duration()),
};

export function managerTimeoutMs(query: Parsed<ManagerTimeout>): number {
  return query.cluster_manager_timeout ?? query.master_timeout ?? 30_000;
}

export interface IndexTargets extends Parameters {
  readonly expand_wildcards: Parameter<readonly string[] | undefined>;
  readonly ignore_unavailable: Parameter<boolean | undefined>;
  readonly allow_no_indices: Parameter<boolean | undefined>;
}

const WILDCARD_STATES = new Set(["open", "closed", "hidden", "none", "all"]);

/** In lower case; throws on an unknown one. */
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
