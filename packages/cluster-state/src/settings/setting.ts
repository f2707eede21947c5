/** A setting (`Setting`): key, type, default, limits, and when it may change. */
import type { Settings } from "../types.ts";
import type { SettingKind, SettingType } from "./setting-type.ts";

/** Parsed value; durations in milliseconds, byte sizes in bytes. */
export type SettingValue = boolean | number | string | readonly string[];

/** Stored value: a text, or a list of texts. */
export type RawValue = string | readonly string[];

/** A row of the settings tables, from which a `Setting` is built. An absent flag is false. */
export interface SettingRow {
  /** The key. One that ends with a dot is a family; `*` stands for one level. */
  readonly name: string;
  /** Type of the value, with default and limits. */
  readonly type: SettingType;
  /** Whether it may change on an open index, or by the cluster settings API. */
  readonly isDynamic?: true;
  /** Whether it never changes after the creation of the index. */
  readonly isFinal?: true;
  /** Whether only the cluster sets it, never a request. */
  readonly isPrivate?: true;
  /** Whether only a dedicated API changes it. */
  readonly isInternal?: true;
  /** Whether a clone, split or shrink of the index drops it. */
  readonly isNotCopiedOnResize?: true;
  /** Whether the product deprecates it. Without effect here. */
  readonly isDeprecated?: true;
  /** Whether a restore must not change it. Without effect here. */
  readonly isUnmodifiableOnRestore?: true;
}

/** A row of the tables of node and cluster settings. */
export interface NodeSettingRow extends SettingRow {
  /**
   * Whether code reads the setting. One without effect is accepted, so that the product's configurations work, and
   * `orrery up` names it.
   */
  readonly hasEffect: boolean;
}

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
  /** Whether code reads it. */
  readonly hasEffect: boolean;
  /**
   * Parses and checks a stored value. Throws `OperationError` in the product's words; `key` is the concrete key of a
   * member of a family.
   */
  readonly parse: (value: RawValue, key?: string) => SettingValue;
}
