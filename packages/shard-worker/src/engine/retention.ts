/**
 * The retained history (`SoftDeletesPolicy`): merges keep operations from a sequence number on, although their
 * documents are replaced.
 */
import { least } from "@orrery/stdx";
import { retainedFrom } from "@orrery/replication";
import { safeCommit } from "./commits.ts";
import type { EngineState } from "./types.ts";

/**
 * The lowest sequence number to retain, for: retention leases; a replay from the safe commit;
 * `index.soft_deletes.retention.operations` behind the global checkpoint; history that is being read.
 */
export function retainFrom(state: EngineState): number {
  const { globalCheckpoint, leases, settings } = state.options;
  const safe = safeCommit(state.commits, globalCheckpoint());
  const wanted = Math.min(
    retainedFrom(leases()) ?? Infinity,
    (safe?.localCheckpoint ?? -1) + 1,
    globalCheckpoint() - settings().retentionOperations + 1,
  );
  return Math.max(0, Math.min(wanted, least(state.historyLocks.values())));
}
