/** Settings as answers show them: nested, or flat in order of keys. */
import { nestSettings, type SettingsChange } from "@orrery/cluster-state";
import { compareText } from "@orrery/stdx";
import type { PrintableObject } from "./json/printable.ts";

export function settingsJson(settings: SettingsChange, isFlat: boolean): PrintableObject {
  if (!isFlat) return nestSettings(settings);
  return Object.fromEntries(Object.entries(settings).toSorted(([a], [b]) => compareText(a, b)));
}
