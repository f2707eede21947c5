/** Replication of the leader index's metadata: mapping, settings, aliases. Source: `IndexReplicationTask`. */
import {
  type SettingTable,
  settingOf,
  type AliasAction,
  type AliasMetadata,
  type IndexMetadata,
  type Settings,
  type SettingsChange,
} from "@orrery/cluster-state";
import { changeMapping, type Cluster } from "@orrery/node";
import { isJsonObject, lookup, setKey, type Json, type JsonObject } from "@orrery/stdx";
import { LEADER_INDEX_SETTING, PRUNING_SETTING } from "../names.ts";
import type { Following } from "../state/section.ts";

/** Settings that belong to each cluster and are never copied. */
const ownSettings: ReadonlySet<string> = new Set([
  PRUNING_SETTING,
  LEADER_INDEX_SETTING,
  "index.blocks.read_only",
  "index.blocks.read",
  "index.blocks.write",
  "index.blocks.metadata",
  "index.blocks.read_only_allow_delete",
  "index.routing.rebalance.enable",
  "index.routing.allocation.enable",
  "index.soft_deletes.retention_lease.period",
  "index.write.wait_for_active_shards",
  "index.translog.generation_threshold_size",
]);

/** Settings that are generated when an index is created. */
const madeSettings: ReadonlySet<string> = new Set([
  "index.uuid",
  "index.creation_date",
  "index.provided_name",
  "index.version.created",
  "index.version.upgraded",
  "index.verified_before_close",
]);

/**
 * Settings of a new follower index: those of the leader, without the ones that belong to each cluster, overridden by
 * the request.
 */
export function settingsForFollower(leader: Settings, overrides: SettingsChange): SettingsChange {
  const kept = Object.entries(leader).filter(
    ([key]) => !ownSettings.has(key) && !madeSettings.has(key),
  );
  return { ...Object.fromEntries(kept), ...overrides };
}

/**
 * Changes after which the follower has the leader's settings, except those that the request overrides: dynamic ones,
 * and static ones (`fixed`), which need a closed index.
 */
export function settingsChange(
  leader: IndexMetadata,
  follower: IndexMetadata,
  overrides: SettingsChange,
  known: SettingTable,
): { readonly dynamic: SettingsChange; readonly fixed: SettingsChange } {
  const wanted = settingsForFollower(leader.settings, overrides);
  const current = settingsForFollower(follower.settings, {});
  const dynamic: Record<string, SettingsChange[string]> = {};
  const fixed: Record<string, SettingsChange[string]> = {};
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(current)])) {
    const value = lookup(wanted, key) ?? null;
    const setting = settingOf(known, key);
    if (setting === undefined || setting.isFinal || setting.isPrivate || setting.isInternal)
      continue;
    if (JSON.stringify(value) === JSON.stringify(lookup(current, key) ?? null)) continue;
    if (key === "index.number_of_replicas" && isAutoExpanded(follower, overrides)) continue;
    setKey(setting.isDynamic ? dynamic : fixed, key, value);
  }
  return { dynamic, fixed };
}

function isAutoExpanded(follower: IndexMetadata, overrides: SettingsChange): boolean {
  const key = "index.auto_expand_replicas";
  const value = overrides[key] ?? follower.settings[key] ?? "false";
  return value !== "false";
}

/** The leader's aliases without a write index, because clients do not write to a follower. */
export function aliasesForFollower(leader: IndexMetadata): Readonly<Record<string, AliasMetadata>> {
  return Object.fromEntries(
    [...leader.aliases].map(([alias, metadata]) => [alias, { ...metadata, isWriteIndex: false }]),
  );
}

/** Alias actions after which the follower has the leader's aliases, but for one with the name of the follower index. */
export function aliasActions(leader: IndexMetadata, follower: IndexMetadata): AliasAction[] {
  const wanted = aliasesForFollower(leader);
  const index = follower.name;
  const added = Object.entries(wanted).flatMap(([alias, metadata]): AliasAction[] => {
    const current = follower.aliases.get(alias);
    const isSame = current !== undefined && isSameJson(asJson(current), asJson(metadata));
    return isSame || alias === index ? [] : [{ kind: "add", index, alias, metadata }];
  });
  const removed = [...follower.aliases.keys()].flatMap((alias): AliasAction[] =>
    Object.hasOwn(wanted, alias) ? [] : [{ kind: "remove", index, alias }],
  );
  return [...removed, ...added];
}

/**
 * Whether a field that the follower has differs from the leader's. New fields of the leader are copied only when a
 * document needs them.
 */
export function isMappingBehind(leader: JsonObject, follower: JsonObject): boolean {
  const mine = follower["properties"];
  const theirs = leader["properties"];
  if (!isJsonObject(mine) || !isJsonObject(theirs)) return false;
  return Object.entries(mine).some(([name, field]) => {
    const other = lookup(theirs, name);
    return other !== undefined && !isSameJson(field, other);
  });
}

/** Replaces the follower's mapping by the leader's; a follower has no fields of its own. */
export async function copyMapping(
  cluster: Cluster,
  follower: string,
  mapping: JsonObject,
): Promise<void> {
  const metadata = cluster.state().metadata.indices.get(follower);
  if (metadata === undefined) return;
  await changeMapping(cluster, metadata, {
    merge: (index) => (isSameJson(index.mapping, mapping) ? undefined : mapping),
  });
}

/** One round of replication of metadata. Returns the static settings that differ, for which the caller closes the index. */
export async function copyMetadata(
  cluster: Cluster,
  following: Following,
  leader: IndexMetadata,
): Promise<SettingsChange> {
  const { follower, settings: overrides } = following;
  const current = cluster.state().metadata.indices.get(follower);
  if (current === undefined) return {};
  const nowMs = cluster.clock.nowMs();
  const { dynamic, fixed } = settingsChange(
    leader,
    current,
    overrides,
    cluster.product.rules.settings.index,
  );
  if (Object.keys(dynamic).length > 0) {
    await cluster.submit({
      kind: "update-index-settings",
      indices: [follower],
      settings: dynamic,
      preserveExisting: false,
      nowMs,
    });
  }
  const actions = aliasActions(leader, current);
  if (actions.length > 0) await cluster.submit({ kind: "update-aliases", actions, nowMs });
  if (isMappingBehind(leader.mapping, current.mapping)) {
    await copyMapping(cluster, follower, leader.mapping);
  }
  return fixed;
}

function asJson(value: AliasMetadata): Json {
  return value as unknown as JsonObject;
}

function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  return canonical(a) === canonical(b);
}

/** JSON with sorted keys, for comparison. */
function canonical(value: Json | undefined): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "bigint") return `${inner}n`;
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  });
}
