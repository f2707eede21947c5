/**
 * The progress of one recovery as `_recovery` shows it (`RecoveryState`): changed in place, read by no decision.
 * `startedAtMs` and `stoppedAtMs` are wall-clock times, `startedMs`, `stoppedMs`, `indexStartedMs` and
 * `translogStartedMs` monotonic ones; other members in ms are durations.
 */
import { moveTo, type RecoveryStage, type StoredFile } from "@orrery/replication";

/** A recovery, from its start until the copy is replaced. */
export interface RecoveryProgress {
  /** Number of the recovery on its target's worker; 0 for one that is not a peer recovery. */
  readonly id: number;
  readonly type: "EMPTY_STORE" | "EXISTING_STORE" | "PEER" | "SNAPSHOT" | "LOCAL_SHARDS";
  /** Node id of the source of a peer recovery. */
  readonly sourceNodeId: string | undefined;
  stage: RecoveryStage;
  readonly startedAtMs: number;
  readonly startedMs: number;
  stoppedAtMs: number;
  stoppedMs: number;
  readonly files: Map<string, FileProgress>;
  indexStartedMs: number;
  indexMs: number;
  verifyMs: number;
  sourceThrottleMs: number;
  targetThrottleMs: number;
  translogStartedMs: number;
  translogMs: number;
  operationsRecovered: number;
  /** The value -1 stands for unknown, as for the next field. */
  operationsTotal: number;
  operationsTotalOnStart: number;
}

/** A file of the recovered commit. A reused file was on the target's disk and counts as recovered. */
export interface FileProgress {
  readonly sizeBytes: number;
  readonly isReused: boolean;
  recoveredBytes: number;
}

export function startProgress(
  id: number,
  type: RecoveryProgress["type"],
  sourceNodeId: string | undefined,
  now: { readonly atMs: number; readonly monotonicMs: number },
): RecoveryProgress {
  return {
    id,
    type,
    sourceNodeId,
    stage: "INIT",
    startedAtMs: now.atMs,
    startedMs: now.monotonicMs,
    stoppedAtMs: 0,
    stoppedMs: 0,
    files: new Map(),
    indexStartedMs: 0,
    indexMs: 0,
    verifyMs: 0,
    sourceThrottleMs: 0,
    targetThrottleMs: 0,
    translogStartedMs: 0,
    translogMs: 0,
    operationsRecovered: 0,
    operationsTotal: -1,
    operationsTotalOnStart: -1,
  };
}

/**
 * Moves a recovery to a stage and records the time. No effect when the recovery is in that stage; otherwise `moveTo`
 * asserts the order.
 */
export function advance(
  progress: RecoveryProgress,
  stage: RecoveryStage,
  now: { readonly atMs: number; readonly monotonicMs: number },
): void {
  if (progress.stage === stage) return;
  if (progress.stage === "INDEX") progress.indexMs = now.monotonicMs - progress.indexStartedMs;
  if (progress.stage === "TRANSLOG") {
    progress.translogMs = now.monotonicMs - progress.translogStartedMs;
  }
  progress.stage = moveTo(progress.stage, stage);
  if (stage === "INDEX") progress.indexStartedMs = now.monotonicMs;
  if (stage === "TRANSLOG") progress.translogStartedMs = now.monotonicMs;
  if (stage !== "DONE") return;
  progress.stoppedAtMs = now.atMs;
  progress.stoppedMs = now.monotonicMs;
}

/** Adds files of the commit to the progress; a file that was added before is replaced. */
export function noteFiles(
  progress: RecoveryProgress,
  files: readonly StoredFile[],
  isReused: boolean,
): void {
  for (const { name, sizeBytes } of files) {
    progress.files.set(name, { sizeBytes, isReused, recoveredBytes: isReused ? sizeBytes : 0 });
  }
}
