/** The best documents by sort keys; ties go to the earlier document. */
import type { SortValue, TopDoc } from "../language/results.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { SegmentSort, SortReader } from "../language/sort.ts";
import type { ValueOrder } from "./best-first.ts";
import { compareSortValues } from "./compare.ts";

interface Entry {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
  readonly values: readonly SortValue[];
}

export interface TopFieldsOptions {
  readonly capacity: number;
  /** `search_after`: only documents whose values come after these. */
  readonly after: readonly SortValue[] | undefined;
  /** Scroll: only documents after this one. */
  readonly afterDoc: TopDoc | undefined;
}

export class TopFields {
  private readonly readers: readonly SortReader[];
  private readonly options: TopFieldsOptions;
  /** A heap, the worst on top. */
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

  /** The score to beat, when the score alone decides. */
  get minScore(): number {
    const [first] = this.readers;
    if (this.readers.length !== 1 || first?.isScore !== true || !first.isDescending || !this.isFull)
      return 0;
    return Number(this.heap[0]?.values[0] ?? 0);
  }

  /** In index order nothing that comes later can be better than a full heap. */
  get isSettled(): boolean {
    const [first] = this.readers;
    return this.isFull && first?.isDoc === true && !first.isDescending;
  }

  /** The order of the opened segment's documents by the first key, where points of the field tell it and a first page is wanted. */
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

  /** Most documents lose by their first key: one array read each. */
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
      if (value === bottom && !hasTies) continue;
      this.offer(doc, scores === undefined ? Number.NaN : (scores[i] as number));
      bottom = rank.ofValue(this.heap[0]?.values[0] ?? null);
    }
  }

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

  /** Best first. */
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

interface Batch {
  readonly docs: Int32Array;
  readonly scores: Float32Array | undefined;
  readonly start: number;
  readonly count: number;
  readonly isDescending: boolean;
}
