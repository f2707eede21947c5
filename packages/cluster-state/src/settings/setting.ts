/** A setting (`Setting`): key, type, default, limits, and when it may change. */
import type { Settings } from "../types.ts";

/** Type of a setting's value. */
export type SettingKind =
  | "boolean"
  | "bytes"
  | "double"
  | "duration"
  | "int"
  | "list"
  | "long"
  | "text";

/** Parsed value; durations in milliseconds, byte sizes in bytes. */
export type SettingValue = boolean | number | string | readonly string[];

/** Stored value: a text, or a list of texts. */
export type RawValue = string | readonly string[];

/**
 * Row of the tables. A key that ends with a dot is a family; `*` in a key stands for one level. Flags are letters:
 * d dynamic, f final, p private, i internal, x deprecated, n not copied on resize, u unmodifiable on restore (unused
 * here), % accepts percentages. Minimum and maximum are texts of the setting's type.
 */
export type SettingRow = readonly [
  key: string,
  kind: SettingKind,
  defaultValue: RawValue,
  flags: string,
  least?: string,
  most?: string,
];

/** A setting, built from its row. */
export interface Setting {
  /** The key. It ends with a dot for a family (`isPrefix`); a `*` stands for one level. */
  readonly key: string;
  readonly kind: SettingKind;
  readonly scope: "index" | "cluster";
  /** Default as text; may be derived from other settings. */
  readonly default: (settings: Settings) => RawValue;
  /** Whether it may change on an open index, or by the cluster settings API. */
  readonly isDynamic: boolean;
  /** Whether it never changes after the creation of the index. */
  readonly isFinal: boolean;
  /** Whether only the cluster sets it, never a request. */
  readonly isPrivate: boolean;
  /** Whether only a dedicated API changes it. */
  readonly isInternal: boolean;
  /** Whether a clone, split or shrink of the index drops it. */
  readonly isNotCopiedOnResize: boolean;
  readonly isPrefix: boolean;
  /** Throws `OperationError` in the product's words; `key` is the concrete one of a family. */
  readonly parse: (value: RawValue, key?: string) => SettingValue;
}
