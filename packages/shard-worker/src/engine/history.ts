/**
 * The history of a copy (`LuceneChangesSnapshot`): past operations by ascending sequence number, for recoveries,
 * resyncs and other clusters.
 *
 * Segments keep every operation as a document, replaced ones and tombstones included, from `minRetainedSeqNo` on; a
 * merge drops older ones. A reader holds a history lock from its first number on, so that no merge drops what it has
 * still to read, and one batch in memory.
 */
import { OperationError } from "@orrery/stdx";
import type { SegmentReader } from "@orrery/segment";
import { missingHistory } from "../recovery/problems.ts";
import { readGeneration, listGenerations } from "../translog/generation.ts";
import type { Operation } from "../translog/record.ts";
import { translogFrom } from "./commits.ts";
import { assertOpen, guarded } from "./failure.ts";
import { closeBatch } from "./operations.ts";
import { refresh } from "./refresh.ts";
import type { EngineState } from "./types.ts";

/** The operations to read, both ends included. */
export interface HistoryRange {
  readonly from: number;
  readonly to: number;
  /** Limit of a batch, about; a batch has at least one operation. */
  readonly maxBytes: number;
}

/** Reads a range in batches. It must be closed, which releases the history. */
export interface HistoryReader extends HistoryRange {
  /** Operations in the batches so far. */
  readonly count: number;
  /** The next batch; `undefined` at the end of the range. */
  next(): readonly Operation[] | undefined;
  /**
   * Checks that the batches had every operation of the range.
   * @throws OperationError `missing_history_operations_exception`: they lack a number that the copy had processed when
   *   the reader was opened.
   */
  checkComplete(): void;
  close(): void;
}

/** Opens a reader over operations that the engine has processed; each number once. */
export function openHistory(state: EngineState, range: HistoryRange): HistoryReader {
  const { from, to, maxBytes } = range;
  const lock = {};
  // Above the processed checkpoint a copy may have gaps.
  const complete = Math.min(to, state.tracker.processedCheckpoint);
  let count = 0;
  let following = from;
  // Before the cursor chooses its segments: it refreshes, which plans a merge.
  state.historyLocks.set(lock, Math.max(0, from));
  const take = guarded(state, () => openCursor(state, from, to));
  const nextBatch = (): Operation[] => {
    const batch: Operation[] = [];
    for (let bytes = 0; ;) {
      const operation = take.peek();
      if (operation === undefined) return batch;
      bytes += (operation.source?.length ?? 0) + 64;
      if (batch.length > 0 && bytes > maxBytes) return batch;
      take.drop();
      batch.push(operation);
      if (operation.seqNo === following) following += 1;
    }
  };
  return {
    from,
    to,
    maxBytes,
    get count(): number {
      return count;
    },
    next() {
      assertOpen(state);
      const batch = guarded(state, nextBatch);
      count += batch.length;
      return batch.length === 0 ? undefined : batch;
    },
    checkComplete() {
      if (following <= complete) throw new OperationError(missingHistory(following, complete));
    },
    close() {
      state.historyLocks.delete(lock);
    },
  };
}

/** Returns the first batch of the operations from `from` to `to`, both included: as many as `maxBytes` allows. */
export function readHistory(
  state: EngineState,
  from: number,
  to: number,
  maxBytes: number = Infinity,
): readonly Operation[] {
  const history = openHistory(state, { from, to, maxBytes });
  try {
    return history.next() ?? [];
  } finally {
    history.close();
  }
}

/** The primary term of an operation; `undefined` when the history no longer has it. */
export function termOf(state: EngineState, seqNo: number): number | undefined {
  return readHistory(state, seqNo, seqNo)[0]?.primaryTerm;
}

/** The lowest sequence number from which on the history is complete. */
export function historyFrom(state: EngineState): number {
  if (keepsSource(state)) return state.minRetainedSeqNo;
  const [oldest] = state.commits;
  return oldest === undefined ? 0 : translogFrom(oldest);
}

/**
 * Whether segments have the source of each document as it was sent. If the mapping has a `_source` setting, a stored
 * source may be filtered or absent, and only the translog has the whole history.
 */
export function keepsSource(state: EngineState): boolean {
  const setting = state.options.mapping().json["_source"];
  return setting === undefined;
}

/** Operations one after the other; `peek` gives the same until `drop`. */
interface Cursor {
  peek(): Operation | undefined;
  drop(): void;
}

/** Operations by number; each is decoded when it is called. */
type Found = ReadonlyMap<number, () => Operation>;

/** Numbers that are looked up at a time. */
const WINDOW = 1024;

function openCursor(state: EngineState, from: number, to: number): Cursor {
  // An empty range must not close the running batch, nor refresh.
  if (to < from) return { peek: () => undefined, drop: () => undefined };
  closeBatch(state);
  const find = keepsSource(state) ? inSegments(state, from, to) : inTranslog(state, from, to);
  let window: (() => Operation)[] = [];
  let at = 0;
  let first = from;
  let current: Operation | undefined;
  return {
    peek() {
      while (at === window.length && first <= to) {
        const found = find(first, Math.min(to, first + WINDOW - 1));
        window = [...found].toSorted(([a], [b]) => a - b).map(([, read]) => read);
        at = 0;
        first += WINDOW;
      }
      current ??= window[at]?.();
      return current;
    },
    drop() {
      at += 1;
      current = undefined;
    },
  };
}

/** Looks operations up in the segments of now. A merge that replaces them leaves these readers as they are. */
function inSegments(
  state: EngineState,
  from: number,
  to: number,
): (first: number, last: number) => Found {
  if (!state.writer.isEmpty) refresh(state, "internal");
  const readers = state.segments
    .map(({ reader }) => reader)
    .filter((reader) => reader.maxSeqNo >= from && reader.minSeqNo <= to);
  return (first, last) => {
    const found = new Map<number, () => Operation>();
    for (const reader of readers) {
      // A failed indexing leaves a document, and the no-op that fills its number comes in the same or a later
      // segment: the last one wins.
      for (const doc of reader.operations(first, last))
        found.set(reader.seqNo(doc), () => operationOf(reader, doc));
    }
    return found;
  };
}

function operationOf(reader: SegmentReader, doc: number): Operation {
  const { kind, id, routing, source, seqNo, primaryTerm, version } = reader.stored(doc);
  return { kind, id, routing, source, seqNo, primaryTerm, version };
}

/**
 * Looks operations up in the translog. One pass over the generations learns the range of numbers in each; afterwards
 * only generations that overlap the window are in memory.
 */
function inTranslog(
  state: EngineState,
  from: number,
  to: number,
): (first: number, last: number) => Found {
  const { disk, paths } = state.options;
  const { uuid } = state.translog;
  const read = (generation: number): ReadonlyMap<number, Operation> => {
    const found = new Map<number, Operation>();
    const { operations = [] } = readGeneration(disk, paths.translog, generation, uuid) ?? {};
    for (const operation of operations) {
      if (operation.seqNo >= from && operation.seqNo <= to)
        keepNewer(found, operation.seqNo, operation);
    }
    return found;
  };
  const spans = listGenerations(disk, paths.translog).map((generation) => {
    let [min, max] = [Infinity, -Infinity];
    for (const seqNo of read(generation).keys()) {
      min = Math.min(min, seqNo);
      max = Math.max(max, seqNo);
    }
    return { generation, min, max };
  });
  const loaded = new Map<number, ReadonlyMap<number, Operation>>();
  return (first, last) => {
    const found = new Map<number, Operation>();
    for (const { generation, min, max } of spans) {
      if (max < first) loaded.delete(generation);
      if (max < first || min > last) continue;
      const operations = loaded.get(generation) ?? read(generation);
      loaded.set(generation, operations);
      for (let seqNo = first; seqNo <= last; seqNo += 1) {
        const operation = operations.get(seqNo);
        if (operation !== undefined) keepNewer(found, seqNo, operation);
      }
    }
    return new Map([...found].map(([seqNo, operation]) => [seqNo, () => operation]));
  };
}

/** Of two operations under one number the newer primary term is the history; the other was rolled back. */
function keepNewer(found: Map<number, Operation>, seqNo: number, operation: Operation): void {
  const other = found.get(seqNo);
  if (other === undefined || other.primaryTerm <= operation.primaryTerm)
    found.set(seqNo, operation);
}
