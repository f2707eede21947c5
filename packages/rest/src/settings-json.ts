/** JSON of settings: nested, or flat and sorted by key. */
import { nestSettings, type SettingsChange } from "@orrery/cluster-state";
import { compareText } from "@orrery/stdx";
import type { PrintableObject } from "./json/printable.ts";

/** Settings as a response prints them: nested, or with `isFlat` by full key in order of keys. */
export function settingsJson(settings: SettingsChange, isFlat: boolean): PrintableObject {
  if (!isFlat) return nestSettings(settings);
  return Object.fromEntries(Object.entries(settings).toSorted(([a], [b]) => compareText(a, b)));
}
