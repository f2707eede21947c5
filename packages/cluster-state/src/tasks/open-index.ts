/** Opens closed indices, and those being closed: their copies become unassigned and recover from their stores. */
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { indexClosedBlock, isClosingBlock, withIndexBlocks } from "../blocks.ts";
import { unassignedRow } from "../routing-rows.ts";
import { shardLimitProblem, totalCopies } from "../shard-limit.ts";
import type { ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { indexNotFound, rejected, unchanged, updated, withIndex, withRow } from "../updates.ts";

export interface OpenIndex {
  readonly kind: "open-index";
  readonly indices: readonly string[];
  readonly nowMs: number;
}

/** Opens indices. Unchanged when all are open; rejected for a missing index, and beyond the limit of shards. */
export function openIndex(state: ClusterState, task: OpenIndex): Outcome {
  const closed = task.indices.flatMap((name) => {
    const metadata = state.metadata.indices.get(name);
    return metadata?.state === "close" || isClosing(state, name) ? [metadata] : [];
  });
  const missing = task.indices.find((name) => !state.metadata.indices.has(name));
  if (missing !== undefined) return rejected(indexNotFound(missing));
  const opening = closed.filter((metadata) => metadata !== undefined);
  const added = opening.filter((metadata) => metadata.state === "close").map(totalCopies);
  const error = shardLimitProblem(
    state,
    added.reduce((sum, copies) => sum + copies, 0),
  );
  if (error !== undefined) return rejected(error);
  if (opening.length === 0) return unchanged;
  return updated(
    withAutoExpandedReplicas(
      opening.reduce((next, metadata) => opened(next, metadata, task.nowMs), state),
    ),
  );
}

function isClosing(state: ClusterState, name: string): boolean {
  return state.blocks.indices.get(name)?.some(isClosingBlock) === true;
}

function opened(state: ClusterState, metadata: IndexMetadata, nowMs: number): ClusterState {
  const unclosed = withoutCloseBlocks(state, metadata.name);
  if (metadata.state === "open") return unclosed;
  const settings = Object.fromEntries(
    Object.entries(metadata.settings).filter(([key]) => key !== "index.verified_before_close"),
  );
  const next: IndexMetadata = {
    ...metadata,
    settings,
    state: "open",
    settingsVersion: metadata.settingsVersion + 1,
    version: metadata.version + 1,
  };
  const row = unassignedRow(next, { reason: "INDEX_REOPENED", atMs: nowMs });
  return withRow(withIndex(unclosed, next), row);
}

function withoutCloseBlocks(state: ClusterState, name: string): ClusterState {
  const held = state.blocks.indices.get(name) ?? [];
  const kept = held.filter(({ id }) => id !== indexClosedBlock.id);
  return { ...state, blocks: withIndexBlocks(state.blocks, name, kept) };
}
