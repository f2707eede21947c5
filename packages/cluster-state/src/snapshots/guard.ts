/** Guard of indices in running snapshots and restores: an index of a snapshot that is not partial may not be deleted or closed, one that is being restored not closed. */
import type { Problem } from "@orrery/stdx";
import type { ClusterState } from "../types.ts";
import { isShardCompleted } from "./progress.ts";
import { isRestoreOver } from "./restores.ts";
import { restoresOf, snapshotsOf } from "./sections.ts";

/** Why the indices may not be deleted or closed now; undefined when they may. */
export function snapshotGuard(
  state: ClusterState,
  indices: readonly string[],
  what: "delete" | "close",
): Problem | undefined {
  const wanted = new Set(indices);
  const held = snapshotsOf(state).flatMap((entry) =>
    entry.partial || entry.clone_source !== undefined
      ? []
      : entry.shards
          .filter((shard) => !isShardCompleted(shard))
          .map(({ index }) => index.index_name),
  );
  const snapshotted = new Set(held.filter((name) => wanted.has(name)));
  if (snapshotted.size > 0) {
    return {
      type: "snapshot_in_progress_exception",
      reason: `Cannot ${what} indices that are being snapshotted: [${namesOf(state, snapshotted)}]. Try again after snapshot finishes or cancel the currently running snapshot.`,
      status: 400,
    };
  }
  if (what === "delete") return undefined;
  const restoring = restoresOf(state).flatMap(({ shards }) =>
    shards.filter((shard) => !isRestoreOver(shard)).map(({ index }) => index),
  );
  const restored = new Set(restoring.filter((name) => wanted.has(name)));
  if (restored.size === 0) return undefined;
  return {
    type: "illegal_argument_exception",
    reason: `Cannot close indices that are being restored: [${namesOf(state, restored)}]`,
    status: 400,
  };
}

function namesOf(state: ClusterState, names: ReadonlySet<string>): string {
  const printed = [...names].map(
    (name) => `[${name}/${state.metadata.indices.get(name)?.uuid ?? "_na_"}]`,
  );
  return printed.join(", ");
}
