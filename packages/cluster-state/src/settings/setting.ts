/** A setting: its key, type, default, limits, and when it may change. Source: the product's `Setting`. */
import type { Settings } from "../types.ts";

export type SettingKind =
  | "boolean"
  | "bytes"
  | "double"
  | "duration"
  | "int"
  | "list"
  | "long"
  | "text";

/** Durations in milliseconds, byte sizes in bytes. */
export type SettingValue = boolean | number | string | readonly string[];

/** As settings are stored: a text, or a list of texts. */
export type RawValue = string | readonly string[];

/** One line of the tables: key, type, default, flags, least, most. */
export type SettingRow = readonly [
  key: string,
  kind: SettingKind,
  defaultValue: RawValue,
  flags: string,
  least?: string,
  most?: string,
];

export interface Setting {
  /** For a family (`isPrefix`), ends with a dot; a `*` stands for one level inside. */
  readonly key: string;
  readonly kind: SettingKind;
  readonly scope: "index" | "cluster";
  /** As text, which other settings may decide. */
  readonly default: (settings: Settings) => RawValue;
  /** May change on an open index, or by the cluster settings API. */
  readonly isDynamic: boolean;
  /** Never changes after creation. */
  readonly isFinal: boolean;
  /** Managed by the cluster, not by requests. */
  readonly isPrivate: boolean;
  /** Changed by an API of its own only. */
  readonly isInternal: boolean;
  /** Left behind when an index is cloned, split or shrunk. */
  readonly isNotCopiedOnResize: boolean;
  readonly isPrefix: boolean;
  /** Throws `OperationError` in the product's words; `key` is the concrete one of a family. */
  readonly parse: (value: RawValue, key?: string) => SettingValue;
}
