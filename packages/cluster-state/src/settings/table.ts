/** Rows to settings, and the look-up of a key among exact keys and families. */
import { compareText, lookup } from "@orrery/stdx";
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

const ofIndices = tableOf(indexRows, "index");
const ofCluster = tableOf([...clusterRows, ...nodeRowsAToM, ...nodeRowsNToZ], "cluster");

/** By key, in order of keys. */
export const indexSettings: ReadonlyMap<string, Setting> = ofIndices;

/** By key, in order of keys. */
export const clusterSettings: ReadonlyMap<string, Setting> = ofCluster;

/** What a node takes besides those. */
export const nodeOnlySettings: ReadonlyMap<string, Setting> = tableOf(nodeOnlyRows, "cluster");

const families = new Map(
  [indexSettings, clusterSettings].map((table) => [table, familiesOf(table)]),
);

/** Settings of a plugin. A key that is there already stays as it is: several nodes may share a process. */
export function registerSettings(scope: Setting["scope"], rows: readonly SettingRow[]): void {
  const table = scope === "index" ? ofIndices : ofCluster;
  const fresh = rows.filter(([key]) => !table.has(key));
  if (fresh.length === 0) return;
  const all = [...table, ...tableOf(fresh, scope)].toSorted(([a], [b]) => compareText(a, b));
  table.clear();
  for (const [key, setting] of all) table.set(key, setting);
  families.set(table, familiesOf(table));
}

function familiesOf(table: ReadonlyMap<string, Setting>): Setting[] {
  return [...table.values()].filter(({ isPrefix, key }) => isPrefix || key.includes("*"));
}

/** The setting of a concrete key, which may be a member of a family. */
export function settingOf(table: ReadonlyMap<string, Setting>, key: string): Setting | undefined {
  const exact = table.get(key);
  if (exact !== undefined && !exact.isPrefix) return exact;
  return families.get(table)?.find((family) => isMember(family, key));
}

function isMember({ key: family, isPrefix }: Setting, key: string): boolean {
  if (isPrefix) return key.startsWith(family) && key.length > family.length;
  const [before = "", after = ""] = family.split("*");
  if (!key.startsWith(before) || !key.endsWith(after)) return false;
  const middle = key.slice(before.length, key.length - after.length);
  return /^[-\w]+$/.test(middle);
}

function tableOf(rows: readonly SettingRow[], scope: Setting["scope"]): Map<string, Setting> {
  return new Map(rows.map((row) => [row[0], settingFrom(row, scope)]));
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
