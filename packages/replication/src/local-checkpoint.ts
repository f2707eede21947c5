/**
 * The local checkpoints of a copy: the highest sequence numbers up to which all operations are processed, and up to
 * which all are persisted. Owns mutable state, because a primary asks it for every operation.
 *
 * INV-REPL-1: a checkpoint never falls, and every number up to it was marked. Source: `LocalCheckpointTracker`, which
 * has these two checkpoints, too.
 */
import { assert } from "@orrery/stdx";
import { NO_OPS_PERFORMED } from "./seq-no.ts";

/**
 * Checkpoints of one copy. An operation is processed when the engine has indexed it, persisted when the translog is
 * synced.
 */
export interface LocalCheckpointTracker {
  /** Every operation up to here is indexed; -1 when there is none. */
  readonly processedCheckpoint: number;
  /** Every operation up to here survives a crash; -1 when there is none. The global checkpoint is computed from it. */
  readonly persistedCheckpoint: number;
  /** The highest number assigned here or seen; -1 when there is none. */
  readonly maxSeqNo: number;
  /** Assigns the next number; only a primary does. A number is never assigned twice, even if its operation fails. */
  nextSeqNo(): number;
  /** Records a number that another copy has assigned, without marking it. */
  advanceMaxSeqNo(seqNo: number): void;
  /** Marks one number, in any order; marking twice has no effect. */
  markProcessed(seqNo: number): void;
  markPersisted(seqNo: number): void;
  /** Whether the number was processed, also above the checkpoint. */
  hasProcessed(seqNo: number): boolean;
  /**
   * Numbers above the processed checkpoint, up to the maximum, that were never processed. A new primary fills them
   * with no-ops.
   */
  gaps(): readonly number[];
}

/**
 * A tracker that starts from a commit, of which both arguments come; -1 for an empty one. Numbers between the
 * checkpoint and the maximum count as missing until they are marked again, for instance by replaying the translog.
 */
export function createLocalCheckpointTracker(
  maxSeqNo: number,
  localCheckpoint: number,
): LocalCheckpointTracker {
  assert(localCheckpoint >= NO_OPS_PERFORMED, `local checkpoint ${localCheckpoint}`);
  assert(maxSeqNo >= localCheckpoint, `max seq no ${maxSeqNo} below ${localCheckpoint}`);
  const processed = createMarks(localCheckpoint);
  const persisted = createMarks(localCheckpoint);
  let next = maxSeqNo + 1;
  const advanceMaxSeqNo = (seqNo: number): void => {
    if (seqNo >= next) next = seqNo + 1;
  };
  return {
    get processedCheckpoint() {
      return processed.checkpoint();
    },
    get persistedCheckpoint() {
      return persisted.checkpoint();
    },
    get maxSeqNo() {
      return next - 1;
    },
    nextSeqNo: () => {
      next += 1;
      return next - 1;
    },
    advanceMaxSeqNo,
    markProcessed: (seqNo) => {
      advanceMaxSeqNo(seqNo);
      processed.mark(seqNo);
    },
    markPersisted: (seqNo) => {
      advanceMaxSeqNo(seqNo);
      persisted.mark(seqNo);
    },
    hasProcessed: (seqNo) => processed.has(seqNo),
    gaps: () => {
      const missing: number[] = [];
      for (let seqNo = processed.checkpoint() + 1; seqNo < next; seqNo += 1) {
        if (!processed.has(seqNo)) missing.push(seqNo);
      }
      return missing;
    },
  };
}

/** One checkpoint, and the marked numbers above it. */
interface Marks {
  checkpoint(): number;
  has(seqNo: number): boolean;
  mark(seqNo: number): void;
}

function createMarks(start: number): Marks {
  let checkpoint = start;
  // Marked numbers above the checkpoint: empty while operations come in order, so the usual mark costs one comparison.
  const ahead = new Set<number>();
  return {
    checkpoint: () => checkpoint,
    has: (seqNo) => seqNo <= checkpoint || ahead.has(seqNo),
    mark: (seqNo) => {
      if (seqNo <= checkpoint) return;
      if (seqNo !== checkpoint + 1) {
        ahead.add(seqNo);
        return;
      }
      // The number closes the gap: the checkpoint moves over it and over the numbers that were marked ahead of it.
      checkpoint = seqNo;
      while (ahead.size > 0 && ahead.delete(checkpoint + 1)) checkpoint += 1;
    },
  };
}
