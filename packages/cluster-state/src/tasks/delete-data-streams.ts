/** Deletes data streams with all their backing indices (`DeleteDataStreamAction`). */
import type { Problem } from "@orrery/stdx";
import { dataStreamsOf, withoutDataStreams } from "../data-streams.ts";
import { snapshotsOf } from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import { deleteIndex } from "./delete-index.ts";

export interface DeleteDataStreams {
  readonly kind: "delete-data-streams";
  /** Names; those without a stream are ignored. */
  readonly names: readonly string[];
  readonly nowMs: number;
  /** The proposer's `cluster.indices.tombstones.size`, which is a node's setting. */
  readonly maxTombstones?: number;
}

/**
 * Deletes data streams with their backing indices. All are rejected when one of them is in a running snapshot that is
 * not partial.
 */
export function deleteDataStreams(state: ClusterState, task: DeleteDataStreams): Outcome {
  const streams = task.names.flatMap((name) => dataStreamsOf(state).get(name) ?? []);
  if (streams.length === 0) return unchanged;
  const names = streams.map(({ name }) => name);
  const problem = snapshotProblem(state, names);
  if (problem !== undefined) return rejected(problem);
  let next = withoutDataStreams(state, names);
  for (const { index_name: index } of streams.flatMap(({ indices }) => indices)) {
    const uuid = next.metadata.indices.get(index)?.uuid;
    if (uuid === undefined) continue;
    const outcome = deleteIndex(next, { ...task, kind: "delete-index", index, uuid });
    if (outcome.kind === "rejected") return outcome;
    if (outcome.kind === "updated") next = outcome.state;
  }
  return updated(next);
}

function snapshotProblem(state: ClusterState, names: readonly string[]): Problem | undefined {
  const held = snapshotsOf(state).flatMap((entry) => (entry.partial ? [] : entry.data_streams));
  const kept = new Set(held);
  const snapshotted = names.filter((name) => kept.has(name));
  if (snapshotted.length === 0) return undefined;
  return {
    type: "snapshot_in_progress_exception",
    reason: `Cannot delete data streams that are being snapshotted: [${snapshotted.join(", ")}]. Try again after snapshot finishes or cancel the currently running snapshot.`,
    status: 400,
  };
}
