/** Validation of the settings that a node is started with, in the product's words (`SettingsModule`). */
import { compareText, lookup, type Problem } from "@orrery/stdx";
import { initialState } from "../initial-state.ts";
import type { Settings } from "../types.ts";
import { conflictOf } from "./conflicts.ts";
import { withNodeSettings } from "./registry.ts";
import type { RawValue, Setting } from "./setting.ts";
import { settingOf, type SettingTables } from "./table.ts";
import { firstProblem, settingsProblem, unknownSetting, valueProblem } from "./validate.ts";

/** The first problem of all settings in order of keys, with the others in `suppressed`; without one, a conflict between them. */
export function nodeSettingsProblem(known: SettingTables, settings: Settings): Problem | undefined {
  const misplaced = Object.keys(settings)
    .filter((key) => isIndexLevel(known, key))
    .toSorted(compareText);
  if (misplaced.length > 0) return settingsProblem(indexLevelSentence(misplaced));
  return (
    firstProblem(settings, (key) => problemOf(known, key, lookup(settings, key) ?? "")) ??
    conflictOf(withNodeSettings(initialState(""), settings))
  );
}

/** The problem of one setting alone; conflicts with others are not checked. */
export function nodeSettingProblem(
  known: SettingTables,
  key: string,
  value: RawValue,
): Problem | undefined {
  return isIndexLevel(known, key)
    ? settingsProblem(indexLevelSentence([key]))
    : problemOf(known, key, value);
}

function problemOf(known: SettingTables, key: string, value: RawValue): Problem | undefined {
  const setting = nodeSettingOf(known, key);
  if (setting !== undefined) return valueProblem(setting, key, value);
  return unknownSetting(key, [...known.cluster.byKey.keys(), ...known.nodeOnly.byKey.keys()]);
}

function nodeSettingOf({ cluster, nodeOnly }: SettingTables, key: string): Setting | undefined {
  return settingOf(cluster, key) ?? settingOf(nodeOnly, key);
}

/** Some settings are both: a node's is the default of its indices. */
function isIndexLevel(known: SettingTables, key: string): boolean {
  return key.startsWith("index.") && nodeSettingOf(known, key) === undefined;
}

function indexLevelSentence(keys: readonly string[]): string {
  return `found index level settings on node level configuration: index level settings can NOT be set on the nodes configuration, only on an index or in an index template [${keys.join(", ")}]`;
}
