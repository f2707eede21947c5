/** Tables of settings, built from rows, with lookup by exact key or by family. */
import { assert, compareText, lookup } from "@orrery/stdx";
import type { Settings } from "../types.ts";
import { choices } from "./choices.ts";
import { clusterRows } from "./cluster-settings.ts";
import { indexRows } from "./index-settings.ts";
import { nodeOnlyRows } from "./node-only-settings.ts";
import { networkRows } from "./network-settings.ts";
import { parseValue } from "./parse-value.ts";
import { processRows } from "./process-settings.ts";
import { resourceRows } from "./resource-settings.ts";
import { routingRows } from "./routing-settings.ts";
import { searchRows } from "./search-settings.ts";
import type { NodeSettingRow, RawValue, Setting, SettingRow } from "./setting.ts";
import { storageRows } from "./storage-settings.ts";

/** Settings whose default is the value of another setting, by key. */
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

/** Settings of one scope by key, in order of keys; `families` are those that match several keys. */
export interface SettingTable {
  readonly byKey: ReadonlyMap<string, Setting>;
  readonly families: readonly Setting[];
}

/** All settings that a cluster knows. */
export interface SettingTables {
  readonly index: SettingTable;
  readonly cluster: SettingTable;
  /** Settings of nodes that are no cluster settings. */
  readonly nodeOnly: SettingTable;
}

/** Settings that a plugin adds. */
export interface SettingsModule {
  readonly indexSettings?: readonly SettingRow[];
  readonly clusterSettings?: readonly NodeSettingRow[];
}

/** Settings of the core and of modules. Asserts that no key occurs twice. */
export function composeSettings(modules: readonly SettingsModule[]): SettingTables {
  const indexOnes = modules.flatMap(({ indexSettings = [] }) => indexSettings);
  const clusterOnes = modules.flatMap(({ clusterSettings = [] }) => clusterSettings);
  return {
    index: settingTable([...indexRows, ...indexOnes], "index"),
    cluster: settingTable(
      [
        ...clusterRows,
        ...networkRows,
        ...processRows,
        ...resourceRows,
        ...routingRows,
        ...searchRows,
        ...storageRows,
        ...clusterOnes,
      ],
      "cluster",
    ),
    nodeOnly: settingTable(nodeOnlyRows, "cluster"),
  };
}

/** Settings without plugins. */
export const coreSettings: SettingTables = composeSettings([]);

/** The setting of a concrete key: by exact key, else the family that matches it; undefined for an unknown key. */
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

/** The table of rows; index settings have an effect. Asserts that no key occurs twice. */
export function settingTable(
  rows: readonly (SettingRow & Partial<NodeSettingRow>)[],
  scope: Setting["scope"],
): SettingTable {
  const sorted = rows.toSorted((a, b) => compareText(a.name, b.name));
  const byKey = new Map(sorted.map((row) => [row.name, settingFrom(row, scope)]));
  assert(byKey.size === rows.length, `the setting [${twice(sorted)}] is there twice`);
  const families = [...byKey.values()].filter(({ isPrefix, key }) => isPrefix || key.includes("*"));
  return { byKey, families };
}

function twice(sorted: readonly SettingRow[]): string | undefined {
  return sorted.find(({ name }, i) => name === sorted[i + 1]?.name)?.name;
}

function settingFrom(row: SettingRow & Partial<NodeSettingRow>, scope: Setting["scope"]): Setting {
  const { name: key, type } = row;
  const check = choices.get(key);
  return {
    key,
    kind: type.kind,
    scope,
    default: defaultOf(key, type.default),
    isDynamic: row.isDynamic === true,
    isFinal: row.isFinal === true,
    isPrivate: row.isPrivate === true,
    isInternal: row.isInternal === true,
    isNotCopiedOnResize: row.isNotCopiedOnResize === true,
    isPrefix: key.endsWith("."),
    hasEffect: row.hasEffect ?? true,
    parse(value, concreteKey = key) {
      const parsed = parseValue(type, concreteKey, value);
      check?.(typeof value === "string" ? value : value.join(","), concreteKey);
      return parsed;
    },
  };
}

function defaultOf(key: string, value: RawValue): (settings: Settings) => RawValue {
  const other = defaultedBy.get(key);
  return other === undefined ? () => value : (settings) => lookup(settings, other) ?? value;
}
