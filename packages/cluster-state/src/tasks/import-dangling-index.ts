/**
 * Imports a dangling index, found on a node's disk, into the cluster (`LocalAllocateDangledIndices`).
 *
 * INV-DANGLING-3: without effect, and without an error, when its name or uuid is taken, when it has a tombstone, or when a
 * newer version created it; the index stays dangling.
 */
import type { ShardRouting, ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { hasTombstone } from "../graveyard.ts";
import { VERSION_CREATED } from "../new-index.ts";
import { unassignedRow } from "../routing-rows.ts";
import { dataStreamsOf } from "../data-streams.ts";
import { indexSetting } from "../settings/registry.ts";
import { unchanged, updated, withIndex, withRow } from "../updates.ts";

export interface ImportDanglingIndex {
  readonly kind: "import-dangling-index";
  /** Metadata from the disk; aliases are not imported. */
  readonly metadata: Omit<IndexMetadata, "aliases">;
  /** A new history uuid, drawn by the proposer: the imported copies may miss writes of their former history. */
  readonly historyUuid: string;
  readonly nowMs: number;
}

/**
 * Imports a dangling index. Its primaries recover from their stores on disk, under a new history uuid. Unchanged in the
 * cases of INV-DANGLING-3.
 */
export function importDanglingIndex(state: ClusterState, task: ImportDanglingIndex): Outcome {
  const found = task.metadata;
  if (isTaken(state, found) || hasTombstone(state, found.uuid) || isNewer(found)) return unchanged;
  const metadata: IndexMetadata = {
    ...found,
    aliases: new Map(),
    settings: { ...found.settings, "index.history.uuid": task.historyUuid },
  };
  const next = withIndex(state, metadata);
  const isRouted =
    metadata.state === "open" || indexSetting(metadata, "index.verified_before_close");
  if (!isRouted) return updated(next);
  const unassigned = { reason: "DANGLING_INDEX_IMPORTED", atMs: task.nowMs } as const;
  const row = unassignedRow(metadata, unassigned);
  const shards = row.shards.map((copies) => copies.map(withNewHistory));
  return updated(withAutoExpandedReplicas(withRow(next, { ...row, shards }), task.nowMs));
}

function isTaken(state: ClusterState, { name, uuid }: ImportDanglingIndex["metadata"]): boolean {
  if (dataStreamsOf(state).has(name)) return true;
  return [...state.metadata.indices.values()].some(
    (index) => index.name === name || index.uuid === uuid || index.aliases.has(name),
  );
}

function isNewer({ settings }: ImportDanglingIndex["metadata"]): boolean {
  return Number(settings["index.version.created"]) > Number(VERSION_CREATED);
}

function withNewHistory(copy: ShardRouting): ShardRouting {
  if (copy.recoverySource?.type !== "EXISTING_STORE") return copy;
  return { ...copy, recoverySource: { type: "EXISTING_STORE", bootstrapNewHistoryUuid: true } };
}
