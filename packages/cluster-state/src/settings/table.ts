/** Rows to settings, and the look-up of a key among exact keys and families. */
import { assert, compareText, lookup } from "@orrery/stdx";
import type { Settings } from "../types.ts";
import { choices } from "./choices.ts";
import { clusterRows } from "./cluster-settings.ts";
import { indexRows } from "./index-settings.ts";
import { nodeOnlyRows } from "./node-only-settings.ts";
import { nodeRowsAToM } from "./node-settings-a-m.ts";
import { nodeRowsNToZ } from "./node-settings-n-z.ts";
import { parseValue } from "./parse-value.ts";
import type { RawValue, Setting, SettingRow } from "./setting.ts";

/** Settings whose default is another setting's value. */
const defaultedBy: ReadonlyMap<string, string> = new Map([
  ["index.number_of_routing_shards", "index.number_of_shards"],
  [
    "cluster.routing.allocation.node_concurrent_incoming_recoveries",
    "cluster.routing.allocation.node_concurrent_recoveries",
  ],
  [
    "cluster.routing.allocation.node_concurrent_outgoing_recoveries",
    "cluster.routing.allocation.node_concurrent_recoveries",
  ],
  [
    "cluster.routing.allocation.node_initial_replicas_recoveries",
    "cluster.routing.allocation.node_initial_primaries_recoveries",
  ],
]);

/** Settings by key, in order of keys, and those of them that stand for many keys. */
export interface SettingTable {
  readonly byKey: ReadonlyMap<string, Setting>;
  readonly families: readonly Setting[];
}

/** Every setting that a cluster knows. */
export interface SettingTables {
  readonly index: SettingTable;
  readonly cluster: SettingTable;
  /** What a node takes besides those of the cluster. */
  readonly nodeOnly: SettingTable;
}

/** Settings of one part of the product, such as a plugin. */
export interface SettingsModule {
  readonly indexSettings?: readonly SettingRow[];
  readonly clusterSettings?: readonly SettingRow[];
}

/** Those of the product itself, and of these. A key that is there twice is a bug. */
export function composeSettings(modules: readonly SettingsModule[]): SettingTables {
  const indexOnes = modules.flatMap(({ indexSettings = [] }) => indexSettings);
  const clusterOnes = modules.flatMap(({ clusterSettings = [] }) => clusterSettings);
  return {
    index: settingTable([...indexRows, ...indexOnes], "index"),
    cluster: settingTable(
      [...clusterRows, ...nodeRowsAToM, ...nodeRowsNToZ, ...clusterOnes],
      "cluster",
    ),
    nodeOnly: settingTable(nodeOnlyRows, "cluster"),
  };
}

/** The product without plugins. */
export const coreSettings: SettingTables = composeSettings([]);

/** The setting of a concrete key, which may be a member of a family. */
export function settingOf({ byKey, families }: SettingTable, key: string): Setting | undefined {
  const exact = byKey.get(key);
  if (exact !== undefined && !exact.isPrefix) return exact;
  return families.find((family) => isMember(family, key));
}

function isMember({ key: family, isPrefix }: Setting, key: string): boolean {
  if (isPrefix) return key.startsWith(family) && key.length > family.length;
  const [before = "", after = ""] = family.split("*");
  if (!key.startsWith(before) || !key.endsWith(after)) return false;
  const middle = key.slice(before.length, key.length - after.length);
  return /^[-\w]+$/.test(middle);
}

export function settingTable(rows: readonly SettingRow[], scope: Setting["scope"]): SettingTable {
  const sorted = rows.toSorted(([a], [b]) => compareText(a, b));
  const byKey = new Map(sorted.map((row) => [row[0], settingFrom(row, scope)]));
  assert(byKey.size === rows.length, `the setting [${twice(sorted)}] is there twice`);
  const families = [...byKey.values()].filter(({ isPrefix, key }) => isPrefix || key.includes("*"));
  return { byKey, families };
}

function twice(sorted: readonly SettingRow[]): string | undefined {
  return sorted.find(([key], i) => key === sorted[i + 1]?.[0])?.[0];
}

function settingFrom(row: SettingRow, scope: Setting["scope"]): Setting {
  const [key, kind, defaultValue, flags, least, most] = row;
  const limits = {
    least: least === "" ? undefined : least,
    most,
    takesPercentage: flags.includes("%"),
  };
  const check = choices.get(key);
  return {
    key,
    kind,
    scope,
    default: defaultOf(key, defaultValue),
    isDynamic: flags.includes("d"),
    isFinal: flags.includes("f"),
    isPrivate: flags.includes("p"),
    isInternal: flags.includes("i"),
    isNotCopiedOnResize: flags.includes("n"),
    isPrefix: key.endsWith("."),
    parse(value, concreteKey = key) {
      const parsed = parseValue(kind, concreteKey, value, limits);
      check?.(typeof value === "string" ? value : value.join(","), concreteKey);
      return parsed;
    },
  };
}

function defaultOf(key: string, value: RawValue): (settings: Settings) => RawValue {
  const other = defaultedBy.get(key);
  return other === undefined ? () => value : (settings) => lookup(settings, other) ?? value;
}
