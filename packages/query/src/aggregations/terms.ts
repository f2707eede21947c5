/** `terms`: a bucket for each value of a field, the biggest first. */
import { illegalArgument, OperationError } from "@orrery/stdx";
import type { OrdinalColumn } from "@orrery/segment";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf } from "../dates/format.ts";
import { double, javaDouble } from "../json/json-text.ts";
import { formatIp, parseIp } from "../mapping/types/ip.ts";
import { intOf, items, type Cursor } from "../queries/cursor.ts";
import type { SegmentContext } from "../search/searcher.ts";
import type { Plain, Printable } from "../types.ts";
import { BucketNumbers } from "./bucket-numbers.ts";
import { createChildren, reduceChildren, renderChildren, type Children } from "./children.ts";
import { BatchBuffer, Doubles } from "./growable.ts";
import { Options } from "./options.ts";
import {
  BY_COUNT,
  checkOrder,
  isCountDescending,
  isKeyOrder,
  parseOrder,
  reducedComparator,
  shardComparator,
  type BucketKey,
  type OrderKey,
  type ReducedBucket,
} from "./order.ts";
import { keySource, keyText, printKey, type Key, type KeySource } from "./key-source.ts";
import type { AggregationHead } from "./parse.ts";
import { applyParentPipelines } from "./pipeline/apply.ts";
import { decodeTuple, encodeTuple } from "./tuple-keys.ts";
import { bucketHead } from "./histogram.ts";
import { parseInclude, type KeyChoice, type KeyFilter } from "./terms-filter.ts";
import type {
  Aggregation,
  AggregationContext,
  Aggregator,
  LeafCollector,
  ReduceContext,
  RenderOptions,
} from "./types.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import {
  aggregatedField,
  numberSource,
  unmappedFormat,
  type NumberSource,
  type ValuesSpec,
} from "./values.ts";

export interface TermsSpec {
  readonly values: ValuesSpec;
  readonly size: number;
  readonly shardSize: number | undefined;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly order: readonly OrderKey[];
  readonly filter: KeyChoice | undefined;
  readonly showsError: boolean;
  readonly head: AggregationHead;
}

type KeyKind = "string" | "long" | "double" | "boolean" | "unmapped";

/** What a shard, or a reduction, leaves. */
interface TermsPartial {
  readonly kind: KeyKind;
  readonly format: ValueFormat;
  readonly buckets: readonly PartialBucket[];
  readonly other: number;
  /** Of this partial when it is already reduced; -1: unknown. */
  readonly error: number;
  readonly shardSize: number;
}

interface PartialBucket {
  readonly k: BucketKey;
  readonly n: number;
  readonly c: readonly Plain[];
  /** Error of the count, after a reduction. */
  readonly e?: number;
}

const BUCKET_OPTIONS = [
  "size",
  "shard_size",
  "min_doc_count",
  "shard_min_doc_count",
  "order",
  "collect_mode",
  "show_term_doc_count_error",
];

export function parseTerms(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "terms", [
    ...BUCKET_OPTIONS,
    "include",
    "exclude",
    "execution_hint",
  ]);
  const spec: TermsSpec = {
    ...parseBuckets(head, options),
    filter: parseInclude(options.cursor("include"), options.cursor("exclude")),
    values: options.values(),
  };
  return termsAggregation(spec, (context) => createTerms(spec, context));
}

const NO_VALUES: ValuesSpec = {
  field: undefined,
  missing: undefined,
  format: undefined,
  valueType: undefined,
  timeZone: undefined,
};

/** `multi_terms`: keys are tuples of several fields' values, kept as one string each. */
export function parseMultiTerms(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "multi_terms", [...BUCKET_OPTIONS, "terms"], true);
  const cursor = options.cursor("terms");
  if (cursor === undefined) throw illegalArgument("Required [terms]");
  const fields = items(cursor).map((item) => new Options(item, "multi_terms", []).values());
  if (fields.length < 2) throw illegalArgument("multi term aggregation must has at least 2 terms");
  const spec: TermsSpec = { ...parseBuckets(head, options), filter: undefined, values: NO_VALUES };
  const aggregation = termsAggregation(spec, (context) => new TupleTerms(spec, context, fields));
  return { ...aggregation, typedName: () => "multi_terms" };
}

function parseBuckets(
  head: AggregationHead,
  options: Options,
): Omit<TermsSpec, "filter" | "values"> {
  const positive =
    (name: string): ((cursor: Cursor) => number) =>
    (cursor) => {
      const value = intOf(cursor);
      if (value <= 0)
        throw illegalArgument(
          `[${name === "shard_size" ? "shardSize" : name}] must be greater than 0. Found [${value}] in [${head.name}]`,
        );
      return value;
    };
  return {
    head,
    size: options.read("size", positive("size"), 10),
    shardSize: options.read<number | undefined>("shard_size", positive("shard_size"), undefined),
    minDocCount: options.int("min_doc_count", 1),
    shardMinDocCount: options.int("shard_min_doc_count", 0),
    order: options.read("order", parseOrder, BY_COUNT),
    showsError: options.flag("show_term_doc_count_error", false),
  };
}

function termsAggregation(
  spec: TermsSpec,
  create: (context: AggregationContext) => Aggregator,
): Aggregation {
  const { head } = spec;
  return {
    ...bucketHead(head),
    create: (context) => {
      checkOrder(spec.order, head.children);
      return create(context);
    },
    reduce: (partials, context) => reduceTerms(spec, partials, context),
    typedName: (reduced) => typedName(reduced as unknown as TermsPartial | undefined),
    bucketsOf: (reduced) => {
      const partial = reduced as unknown as TermsPartial;
      return partial.buckets.map(({ k, n, c }) => ({
        key: k,
        keyText: keyTextOf(k, partial),
        count: n,
        children: c,
      }));
    },
    render: (reduced, options_) => renderTerms(spec, reduced as unknown as TermsPartial, options_),
  };
}

function typedName(partial: TermsPartial | undefined): string {
  const kind = partial?.kind ?? "unmapped";
  if (kind === "string" || kind === "unmapped") return "sterms";
  return kind === "double" ? "dterms" : "lterms";
}

// ------------------------------------------------------------------------------------------ shard

function createTerms(spec: TermsSpec, context: AggregationContext): Aggregator {
  const field = aggregatedField(context, spec.values);
  if (field !== undefined && field.values.kind === "terms" && field.family !== "boolean") {
    const { values } = field;
    const isIp = field.family === "ip";
    if (isIp && spec.filter?.isPattern === true) throw patternRefused(spec, "values");
    const name = field.aliasOf ?? field.name;
    // Addresses are kept as bytes, whose order is theirs, and printed at the end.
    const words: Words = isIp
      ? { name, decode: addressKey, canonical: (text) => addressKey(parseIp(text)), format: "ip" }
      : { name, decode: (term) => String(values.decode(term)), canonical: String, format: RAW };
    return new StringTerms(spec, context, words);
  }
  if (field === undefined) {
    const { missing, valueType } = spec.values;
    const isNumber =
      typeof missing === "number" ||
      (valueType !== undefined &&
        ["long", "double", "number", "date", "boolean"].includes(valueType));
    if (!isNumber)
      return new StringTerms(spec, context, {
        name: "",
        decode: String,
        canonical: String,
        format: RAW,
      });
  }
  if (spec.filter?.isPattern === true) {
    throw patternRefused(
      spec,
      "numeric values for include/exclude clauses used to filter numeric fields",
    );
  }
  return new NumberTerms(spec, context);
}

function patternRefused({ head }: TermsSpec, what: string): OperationError {
  return new OperationError({
    type: "aggregation_execution_exception",
    reason: `Aggregation [${head.name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of ${what}${what === "values" ? " for include/exclude clauses" : ""}`,
    status: 500,
  });
}

abstract class TermsBase {
  protected readonly spec: TermsSpec;
  protected readonly children: Children;
  protected readonly counts = new Doubles();
  protected readonly context: AggregationContext;

  constructor(spec: TermsSpec, context: AggregationContext) {
    this.spec = spec;
    this.context = context;
    this.children = createChildren(spec.head.children, context);
  }

  /** The best buckets of an owner, cut to the shard's size. */
  protected finish(
    buckets: readonly { readonly key: BucketKey; readonly bucket: number }[],
    shape: { readonly kind: KeyKind; readonly format: ValueFormat },
  ): Plain {
    const { spec } = this;
    const counted = buckets.map(({ key, bucket }) => ({
      key,
      bucket,
      count: this.counts.get(bucket),
    }));
    const limit = shardSizeOf(spec);
    const minimum = Math.max(
      spec.shardMinDocCount,
      this.context.totalShards === 1 ? Math.min(spec.minDocCount, 1) : 0,
    );
    const kept = counted.filter(({ count }) => count >= minimum);
    kept.sort(shardComparator(spec.order, this.children));
    const best = kept.slice(0, limit);
    const other =
      counted.reduce((total, { count }) => total + count, 0) -
      best.reduce((total, { count }) => total + count, 0);
    const partial: TermsPartial = {
      ...shape,
      other,
      error: 0,
      shardSize: limit,
      buckets: best.map(({ key, count, bucket }) => ({
        k: key,
        n: count,
        c: this.children.partials(bucket),
      })),
    };
    return partial as unknown as Plain;
  }
}

function shardSizeOf(spec: TermsSpec): number {
  const given = spec.shardSize;
  if (given !== undefined) return Math.max(given, spec.size);
  // Asking shards for more makes the counts of the final buckets better.
  return Math.min(2_147_483_647, Math.floor(spec.size * 1.5 + 10));
}

interface Words {
  readonly name: string;
  decode(term: Uint8Array): string;
  /** A value of `include` or `exclude` as its key. */
  canonical(text: string): string;
  readonly format: ValueFormat;
}

function addressKey(address: Uint8Array): string {
  return String.fromCharCode(...address);
}

class StringTerms extends TermsBase implements Aggregator {
  private readonly words: Words;
  private readonly termIds = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly numbers = new BucketNumbers<number>();
  private readonly batch = new BatchBuffer();
  private readonly filter: KeyFilter | undefined;

  constructor(spec: TermsSpec, context: AggregationContext, words: Words) {
    super(spec, context);
    this.words = words;
    this.filter = spec.filter?.filter(words.canonical);
  }

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
      missing === undefined ? -1 : this.termId(this.words.canonical(String(missing)));
    if (column === undefined) {
      if (missingId < 0) return { collect: () => {} };
      return {
        collect: (docs, buckets, count, scores) =>
          this.collectMissing(leaf, { docs, buckets, count, scores, missingId }),
      };
    }
    const ids = this.segmentIds(column);
    if (this.spec.minDocCount === 0) this.addEmpty(ids.all());
    if (column.isDense) return this.denseCollector(column, ids, leaf);
    return this.sparseCollector(column, { ids, leaf, missingId });
  }

  /** Every document of a shard has the name of its index. */
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

  /** Ordinals to term numbers, looked up when first met; -2 marks terms the filter drops. */
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

  private denseCollector(
    column: OrdinalColumn,
    ids: { of(ord: number): number },
    leaf: LeafCollector,
  ): LeafCollector {
    const { ords } = column;
    const { batch, children } = this;
    // For the top level: ordinal straight to bucket.
    const topBuckets = new Int32Array(column.dictionary.size).fill(-1);
    return {
      collect: (docs, buckets, count, scores) => {
        batch.reserve(count);
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
    const { batch } = this;
    const counts = this.counts.reserve(this.numbers.size);
    for (let i = 0; i < batch.count; i += 1) {
      const bucket = batch.buckets[i] as number;
      counts[bucket] = (counts[bucket] as number) + 1;
    }
  }

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

  partial(bucket: number): Plain {
    const buckets = this.numbers
      .of(bucket)
      .map(({ key, bucket: own }) => ({ key: this.texts[key] ?? "", bucket: own }));
    return this.finish(buckets, {
      kind: this.words.name === "" && buckets.length === 0 ? "unmapped" : "string",
      format: this.words.format,
    });
  }
}

class NumberTerms extends TermsBase implements Aggregator {
  private readonly source: ReturnType<typeof numberSource>;
  private readonly numbers = new BucketNumbers<number | bigint>();
  private readonly batch = new BatchBuffer();
  private readonly kind: KeyKind;
  private readonly format: ValueFormat;
  private readonly filter: KeyFilter | undefined;

  constructor(spec: TermsSpec, context: AggregationContext) {
    super(spec, context);
    this.source = numberSource(context, spec.values, "terms");
    const { field } = this.source;
    const { format, timeZone, valueType } = spec.values;
    const isDouble =
      field !== undefined && field.values.kind === "numbers" && !field.values.isInteger;
    const isBoolean =
      field?.family === "boolean" || (field === undefined && valueType === "boolean");
    this.kind = isBoolean ? "boolean" : isDouble || valueType === "double" ? "double" : "long";
    this.format =
      field === undefined ? unmappedFormat(spec.values) : formatOf(field, format, timeZone);
    this.filter = spec.filter?.filter((text) =>
      canonicalNumber(text, { field, isDouble, spec: spec.values, nowMs: context.build.nowMs }),
    );
  }

  open(segment: SegmentContext): LeafCollector {
    const leaf = this.children.open(segment);
    const values = this.source.open(segment);
    if (values === undefined) return { collect: () => {} };
    // Keys are milliseconds, of finer dates too.
    const isNanos = this.source.field?.type === "date_nanos";
    const exact = isNanos ? undefined : this.source.exact?.(segment);
    const { batch, numbers, filter } = this;
    const accepts = (key: number | bigint): boolean => filter === undefined || filter(String(key));
    return {
      collect: (docs, buckets, count, scores) => {
        batch.count = 0;
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const owner = buckets === undefined ? 0 : (buckets[i] as number);
          const score = scores === undefined ? 0 : (scores[i] as number);
          if (values.dense !== undefined) {
            const key = values.dense[doc] as number;
            if (accepts(key)) batch.add(doc, numbers.number(owner, key), score);
            continue;
          }
          let last: number | bigint | undefined;
          for (const value of exact?.(doc) ?? values.buffer.subarray(0, values.read(doc))) {
            const key = isNanos ? Math.floor(Number(value)) : value;
            if (key === last || !accepts(key)) continue;
            last = key;
            batch.add(doc, numbers.number(owner, key), score);
          }
        }
        const counts = this.counts.reserve(numbers.size);
        for (let i = 0; i < batch.count; i += 1) {
          const bucket = batch.buckets[i] as number;
          counts[bucket] = (counts[bucket] as number) + 1;
        }
        if (!this.children.isEmpty && batch.count > 0) {
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

  partial(bucket: number): Plain {
    return this.finish(this.numbers.of(bucket), { kind: this.kind, format: this.format });
  }
}

/** What a tuple's values are, behind the word `tuple`. */
type TupleShapes = readonly { readonly kind: KeySource["kind"]; readonly format: ValueFormat }[];

class TupleTerms extends TermsBase implements Aggregator {
  private readonly sources: readonly KeySource[];
  private readonly numbers = new BucketNumbers<string>();
  private readonly batch = new BatchBuffer();

  constructor(spec: TermsSpec, context: AggregationContext, fields: readonly ValuesSpec[]) {
    super(spec, context);
    this.sources = fields.map((field) => keySource(context, field, "multi_terms"));
  }

  open(segment: SegmentContext): LeafCollector {
    const leaf = this.children.open(segment);
    const readers = this.sources.map((source) => source.open(segment));
    const { batch, numbers } = this;
    return {
      collect: (docs, buckets, count, scores) => {
        batch.count = 0;
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const owner = buckets === undefined ? 0 : (buckets[i] as number);
          for (const tuple of tuplesOf(readers, doc))
            batch.add(
              doc,
              numbers.number(owner, encodeTuple(tuple)),
              scores === undefined ? 0 : (scores[i] as number),
            );
        }
        const counts = this.counts.reserve(numbers.size);
        for (let i = 0; i < batch.count; i += 1) {
          const bucket = batch.buckets[i] as number;
          counts[bucket] = (counts[bucket] as number) + 1;
        }
        if (!this.children.isEmpty && batch.count > 0) {
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

  partial(bucket: number): Plain {
    const shapes: TupleShapes = this.sources.map(({ kind, format }) => ({ kind, format }));
    return this.finish(this.numbers.of(bucket), {
      kind: "string",
      format: `tuple${JSON.stringify(shapes)}`,
    });
  }
}

function tuplesOf(
  readers: readonly ReturnType<KeySource["open"]>[],
  doc: number,
): readonly (readonly Key[])[] {
  let tuples: readonly (readonly Key[])[] = [[]];
  for (const read of readers) {
    const keys = read?.(doc) ?? [];
    tuples = tuples.flatMap((tuple) => keys.map((key) => [...tuple, key]));
  }
  return tuples;
}

interface NumberChoice {
  readonly field: NumberSource["field"];
  readonly isDouble: boolean;
  readonly spec: ValuesSpec;
  readonly nowMs: number;
}

/** The key that a value of `include` or `exclude` means, as text. */
function canonicalNumber(text: string, { field, isDouble, spec, nowMs }: NumberChoice): string {
  if (field?.family === "boolean") return text === "true" ? "1" : text === "false" ? "0" : text;
  if (field?.family === "date") {
    const format = spec.format === undefined ? field.dateFormat : dateFormatOf(spec.format);
    if (format !== undefined) return String(parseDateMath(text, format, { nowMs }).ms);
  }
  if (!isDouble && /^-?\d+$/.test(text)) return String(BigInt(text));
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return String(number);
  throw new OperationError({
    type: "number_format_exception",
    reason: `For input string: "${text}"`,
    status: 400,
  });
}

// ------------------------------------------------------------------------------------------ reduction

/** Whole numbers of one index and fractions of another meet as doubles. */
function asDoubles(partials: readonly TermsPartial[]): readonly TermsPartial[] {
  const kinds = new Set(partials.map(({ kind }) => kind));
  if (!kinds.has("double") || kinds.size === 1) return partials;
  return partials.map((partial) => ({
    ...partial,
    kind: partial.kind === "long" ? "double" : partial.kind,
    buckets: partial.buckets.map((bucket) =>
      typeof bucket.k === "bigint" ? { ...bucket, k: Number(bucket.k) } : bucket,
    ),
  }));
}

function reduceTerms(spec: TermsSpec, partials: readonly Plain[], context: ReduceContext): Plain {
  const all = partials.filter((partial) => partial !== undefined) as unknown as TermsPartial[];
  const mapped = asDoubles(all.filter(({ kind }) => kind !== "unmapped"));
  const tree = spec.head.children;
  const merged = new Map<
    string,
    { key: BucketKey; count: number; error: number; children: (readonly Plain[])[] }
  >();
  let other = 0;
  let totalError = 0;
  const shardErrors = mapped.map((partial) => errorOf(partial, spec.order));
  for (const [shard, partial] of mapped.entries()) {
    const error = shardErrors[shard] ?? 0;
    totalError = totalError === -1 || error === -1 ? -1 : totalError + error;
    other += partial.other;
    for (const bucket of partial.buckets) {
      const id = `${typeof bucket.k}:${bucket.k}`;
      const known = merged.get(id);
      const entry = known ?? { key: bucket.k, count: 0, error: 0, children: [] };
      if (known === undefined) merged.set(id, entry);
      entry.count += bucket.n;
      // A shard that lists the term knows its count; the others may hide up to their error.
      entry.error += (bucket.e ?? 0) - error;
      entry.children.push(bucket.c);
    }
  }
  const reduced = [...merged.values()].map((entry): ReducedBucket & { readonly error: number } => ({
    key: entry.key,
    count: entry.count,
    error: totalError === -1 ? -1 : entry.error + totalError,
    children: reduceChildren(tree, entry.children, context),
  }));
  const kept = context.isFinal ? reduced.filter(({ count }) => count >= spec.minDocCount) : reduced;
  kept.sort(reducedComparator(spec.order, tree));
  const limit = context.isFinal
    ? spec.size
    : Math.max(spec.size, mapped[0]?.shardSize ?? spec.size);
  const best = kept.slice(0, limit);
  for (const { count } of kept.slice(limit)) other += count;
  if (context.isFinal) context.addBuckets(best.length);
  const kind = mapped[0]?.kind ?? "unmapped";
  const format = mapped.find((one) => one.format !== RAW)?.format ?? RAW;
  const piped = context.isFinal
    ? applyParentPipelines(
        tree,
        best.map((bucket) => ({ ...bucket, keyText: keyTextOf(bucket.key, { kind, format }) })),
      )
    : best;
  const partial: TermsPartial = {
    kind,
    format,
    other,
    error: totalError === -1 ? -1 : all.length === 1 ? 0 : totalError,
    shardSize: mapped[0]?.shardSize ?? spec.size,
    buckets: piped.map(({ key, count, error, children }) => ({
      k: key,
      n: count,
      c: children,
      e: all.length === 1 && totalError !== -1 ? 0 : error,
    })),
  };
  return partial as unknown as Plain;
}

function keyTextOf(
  key: BucketKey,
  { kind, format }: Pick<TermsPartial, "kind" | "format">,
): string {
  if (typeof key === "string") return format.startsWith("tuple") ? tupleText(key, format) : key;
  const text = formatNumber(Number(key), format);
  return text ?? (kind === "double" ? javaDouble(Number(key)) : String(key));
}

/** How many documents of an unlisted term a shard may hide. */
function errorOf(partial: TermsPartial, order: readonly OrderKey[]): number {
  const { buckets } = partial;
  if (buckets.length === 0 || buckets.length < partial.shardSize || isKeyOrder(order)) return 0;
  if (!isCountDescending(order)) return -1;
  return partial.error > 0 ? partial.error : (buckets.at(-1)?.n ?? 0);
}

function renderTerms(
  spec: TermsSpec,
  partial: TermsPartial,
  options: RenderOptions,
): { [key: string]: Printable } {
  return {
    doc_count_error_upper_bound: partial.error,
    sum_other_doc_count: partial.other,
    buckets: partial.buckets.map((bucket) => ({
      ...renderKey(bucket.k, partial),
      doc_count: bucket.n,
      ...(spec.showsError ? { doc_count_error_upper_bound: bucket.e ?? 0 } : {}),
      ...renderChildren(spec.head.children, bucket.c, options),
    })),
  };
}

function tupleText(key: string, format: ValueFormat): string {
  const shapes = JSON.parse(format.slice(5)) as TupleShapes;
  return decodeTuple(key)
    .map((part, i) => keyText(part, shapes[i]?.kind ?? "string", shapes[i]?.format ?? RAW))
    .join("|");
}

/** Dates print in their format; other values as they are. */
function renderTuple(key: string, format: ValueFormat): { [key: string]: Printable } {
  const shapes = JSON.parse(format.slice(5)) as TupleShapes;
  const parts = decodeTuple(key).map((part, i): Printable => {
    const shape = shapes[i] ?? { kind: "string", format: RAW };
    return shape.format.startsWith("date|")
      ? keyText(part, shape.kind, shape.format)
      : printKey(part, shape.kind, shape.format);
  });
  return { key: parts, key_as_string: tupleText(key, format) };
}

function renderKey(key: BucketKey, { kind, format }: TermsPartial): { [key: string]: Printable } {
  if (typeof key === "string" && format.startsWith("tuple")) return renderTuple(key, format);
  if (typeof key === "string")
    return {
      key: format === "ip" ? formatIp(Uint8Array.from(key, (char) => char.charCodeAt(0))) : key,
    };
  if (kind === "string") return { key };
  const text = formatNumber(Number(key), format);
  if (kind === "double")
    return text === undefined
      ? { key: double(Number(key)) }
      : { key: double(Number(key)), key_as_string: text };
  return text === undefined ? { key } : { key, key_as_string: text };
}
