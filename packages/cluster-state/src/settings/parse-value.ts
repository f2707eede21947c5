/** Parsing of setting values, with the product's errors (`Setting`, `TimeValue`, `ByteSizeValue`, `Booleans`). */
import {
  byteSizeOf,
  illegalArgument,
  parseByteSize,
  parseDuration,
  type OperationError,
  javaText,
  type Json,
} from "@orrery/stdx";
import type { Limits, SettingKind, SettingType } from "./setting-type.ts";
import type { RawValue, SettingValue } from "./setting.ts";

type Parse = (key: string, value: string, limits: Limits) => SettingValue;

const parsers: Readonly<Record<Exclude<SettingKind, "list">, Parse>> = {
  boolean: (_, value) => parseBoolean(value),
  int: (key, value, limits) => inLimits(key, value, parseInteger(key, value, 2 ** 31), limits),
  long: (key, value, limits) => inLimits(key, value, parseInteger(key, value, 2 ** 63), limits),
  double: (key, value, limits) => inLimits(key, value, parseDouble(key, value), limits),
  duration: durationInLimits,
  bytes: bytesInLimits,
  text: (_, value) => value,
};

/** The value of a text or list. Throws `OperationError` in the product's words for that kind of setting. */
export function parseValue(
  { kind, limits }: SettingType,
  key: string,
  value: RawValue,
): SettingValue {
  if (kind === "list") return parseList(value);
  return parsers[kind](key, typeof value === "string" ? value : `[${value.join(", ")}]`, limits);
}

/** The value of `true` or `false`. Throws for any other text. */
export function parseBoolean(value: string): boolean {
  if (value === "true") return true;
  if (value === "false") return false;
  throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
}

/** Elements of a list, or of a comma-separated text. */
export function parseList(value: RawValue): readonly string[] {
  if (typeof value !== "string") return value;
  if (value.startsWith("[")) {
    const parsed: unknown = tryJson(value);
    if (Array.isArray(parsed)) return (parsed as readonly Json[]).map(javaText);
  }
  const items = value.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseInteger(key: string, value: string, bound: number): number {
  const number = Number(value);
  if (/^[+-]?\d+$/.test(value) && number >= -bound && number <= bound - 1) return number;
  throw unparsable(key, value, `For input string: "${value}"`);
}

function parseDouble(key: string, value: string): number {
  const clean = value.trim().replace(/^([+-]?[\d.]+(?:[eE][+-]?\d+)?)[dDfF]$/, "$1");
  if (clean !== "" && (!Number.isNaN(Number(clean)) || clean === "NaN")) return Number(clean);
  throw unparsable(key, value, value === "" ? "empty String" : `For input string: "${value}"`);
}

function unparsable(key: string, value: string, reason: string): OperationError {
  return illegalArgument(`Failed to parse value [${value}] for setting [${key}]`, {
    type: "number_format_exception",
    reason,
    status: 400,
  });
}

function inLimits(key: string, value: string, parsed: number, { min, max }: Limits): number {
  const complain = (rest: string): OperationError =>
    illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be ${rest}`);
  if (min !== undefined && parsed < Number(min)) throw complain(`>= ${min}`);
  if (max !== undefined && parsed > Number(max)) throw complain(`<= ${max}`);
  return parsed;
}

function durationInLimits(key: string, value: string, { min, max }: Limits): number {
  const parsed = parseTime(key, value);
  const complain = (rest: string): OperationError =>
    illegalArgument(`failed to parse value [${value}] for setting [${key}], must be ${rest}`);
  if (min !== undefined && parsed < (parseDuration(min) ?? 0)) throw complain(`>= [${min}]`);
  if (max !== undefined && parsed > (parseDuration(max) ?? 0)) throw complain(`<= [${max}]`);
  return parsed;
}

/** Milliseconds of the time value of a setting or request parameter. Throws, with `key` in the message. */
export function parseTime(key: string, value: string): number {
  const clean = value.trim().toLowerCase();
  if (/^-?\d+\.\d+(nanos|micros|ms|s|m|h|d)$/.test(clean)) {
    throw illegalArgument(`failed to parse [${value}], fractional time values are not supported`, {
      type: "number_format_exception",
      reason: `For input string: "${clean.replace(/[a-z]+$/, "")}"`,
      status: 400,
    });
  }
  const parsed = parseDuration(value);
  if (parsed !== undefined && (parsed >= 0 || clean === "-1" || /^-1[a-z]+$/.test(clean))) {
    return parsed;
  }
  const isNegative = /^-\d+(nanos|micros|ms|s|m|h|d)$/.test(clean);
  const reason = isNegative
    ? "negative durations are not supported"
    : "unit is missing or unrecognized";
  throw illegalArgument(
    `failed to parse setting [${key}] with value [${value}] as a time value: ${reason}`,
  );
}

function bytesInLimits(key: string, value: string, limits: Limits): number | string {
  if (limits.takesPercentage === true && /^\d+(\.\d+)?%$/.test(value.trim())) return value.trim();
  const parsed = parseBytes(key, value);
  const { min, max } = limits;
  const complain = (rest: string): OperationError =>
    illegalArgument(`failed to parse value [${value}] for setting [${key}], must be ${rest}`);
  if (min !== undefined && parsed < (parseByteSize(min) ?? 0)) throw complain(`>= [${min}]`);
  if (max !== undefined && parsed > (parseByteSize(max) ?? 0)) throw complain(`<= [${max}]`);
  return parsed;
}

/** Bytes of the size of a setting or request parameter. Throws, with `key` in the message. */
export function parseBytes(key: string, value: string): number {
  return byteSizeOf(key, value);
}
