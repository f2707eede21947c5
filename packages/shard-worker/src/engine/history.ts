/**
 * Past operations of a copy, in order of sequence number: what recoveries and resyncs replay, and what other clusters read.
 *
 * A reader hands them out in batches and holds one batch in memory, whatever the range; with a history in the translog, also the
 * generations that the batch comes from. What it has still to read is kept until it is closed.
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

export interface HistoryRange {
  readonly from: number;
  /** Included. */
  readonly to: number;
  /** Of a batch, which has at least one operation. */
  readonly maxBytes: number;
}

export interface HistoryReader extends HistoryRange {
  /** Operations read so far. */
  readonly count: number;
  /** `undefined`: there are no more. */
  next(): readonly Operation[] | undefined;
  /** Rejects what was read when a number is missing that the copy had processed at the beginning. */
  checkComplete(): void;
  close(): void;
}

/**
 * Every operation of the range, each number once. The segments have them all from `minRetainedSeqNo` on; an index that stores its
 * documents otherwise than they were sent has them in the translog only.
 */
export function openHistory(state: EngineState, range: HistoryRange): HistoryReader {
  const { from, to, maxBytes } = range;
  const lock = {};
  const complete = Math.min(to, state.tracker.processedCheckpoint);
  let count = 0;
  let following = from;
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

/** The beginning of a range, up to about so many bytes. */
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

/** Primary term of an operation; `undefined` when the history no longer has it. */
export function termOf(state: EngineState, seqNo: number): number | undefined {
  return readHistory(state, seqNo, seqNo)[0]?.primaryTerm;
}

/** From where on a history is complete. */
export function historyFrom(state: EngineState): number {
  if (keepsSource(state)) return state.minRetainedSeqNo;
  const [oldest] = state.commits;
  return oldest === undefined ? 0 : translogFrom(oldest);
}

/** Else segments have documents otherwise than they were sent, or not at all. */
export function keepsSource(state: EngineState): boolean {
  const setting = state.options.mapping().json["_source"];
  return setting === undefined;
}

interface Cursor {
  peek(): Operation | undefined;
  drop(): void;
}

/** Operations by their number, each read when it is called. */
type Found = ReadonlyMap<number, () => Operation>;

/** So many numbers are looked up at a time. */
const WINDOW = 1024;

function openCursor(state: EngineState, from: number, to: number): Cursor {
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

/** Readers of now: a merge leaves the readers that it replaces as they are. */
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
      // A number that failed half-way is there twice: the no-op that took its place came later.
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

function keepNewer(found: Map<number, Operation>, seqNo: number, operation: Operation): void {
  const other = found.get(seqNo);
  if (other === undefined || other.primaryTerm <= operation.primaryTerm)
    found.set(seqNo, operation);
}
