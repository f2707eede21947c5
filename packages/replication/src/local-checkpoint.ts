/**
 * Which operations of a copy are processed, and which are durable: two checkpoints, each the highest number below
 * which nothing is missing. Owns mutable state, because a primary asks it for every operation.
 *
 * INV-REPL-1: a checkpoint never falls, and every number up to it was marked. Source: `LocalCheckpointTracker`.
 */
import { assert } from "@orrery/stdx";
import { NO_OPS_PERFORMED } from "./seq-no.ts";

export interface LocalCheckpointTracker {
  readonly processedCheckpoint: number;
  readonly persistedCheckpoint: number;
  /** The highest number given out or seen. */
  readonly maxSeqNo: number;
  /** The primary's next operation. */
  nextSeqNo(): number;
  /** Another copy gave out this number. */
  advanceMaxSeqNo(seqNo: number): void;
  markProcessed(seqNo: number): void;
  markPersisted(seqNo: number): void;
  hasProcessed(seqNo: number): boolean;
  /** Numbers above the processed checkpoint, up to the maximum, that were never processed. */
  gaps(): readonly number[];
}

/** Both arguments come from the commit a copy starts from; `-1` for an empty one. */
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

interface Marks {
  checkpoint(): number;
  has(seqNo: number): boolean;
  mark(seqNo: number): void;
}

function createMarks(start: number): Marks {
  let checkpoint = start;
  /** Marked numbers above the checkpoint: empty while operations come in order. */
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
      checkpoint = seqNo;
      while (ahead.size > 0 && ahead.delete(checkpoint + 1)) checkpoint += 1;
    },
  };
}
