/** Moves a copy's recovery through its stages, on the worker's clock. */
import type { RecoveryStage } from "@orrery/replication";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { advance, startProgress, type RecoveryProgress } from "./progress.ts";

export function enterStage(copy: ShardCopy, stage: RecoveryStage): void {
  advance(copy.recovery, stage, now(copy));
}

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
