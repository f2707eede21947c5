/** Application of a settings change, key by key (`AbstractScopedSettings.updateSettings`). */
import { compareText, lookup, matchesGlob, type Problem, problemOf, setKey } from "@orrery/stdx";
import type { Settings, SettingsChange } from "../types.ts";
import type { RawValue, Setting } from "./setting.ts";
import { settingOf, type SettingTable } from "./table.ts";
import { settingsProblem } from "./validate.ts";

/** The context in which settings are changed. */
export interface ChangeOptions {
  readonly table: SettingTable;
  /** The scope named in errors: `persistent`, `transient`, or an index. */
  readonly type: string;
  /** Whether only dynamic settings may change, as on open indices. */
  readonly onlyDynamic: boolean;
}

/** The outcome of a change of settings: the new settings; no difference; or the problem of the first invalid key. */
export type Changed =
  | { readonly kind: "changed"; readonly settings: Settings }
  | { readonly kind: "same" }
  | { readonly kind: "rejected"; readonly error: Problem };

/**
 * Applies a change to settings. A null resets a key, or every key that a wildcard matches. An invalid key, of several
 * the first in order of keys, rejects the whole change.
 */
export function changeSettings(
  current: Settings,
  change: SettingsChange,
  options: ChangeOptions,
): Changed {
  const next: Record<string, RawValue> = { ...current };
  for (const key of Object.keys(change).toSorted(compareText)) {
    const value = lookup(change, key);
    if (value === undefined) continue;
    const error = value === null ? refuseReset(key, options) : refuseValue(key, value, options);
    if (error !== undefined) return { kind: "rejected", error };
    if (value === null) reset(next, key, options);
    else setKey(next, key, value);
  }
  return isSameSettings(current, next) ? { kind: "same" } : { kind: "changed", settings: next };
}

function refuseReset(key: string, options: ChangeOptions): Problem | undefined {
  return canReset(key, options) || key.endsWith("*") ? undefined : refusal(key, options);
}

function refuseValue(key: string, value: RawValue, options: ChangeOptions): Problem | undefined {
  const setting = settingOf(options.table, key);
  if (setting === undefined || !canChange(setting, options)) return refusal(key, options);
  try {
    setting.parse(value, key);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

function canChange(setting: Setting, { onlyDynamic }: ChangeOptions): boolean {
  return !setting.isFinal && (setting.isDynamic || !onlyDynamic);
}

function canReset(key: string, options: ChangeOptions): boolean {
  if (key.startsWith("archived.")) return true;
  const setting = settingOf(options.table, key);
  return setting !== undefined && canChange(setting, options);
}

function refusal(key: string, { table, type }: ChangeOptions): Problem {
  const setting = settingOf(table, key);
  if (setting === undefined) return settingsProblem(`${type} setting [${key}], not recognized`);
  if (setting.isFinal) {
    return settingsProblem(`final ${type} setting [${key}], not updateable`);
  }
  return settingsProblem(`${type} setting [${key}], not dynamically updateable`);
}

function reset(settings: Record<string, RawValue>, pattern: string, options: ChangeOptions): void {
  for (const key of Object.keys(settings)) {
    if (matchesGlob(pattern, key) && canReset(key, options)) delete settings[key];
  }
}

/** Whether both have the same keys and values. */
export function isSameSettings(a: Settings, b: Settings): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => isSameValue(lookup(a, key), lookup(b, key)));
}

function isSameValue(a: RawValue | undefined, b: RawValue | undefined): boolean {
  if (typeof a === "string" || typeof b === "string" || a === undefined || b === undefined) {
    return a === b;
  }
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
