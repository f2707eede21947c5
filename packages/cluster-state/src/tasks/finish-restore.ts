/** Removes a restore whose shards have all ended. */
import { isRestoreOver } from "../snapshots/restores.ts";
import { restoresOf, withRestores } from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface FinishRestore {
  readonly kind: "finish-restore";
  readonly uuid: string;
}

/** Removes the entry of a restore. Unchanged while a shard of the restore is running, and for an unknown restore. */
export function finishRestore(state: ClusterState, { uuid }: FinishRestore): Outcome {
  const entries = restoresOf(state);
  const left = entries.filter((entry) => entry.uuid !== uuid || !isRestoreOver(entry));
  return left.length === entries.length ? unchanged : updated(withRestores(state, left));
}
