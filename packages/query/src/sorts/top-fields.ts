/**
 * Collects the best documents of a shard by sort keys, in a heap with the worst on top. Equal
 * documents are ordered by segment, then by document. Source: Lucene's `TopFieldCollector`.
 */
import type { SortValue, TopDoc } from "../language/results.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { SegmentSort, SortReader } from "../language/sort.ts";
import type { ValueOrder } from "./best-first.ts";
import { compareSortValues } from "./compare.ts";

/** A document with the values of all keys. */
interface Entry {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
  readonly values: readonly SortValue[];
}

/** The size of the page, and the place behind which it begins. */
export interface TopFieldsOptions {
  /** Number of documents that are kept. */
  readonly capacity: number;
  /** `search_after`: documents must come behind these values; `undefined`: any may. */
  readonly after: readonly SortValue[] | undefined;
  /**
   * Last document of the page before, for scrolls: documents must come behind it. Among equal sort
   * values the order of segments and documents decides.
   */
  readonly afterDoc: TopDoc | undefined;
}

/**
 * Collects the best documents of a shard by sort keys. `open` must be called before the batches of
 * each segment.
 */
export class TopFields {
  private readonly readers: readonly SortReader[];
  private readonly options: TopFieldsOptions;
  /** A binary heap; the worst entry is at index 0. */
  private readonly heap: Entry[] = [];
  private segment = 0;
  private opened: readonly SegmentSort[] = [];

  constructor(readers: readonly SortReader[], options: TopFieldsOptions) {
    this.readers = readers;
    this.options = options;
  }

  get isFull(): boolean {
    return this.heap.length >= this.options.capacity;
  }

  /**
   * The score that a document must exceed, if the score is the only key and the heap is full; 0
   * otherwise.
   */
  get minScore(): number {
    const [first] = this.readers;
    if (this.readers.length !== 1 || first?.isScore !== true || !first.isDescending || !this.isFull)
      return 0;
    return Number(this.heap[0]?.values[0] ?? 0);
  }

  /** Whether no later document can be better: the heap is full and documents come in its order. */
  get isSettled(): boolean {
    const [first] = this.readers;
    return this.isFull && first?.isDoc === true && !first.isDescending;
  }

  /**
   * The order of the opened segment's documents by the first key, if points of the field give it.
   * Only for a first page: the best values of later ones are already shown.
   */
  get order(): ValueOrder | undefined {
    const { after, afterDoc } = this.options;
    const points = this.opened[0]?.points;
    const [first] = this.readers;
    if (points === undefined || first === undefined || after !== undefined) return undefined;
    return afterDoc === undefined ? { points, isDescending: first.isDescending } : undefined;
  }

  open(segment: SegmentContext): void {
    this.segment = segment.ord;
    this.opened = this.readers.map((reader) => reader.open(segment));
  }

  collect(docs: Int32Array, scores: Float32Array | undefined, count: number): void {
    if (this.options.capacity === 0) return;
    const [first] = this.opened;
    const [reader] = this.readers;
    if (first === undefined || reader === undefined) return;
    let start = 0;
    // The heap is filled first, so that its worst entry gives a bound.
    while (start < count && !this.isFull) {
      this.offer(
        docs[start] as number,
        scores === undefined ? Number.NaN : (scores[start] as number),
      );
      start += 1;
    }
    if (first.ranks !== undefined && first.rank !== undefined) {
      this.collectRanked(first, { docs, scores, start, count, isDescending: reader.isDescending });
      return;
    }
    for (let i = start; i < count; i += 1) {
      this.offer(docs[i] as number, scores === undefined ? Number.NaN : (scores[i] as number));
    }
  }

  /**
   * Skips documents that lose by their first key against the heap's worst entry, with one read of
   * an array each. The bound is looked up again only when the heap changes.
   */
  private collectRanked(first: SegmentSort, batch: Batch): void {
    const ranks = first.ranks as Int32Array | Float64Array;
    const rank = first.rank as NonNullable<SegmentSort["rank"]>;
    const { docs, scores, count, isDescending } = batch;
    const hasTies = this.readers.length > 1;
    let bottom = rank.ofValue(this.heap[0]?.values[0] ?? null);
    for (let i = batch.start; i < count; i += 1) {
      const doc = docs[i] as number;
      const value = ranks[doc] as number;
      if (isDescending ? value < bottom : value > bottom) continue;
      // Equal to the worst in the only key, a later document loses; further keys could still
      // decide.
      if (value === bottom && !hasTies) continue;
      this.offer(doc, scores === undefined ? Number.NaN : (scores[i] as number));
      bottom = rank.ofValue(this.heap[0]?.values[0] ?? null);
    }
  }

  /** Reads all keys of a document and inserts it if it is better than the worst. */
  private offer(doc: number, score: number): void {
    const values = this.opened.map((one) => one.value(doc, score));
    const entry: Entry = { segment: this.segment, doc, score, values };
    const { after, afterDoc, capacity } = this.options;
    if (after !== undefined && this.compareValues(values, after) <= 0) return;
    if (
      afterDoc !== undefined &&
      this.compare(entry, { ...afterDoc, values: afterDoc.sort ?? [] }) <= 0
    )
      return;
    if (this.heap.length < capacity) {
      this.heap.push(entry);
      this.siftUp(this.heap.length - 1);
    } else if (this.compare(entry, this.heap[0] as Entry) < 0) {
      this.heap[0] = entry;
      this.siftDown();
    }
  }

  /** Negative if `a` comes first. */
  private compareValues(a: readonly SortValue[], b: readonly SortValue[]): number {
    for (let i = 0; i < this.readers.length; i += 1) {
      const order = compareSortValues(a[i] ?? null, b[i] ?? null, this.readers[i] as SortReader);
      if (order !== 0) return order;
    }
    return 0;
  }

  private compare(a: Entry, b: Entry): number {
    return this.compareValues(a.values, b.values) || a.segment - b.segment || a.doc - b.doc;
  }

  private siftUp(start: number): void {
    const { heap } = this;
    let at = start;
    const entry = heap[at] as Entry;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.compare(entry, heap[parent] as Entry) <= 0) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  private siftDown(): void {
    const { heap } = this;
    const entry = heap[0] as Entry;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (
        child + 1 < heap.length &&
        this.compare(heap[child + 1] as Entry, heap[child] as Entry) > 0
      )
        child += 1;
      if (this.compare(heap[child] as Entry, entry) <= 0) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = entry;
  }

  /** The documents, best first. `sortText` is set if a key prints other values than it compares. */
  finish(): TopDoc[] {
    const isPrinted = this.readers.some(({ print }) => print !== undefined);
    return this.heap
      .toSorted((a, b) => this.compare(a, b))
      .map(({ segment, doc, score, values }) => ({
        segment,
        doc,
        score,
        sort: values,
        ...(isPrinted
          ? { sortText: values.map((value, i) => this.readers[i]?.print?.(value) ?? value) }
          : {}),
      }));
  }
}

/** Documents `docs[start..count)` of the opened segment. */
interface Batch {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  readonly start: number;
  readonly count: number;
  readonly isDescending: boolean;
}
