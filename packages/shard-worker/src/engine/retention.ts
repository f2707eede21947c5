/** From which operation on history is kept, although documents were replaced since. Source: `SoftDeletesPolicy`. */
import { least } from "@orrery/stdx";
import { retainedFrom } from "@orrery/replication";
import { safeCommit } from "./commits.ts";
import type { EngineState } from "./types.ts";

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
