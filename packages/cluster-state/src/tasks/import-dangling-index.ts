/**
 * Takes an index that was found on a node's disk into the cluster again. Source: `LocalAllocateDangledIndices`.
 *
 * Where its name or its id is taken, where it was deleted, or where a newer version made it, nothing happens, and nobody is
 * told: the index goes on dangling.
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
  /** As the disk has it. Aliases do not come back. */
  readonly metadata: Omit<IndexMetadata, "aliases">;
  /** Drawn by the proposer: copies of the former life are not continued as they are. */
  readonly historyUuid: string;
  readonly nowMs: number;
}

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
