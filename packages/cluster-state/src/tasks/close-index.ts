/**
 * Closes indices in two steps (`MetadataIndexStateService`): `block` stops writes; after every shard was verified to have
 * its highest sequence number as global checkpoint, `close` changes the state and reinitialises the copies as closed.
 */
import { illegalArgument, type Problem } from "@orrery/stdx";
import { indexClosingBlock, isClosingBlock, withIndexBlocks } from "../blocks.ts";
import { dataStreamOf, writeIndexOf } from "../data-streams.ts";
import { unassignedRow } from "../routing-rows.ts";
import { clusterSetting } from "../settings/registry.ts";
import { snapshotGuard } from "../snapshots/guard.ts";
import type { ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { indexNotFound, rejected, unchanged, updated, withIndex, withRow } from "../updates.ts";

export interface CloseIndex {
  readonly kind: "close-index";
  readonly step: "block" | "close";
  readonly indices: readonly string[];
  readonly nowMs: number;
}

/**
 * Executes one of the two steps of closing indices. Unchanged when each of them is closed already or, for `close`, was
 * opened after the first step. Rejected for a missing index, the write index of a data stream, and an index in a
 * running restore or a running snapshot that is not partial; and if `cluster.indices.close.enable` is false.
 */
export function closeIndex(state: ClusterState, task: CloseIndex): Outcome {
  const missing = task.indices.find((name) => !state.metadata.indices.has(name));
  if (missing !== undefined) return rejected(indexNotFound(missing));
  if (!clusterSetting(state, "cluster.indices.close.enable")) return rejected(disabled);
  const open = task.indices.flatMap((name) => {
    const metadata = state.metadata.indices.get(name);
    return metadata?.state === "open" ? [metadata] : [];
  });
  const names = open.map(({ name }) => name);
  const problem = streamProblem(state, names) ?? snapshotGuard(state, names, "close");
  if (problem !== undefined) return rejected(problem);
  const step = task.step === "block" ? blocked : closed;
  const next = open.reduce((current, metadata) => step(current, metadata, task.nowMs), state);
  return next === state ? unchanged : updated(next);
}

function streamProblem(state: ClusterState, names: readonly string[]): Problem | undefined {
  const writeIndices = names.filter((name) => {
    const stream = dataStreamOf(state, name);
    return stream !== undefined && writeIndexOf(stream) === name;
  });
  if (writeIndices.length === 0) return undefined;
  return illegalArgument(
    `cannot close the following data stream write indices [${writeIndices.join(",")}]`,
  ).problem;
}

const disabled: Problem = {
  type: "illegal_state_exception",
  reason:
    "closing indices is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: closed indices still consume a significant amount of diskspace",
  status: 500,
};

function blocked(state: ClusterState, { name }: IndexMetadata): ClusterState {
  const held = state.blocks.indices.get(name) ?? [];
  if (held.some(isClosingBlock)) return state;
  const blocks = withIndexBlocks(state.blocks, name, [indexClosingBlock, ...held]);
  return { ...state, blocks };
}

/** Closes an index that still has the closing block. Opening it meanwhile has removed the block, and wins. */
function closed(state: ClusterState, metadata: IndexMetadata, nowMs: number): ClusterState {
  const held = state.blocks.indices.get(metadata.name) ?? [];
  if (!held.some(isClosingBlock)) return state;
  const next: IndexMetadata = {
    ...metadata,
    state: "close",
    settings: { ...metadata.settings, "index.verified_before_close": "true" },
    settingsVersion: metadata.settingsVersion + 1,
    version: metadata.version + 1,
  };
  const row = unassignedRow(next, { reason: "INDEX_CLOSED", atMs: nowMs });
  return withRow(withIndex(state, next), row);
}
