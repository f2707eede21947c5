/**
 * `terms` over text. Documents are counted by the ordinal of their term; a term becomes text once
 * for each segment that has it, and gets a number by which the segments agree. Source:
 * `GlobalOrdinalsStringTermsAggregator`, without global ordinals: numbers are assigned to the terms
 * that are met.
 */
import { javaText } from "@orrery/stdx";
import type { OrdinalColumn } from "@orrery/segment";
import type { SegmentContext } from "../language/searcher.ts";
import { BucketNumbers } from "./bucket-numbers.ts";
import { BatchBuffer, LANE_BUCKETS, Lanes } from "./growable.ts";
import { TermsBase } from "./terms-base.ts";
import type { KeyFilter } from "./terms-filter.ts";
import type { TermsPartial, TermsSpec } from "./terms-spec.ts";
import type { AggregationContext, Aggregator, LeafCollector } from "../language/aggregation.ts";
import type { ValueFormat } from "./value-format.ts";

/** A field of terms, and the conversion of its terms to text. */
export interface Words {
  /** Name of the column; empty for an unmapped field. */
  readonly name: string;
  /** A term as key. */
  decode(term: Uint8Array): string;
  /** A value of `include`, `exclude` or `missing` as key. */
  canonical(text: string): string;
  readonly format: ValueFormat;
}

/** A segment's ordinals for the fastest loop. */
interface TopLevel {
  readonly ords: Int32Array;
  /** Bucket below owner 0 by ordinal; -1: not known yet, -2: filtered out. */
  readonly topBuckets: Int32Array;
  readonly ids: { of(ord: number): number };
}

/**
 * The aggregator of `terms` over strings. Each distinct term has a number, which is the same in all segments: its index
 * in `texts`. `numbers` gives the bucket of an owning bucket and a term number.
 */
export class StringTerms extends TermsBase implements Aggregator<TermsPartial> {
  private readonly words: Words;
  private readonly termIds = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly numbers = new BucketNumbers<number>(this.children);
  private readonly batch = new BatchBuffer(this.context.budget);
  private readonly lanes = new Lanes();
  private readonly filter: KeyFilter | undefined;

  constructor(spec: TermsSpec, context: AggregationContext, words: Words) {
    super(spec, context);
    this.words = words;
    this.filter = spec.filter?.filter(context.build.mapping.settings, words.canonical);
  }

  /** The number of a term, the same in all segments. */
  private termId(text: string): number {
    const known = this.termIds.get(text);
    if (known !== undefined) return known;
    const id = this.texts.length;
    this.texts.push(text);
    this.termIds.set(text, id);
    return id;
  }

  open(segment: SegmentContext): LeafCollector {
    const leaf = this.children.open(segment);
    if (this.words.name === "_index") return this.openIndex(leaf);
    const column = segment.reader.ordinals(this.words.name);
    const { missing } = this.spec.values;
    const missingId =
      missing === undefined ? -1 : this.termId(this.words.canonical(javaText(missing)));
    if (column === undefined) {
      if (missingId < 0) return { collect: () => {} };
      return {
        collect: (docs, buckets, count, scores) =>
          this.collectMissing(leaf, { docs, buckets, count, scores, missingId }),
      };
    }
    const ids = this.segmentIds(column);
    // Terms without matching documents are buckets, too.
    if (this.spec.minDocCount === 0) this.addEmpty(ids.all());
    if (column.isDense) return this.denseCollector(column, ids, leaf);
    return this.sparseCollector(column, { ids, leaf, missingId });
  }

  /** `_index`: every document has the name of the shard's index. */
  private openIndex(leaf: LeafCollector): LeafCollector {
    const { index } = this.context.build.searcher.view;
    if (this.filter !== undefined && !this.filter(index)) return { collect: () => {} };
    const missingId = this.termId(index);
    if (this.spec.minDocCount === 0) this.addEmpty([missingId]);
    return {
      collect: (docs, buckets, count, scores) =>
        this.collectMissing(leaf, { docs, buckets, count, scores, missingId }),
    };
  }

  /**
   * Maps a segment's ordinals to term numbers, each when it is first met: most searches meet few of
   * a dictionary's terms. -2 marks terms that the filter drops.
   */
  private segmentIds(column: OrdinalColumn): { of(ord: number): number; all(): number[] } {
    const { filter } = this;
    const ids = new Int32Array(column.dictionary.size).fill(-1);
    const of = (ord: number): number => {
      const known = ids[ord] as number;
      if (known !== -1) return known;
      const text = this.words.decode(column.dictionary.term(ord));
      const id = filter === undefined || filter(text) ? this.termId(text) : -2;
      ids[ord] = id;
      return id;
    };
    return {
      of,
      all: () => Array.from({ length: ids.length }, (_, ord) => of(ord)).filter((id) => id >= 0),
    };
  }

  private addEmpty(ids: readonly number[]): void {
    for (const id of ids) this.counts.reserve(this.numbers.number(0, id));
  }

  /**
   * The collector of columns with one term for each document. Without parent, scores and filter
   * `collectTop` counts.
   */
  private denseCollector(
    column: OrdinalColumn,
    ids: { of(ord: number): number },
    leaf: LeafCollector,
  ): LeafCollector {
    const { ords } = column;
    const { batch, children } = this;
    // For the top level: ordinal straight to bucket.
    const topBuckets = new Int32Array(column.dictionary.size).fill(-1);
    const top = { ords, topBuckets, ids };
    return {
      collect: (docs, buckets, count, scores) => {
        batch.reserve(count);
        if (buckets === undefined && scores === undefined && this.filter === undefined) {
          this.collectTop(top, docs, count);
          if (!children.isEmpty) leaf.collect(docs, batch.buckets, count, undefined);
          return;
        }
        const { docs: outDocs, buckets: outBuckets, scores: outScores } = batch;
        let kept = 0;
        const counts = this.counts.reserve(this.numbers.size + count);
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const ord = ords[doc] as number;
          let bucket: number;
          if (buckets === undefined) {
            bucket = topBuckets[ord] as number;
            if (bucket === -1) {
              const id = ids.of(ord);
              bucket = id < 0 ? -2 : this.numbers.number(0, id);
              topBuckets[ord] = bucket;
            }
          } else {
            const id = ids.of(ord);
            bucket = id < 0 ? -2 : this.numbers.number(buckets[i] as number, id);
          }
          if (bucket < 0) continue;
          counts[bucket] = (counts[bucket] as number) + 1;
          outDocs[kept] = doc;
          outBuckets[kept] = bucket;
          if (scores !== undefined) outScores[kept] = scores[i] as number;
          kept += 1;
        }
        if (!children.isEmpty && kept > 0)
          leaf.collect(
            batch.docs,
            batch.buckets,
            kept,
            scores === undefined ? undefined : batch.scores,
          );
      },
    };
  }

  /**
   * Counts a batch in which every document has a bucket below owner 0. Three loops without branches
   * on the data: look up buckets, number new ones, count.
   */
  private collectTop({ ords, topBuckets, ids }: TopLevel, docs: Int32Array, count: number): void {
    const { batch, numbers, lanes } = this;
    const { buckets } = batch;
    let signs = 0;
    for (let i = 0; i < count; i += 1) {
      const bucket = topBuckets[ords[docs[i] as number] as number] as number;
      // Negative only if some bucket is: the second loop is skipped for nearly every batch.
      signs |= bucket;
      buckets[i] = bucket;
    }
    for (let i = 0; signs < 0 && i < count; i += 1) {
      if ((buckets[i] as number) >= 0) continue;
      const ord = ords[docs[i] as number] as number;
      const bucket = numbers.number(0, ids.of(ord));
      topBuckets[ord] = bucket;
      buckets[i] = bucket;
    }
    const counts = this.counts.reserve(numbers.size);
    if (numbers.size <= LANE_BUCKETS) {
      lanes.count(buckets, count);
      lanes.flush(numbers.size, counts);
      return;
    }
    for (let i = 0; i < count; i += 1) {
      const bucket = buckets[i] as number;
      counts[bucket] = (counts[bucket] as number) + 1;
    }
  }

  /** The collector of columns in which documents have any number of terms. */
  private sparseCollector(
    column: OrdinalColumn,
    {
      ids,
      leaf,
      missingId,
    }: {
      readonly ids: { of(ord: number): number };
      readonly leaf: LeafCollector;
      readonly missingId: number;
    },
  ): LeafCollector {
    const { batch, children, numbers } = this;
    const { budget } = this.context;
    const { ords } = column;
    return {
      collect: (docs, buckets, count, scores) => {
        batch.count = 0;
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const owner = buckets === undefined ? 0 : (buckets[i] as number);
          const score = scores === undefined ? 0 : (scores[i] as number);
          const end = column.end(doc);
          const start = column.start(doc);
          if (start === end && missingId >= 0)
            batch.add(doc, numbers.number(owner, missingId), score);
          budget.step(end - start);
          for (let at = start; at < end; at += 1) {
            const id = ids.of(ords[at] as number);
            if (id >= 0) batch.add(doc, numbers.number(owner, id), score);
          }
        }
        this.countBatch();
        if (!children.isEmpty && batch.count > 0) {
          leaf.collect(
            batch.docs,
            batch.buckets,
            batch.count,
            scores === undefined ? undefined : batch.scores,
          );
        }
      },
    };
  }

  private countBatch(): void {
    this.batch.countInto(this.counts, this.numbers.size);
  }

  /** Puts all documents of a batch into the bucket of one term. */
  private collectMissing(
    leaf: LeafCollector,
    {
      docs,
      buckets,
      count,
      scores,
      missingId,
    }: {
      readonly docs: Int32Array;
      readonly buckets: Int32Array | undefined;
      readonly count: number;
      readonly scores: Float32Array | undefined;
      readonly missingId: number;
    },
  ): void {
    const { batch } = this;
    batch.count = 0;
    for (let i = 0; i < count; i += 1) {
      batch.add(
        docs[i] as number,
        this.numbers.number(buckets === undefined ? 0 : (buckets[i] as number), missingId),
        scores === undefined ? 0 : (scores[i] as number),
      );
    }
    this.countBatch();
    leaf.collect(
      batch.docs,
      batch.buckets,
      batch.count,
      scores === undefined ? undefined : batch.scores,
    );
  }

  partial(bucket: number): TermsPartial {
    const buckets = this.numbers
      .of(bucket)
      // oxlint-disable-next-line orrery/client-keys -- the key is a number here
      .map(({ key, bucket: own }) => ({ key: this.texts[key] ?? "", bucket: own }));
    return this.finish(buckets, {
      kind: this.words.name === "" && buckets.length === 0 ? "unmapped" : "string",
      format: this.words.format,
    });
  }
}
