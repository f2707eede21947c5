/** Validation of settings in requests and in metadata, in the product's words (`AbstractScopedSettings`). */
import { compareText, lookup, problemOf, similarity, type Problem } from "@orrery/stdx";
import type { Settings, SettingsChange } from "../types.ts";
import type { RawValue, Setting } from "./setting.ts";
import { settingOf, type SettingTable } from "./table.ts";

/** Unregistered keys that the cluster sets itself; valid in metadata, unknown in a request. */
const managedKeys: ReadonlySet<string> = new Set([
  "index.provided_name",
  "index.resize.source.name",
  "index.resize.source.uuid",
  "index.version.upgraded",
  "index.routing.allocation.initial_recovery._id",
]);

/**
 * The problem of a request's index settings; undefined when they are valid. Names and values are checked as by
 * `validateKeys`. If they are valid, a creation is also rejected for private settings, all in one problem.
 */
export function validateIndexSettings(
  known: SettingTable,
  settings: SettingsChange,
  options: { readonly isCreate: boolean },
): Problem | undefined {
  const problem = validateKeys(known, settings, options);
  if (problem !== undefined || !options.isCreate) return problem;
  const complaints = privateComplaints(known, settings);
  if (complaints.length === 0) return undefined;
  return validationProblem(complaints.map((text, i) => `${i + 1}: ${text};`).join(""));
}

/**
 * The problem of names and values: that of the first invalid key in order, with those of later keys in `suppressed`;
 * undefined when all are valid. In creations private settings are accepted.
 */
export function validateKeys(
  known: SettingTable,
  settings: SettingsChange,
  options: { readonly isCreate: boolean },
): Problem | undefined {
  return firstProblem(settings, (key) => validateKey(known, settings, key, options));
}

/** Limit of problems in one rejection: suggestions compare each unknown name with all known ones, so their cost must be bounded. */
const MOST_PROBLEMS = 100;

/** The first problem in order of keys, with up to 99 others in `suppressed`; undefined when there is none. */
export function firstProblem(
  settings: SettingsChange,
  problemAt: (key: string) => Problem | undefined,
): Problem | undefined {
  const problems: Problem[] = [];
  for (const key of Object.keys(settings).toSorted(compareText)) {
    if (problems.length === MOST_PROBLEMS) break;
    const problem = problemAt(key);
    if (problem !== undefined) problems.push(problem);
  }
  const [first, ...others] = problems;
  if (first === undefined) return undefined;
  return others.length === 0 ? first : { ...first, suppressed: others };
}

function validateKey(
  known: SettingTable,
  settings: SettingsChange,
  key: string,
  { isCreate }: { readonly isCreate: boolean },
): Problem | undefined {
  const value = lookup(settings, key);
  if (value === null && (key.includes("*") || key.startsWith("archived."))) return undefined;
  const setting = settingOf(known, key);
  if (setting === undefined) return unknownSetting(key, known.byKey.keys());
  if (!isCreate && (setting.isPrivate || setting.isInternal)) return managedSetting(setting, key);
  return value === null || value === undefined ? undefined : valueProblem(setting, key, value);
}

/** The problem of a value; undefined for a valid one. */
export function valueProblem(setting: Setting, key: string, value: RawValue): Problem | undefined {
  try {
    setting.parse(value, key);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/**
 * The problem of settings that metadata holds; undefined when they are valid. Private settings and keys that only the
 * cluster sets are valid there.
 */
export function validateStoredSettings(
  known: SettingTable,
  settings: Settings,
): Problem | undefined {
  const own = Object.entries(settings).filter(([key]) => !managedKeys.has(key));
  const requested = own.filter(([key]) => settingOf(known, key)?.isPrivate !== true);
  return validateIndexSettings(known, Object.fromEntries(requested), { isCreate: true });
}

/**
 * Settings of an imported or restored index: unknown keys and keys with invalid values are renamed to `archived.*`,
 * where they have no effect; invalid numbers of shards and replicas stay
 * (`AbstractScopedSettings.archiveUnknownOrInvalidSettings`).
 */
export function archiveInvalidSettings(known: SettingTable, settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const isKept =
        key.startsWith("archived.") || managedKeys.has(key) || !isInvalid(known, key, value);
      return [isKept ? key : `archived.${key}`, value];
    }),
  );
}

/** Settings that determine the metadata itself; invalid ones must fail the import instead of being archived. */
const essential: ReadonlySet<string> = new Set([
  "index.number_of_shards",
  "index.number_of_replicas",
  "index.routing_partition_size",
]);

function isInvalid(known: SettingTable, key: string, value: Settings[string]): boolean {
  if (essential.has(key)) return false;
  return (
    value !== undefined &&
    validateKey(known, { [key]: value }, key, { isCreate: true }) !== undefined
  );
}

/** A sentence for each private setting, in order of keys. */
export function privateComplaints(
  known: SettingTable,
  settings: SettingsChange,
): readonly string[] {
  const isPrivate = (key: string): boolean => settingOf(known, key)?.isPrivate === true;
  return Object.keys(settings)
    .toSorted(compareText)
    .filter(isPrivate)
    .map((key) => `private index setting [${key}] can not be set explicitly`);
}

/** `validation_exception` for numbered complaints: `Validation Failed: 1: first;2: second;`. */
export function validationProblem(complaints: string): Problem {
  return {
    type: "validation_exception",
    reason: `Validation Failed: ${complaints}`,
    status: 400,
  };
}

function managedSetting(setting: Setting, key: string): Problem {
  const reason = setting.isPrivate
    ? `can not update private setting [${key}]; this setting is managed by OpenSearch`
    : `can not update internal setting [${key}]; this setting is managed via a dedicated API`;
  return settingsProblem(reason);
}

/** The problem of an unknown key, with similar known keys as suggestions. */
export function unknownSetting(key: string, known: Iterable<string>): Problem {
  const near = [...known]
    .filter((candidate) => !candidate.endsWith("."))
    .map((candidate) => ({ candidate, score: similarity(key, candidate) }))
    .filter(({ score }) => score > 0.7)
    .toSorted((a, b) => b.score - a.score || compareText(a.candidate, b.candidate))
    .map(({ candidate }) => candidate);
  return settingsProblem(`unknown setting [${key}] ${advice(near)}`);
}

function advice(near: readonly string[]): string {
  if (near.length === 1) return `did you mean [${near[0]}]?`;
  if (near.length > 1) return `did you mean any of [${near.join(", ")}]?`;
  return "please check that any required plugins are installed, or check the breaking changes documentation for removed settings";
}

/** `settings_exception`. */
export function settingsProblem(reason: string): Problem {
  return { type: "settings_exception", reason, status: 400 };
}
