/** Types of settings, for rows of the tables: a type with its default and its limits, such as `int(20, { min: 5 })`. */
import type { RawValue } from "./setting.ts";

/** Kind of a setting's value. */
export type SettingKind =
  | "boolean"
  | "bytes"
  | "double"
  | "duration"
  | "int"
  | "list"
  | "long"
  | "text";

/** Inclusive limits, as texts of the setting's type: errors repeat them as they stand. */
export interface Limits {
  readonly min?: string;
  readonly max?: string;
  /** Whether `70%` is a byte size too: a share of the heap. */
  readonly takesPercentage?: boolean;
}

/** Type of a setting; the default is a text of that type, as responses show it. */
export interface SettingType {
  readonly kind: SettingKind;
  readonly default: RawValue;
  readonly limits: Limits;
}

interface Range<Value> {
  readonly min?: Value;
  readonly max?: Value;
}

/** `true` or `false`. */
export function boolean(value: boolean): SettingType {
  return settingType("boolean", String(value));
}

/** A size such as `10mb`. */
export function bytes(value: string, limits: Limits = {}): SettingType {
  return settingType("bytes", value, limits);
}

/** A Java double; as text, since `10.0` is shown as `10.0`. */
export function double(value: string, range: Range<string> = {}): SettingType {
  return settingType("double", value, range);
}

/** A time value such as `30s`. */
export function duration(value: string, range: Range<string> = {}): SettingType {
  return settingType("duration", value, range);
}

/** An integer of 32 bits. */
export function int(value: number, range: Range<number> = {}): SettingType {
  return settingType("int", String(value), texts(range));
}

/** A list, or a text with commas. */
export function list(value: readonly string[]): SettingType {
  return settingType("list", value);
}

/** An integer of 64 bits. */
export function long(value: number | bigint, range: Range<number | bigint> = {}): SettingType {
  return settingType("long", String(value), texts(range));
}

/** Any text; `choices` has those with a restricted set of values. */
export function text(value: string): SettingType {
  return settingType("text", value);
}

function settingType(kind: SettingKind, value: RawValue, limits: Limits = {}): SettingType {
  return { kind, default: value, limits };
}

function texts({ min, max }: Range<number | bigint>): Limits {
  return {
    ...(min !== undefined && { min: String(min) }),
    ...(max !== undefined && { max: String(max) }),
  };
}
