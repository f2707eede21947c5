/** The stages of a copy's recovery, stamped with the worker's clock. */
import type { RecoveryStage } from "@orrery/replication";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { advance, startProgress, type RecoveryProgress } from "./progress.ts";

/** Moves the copy's recovery to a stage at the present time (`advance`). */
export function enterStage(copy: ShardCopy, stage: RecoveryStage): void {
  advance(copy.recovery, stage, now(copy));
}

/** The progress of a recovery in stage INIT. `id` identifies a peer recovery, and is 0 for others. */
export function newProgress(
  copy: Pick<ShardCopy, "worker">,
  id: number,
  type: RecoveryProgress["type"],
  sourceNodeId?: string,
): RecoveryProgress {
  return startProgress(id, type, sourceNodeId, now(copy));
}

function now({ worker }: Pick<ShardCopy, "worker">): { atMs: number; monotonicMs: number } {
  return { atMs: worker.clock.nowMs(), monotonicMs: worker.clock.monotonicMs() };
}
