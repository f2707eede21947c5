/** Validation of the settings that a node is started with, in the product's words (`SettingsModule`). */
import { compareText, illegalArgument, lookup, type Problem } from "@orrery/stdx";
import { initialState } from "../initial-state.ts";
import type { Settings } from "../types.ts";
import { conflictOf } from "./conflicts.ts";
import { withNodeSettings } from "./registry.ts";
import type { Setting } from "./setting.ts";
import { settingOf, type SettingTables } from "./table.ts";
import { firstProblem, settingsProblem, unknownSetting, valueProblem } from "./validate.ts";

/**
 * The first problem of all settings, with the others in `suppressed`: index settings in one problem, then others in
 * order of keys. Without such a problem, the first conflict between settings; undefined when there is none.
 * `processors` is the number of the machine's processors; undefined: unknown, and sizes of thread pools are not
 * limited.
 */
export function nodeSettingsProblem(
  known: SettingTables,
  settings: Settings,
  processors?: number,
): Problem | undefined {
  const misplaced = Object.keys(settings)
    .filter((key) => isIndexLevel(known, key))
    .toSorted(compareText);
  const others = Object.fromEntries(
    Object.entries(settings).filter(([key]) => !misplaced.includes(key)),
  );
  const problem = firstProblem(others, (key) => problemOf(known, key, settings, processors));
  if (misplaced.length === 0) {
    return problem ?? conflictOf(withNodeSettings(initialState(""), settings));
  }
  const first = settingsProblem(indexLevelSentence(misplaced));
  if (problem === undefined) return first;
  const { suppressed = [], ...second } = problem;
  return { ...first, suppressed: [second, ...suppressed] };
}

/** The problem of the setting `key` alone; undefined when it is valid. Conflicts with others are not checked. */
export function nodeSettingProblem(
  known: SettingTables,
  key: string,
  settings: Settings,
  processors?: number,
): Problem | undefined {
  return isIndexLevel(known, key)
    ? settingsProblem(indexLevelSentence([key]))
    : problemOf(known, key, settings, processors);
}

/** Whether code reads the setting; undefined for an unknown key. */
export function nodeSettingHasEffect(known: SettingTables, key: string): boolean | undefined {
  return nodeSettingOf(known, key)?.hasEffect;
}

function problemOf(
  known: SettingTables,
  key: string,
  settings: Settings,
  processors: number | undefined,
): Problem | undefined {
  const value = lookup(settings, key) ?? "";
  const setting = nodeSettingOf(known, key);
  if (setting === undefined) {
    return unknownSetting(key, [...known.cluster.byKey.keys(), ...known.nodeOnly.byKey.keys()]);
  }
  return (
    valueProblem(setting, key, value) ??
    (limitedPools.has(key) ? poolSizeProblem(key, settings, processors) : undefined)
  );
}

/** Sizes of thread pools with a limit (`ExecutorBuilder.applyHardSizeLimit`). */
const limitedPools: ReadonlySet<string> = new Set([
  "thread_pool.system_write.size",
  "thread_pool.write.size",
]);

/** The problem of a pool with more threads than one above the processors; `node.processors` may say how many these are. */
function poolSizeProblem(
  key: string,
  settings: Settings,
  processors: number | undefined,
): Problem | undefined {
  const given = lookup(settings, "node.processors");
  const allocated = given === undefined ? processors : Number(given);
  const size = Number(lookup(settings, key));
  // Malformed processors are a problem of their own.
  if (allocated === undefined || Number.isNaN(allocated) || size <= allocated + 1) return undefined;
  return illegalArgument(
    `Failed to parse value [${size}] for setting [${key}] must be <= ${allocated + 1}`,
  ).problem;
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
