/**
 * `significant_terms` and `significant_text`: terms that occur more often in the hits (the subset)
 * than in the background (the superset). Source: `SignificantTermsAggregatorFactory`,
 * `InternalSignificantTerms`.
 *
 * Each shard counts the terms of its hits and looks up their background counts, then returns its
 * best; the reduction adds both counts by term and scores anew.
 */
import { illegalArgument, utf8Decode, utf8Encode } from "@orrery/stdx";
import { valuesAt } from "../source/source-values.ts";
import { double, lazyItems } from "../json/json-text.ts";
import { treeText, readJson } from "../json/exact-json.ts";
import type { CompiledField } from "../language/field-type.ts";
import { items, members, scalarText, unknownField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { buildRoot, fieldOf } from "../queries/query.ts";
import type { Query } from "../language/query.ts";
import { emptyWords, hasBit } from "../execution/bits.ts";
import type { Budget } from "../work/budget.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { bitsOf } from "../execution/weights/filters.ts";
import { weightOf } from "../execution/weights/table.ts";
import type { Plain } from "../json/plain.ts";
import { renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { Doubles, maxBucket } from "./growable.ts";
import { keySource, keyText, printKey, type Key, type KeyKind } from "./key-source.ts";
import { KeyedBuckets } from "./keyed-buckets.ts";
import { Options } from "./options.ts";
import { compareKeys } from "./order.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import { positiveSize } from "./terms-spec.ts";
import { HEURISTICS, jlh, parseHeuristic, type Significance } from "./significance.ts";
import { parseInclude, type KeyChoice } from "./terms-filter.ts";
import { partialOf, reduceBuckets, type BucketRule } from "./reduce-steps.ts";
import { formatNumber, RAW, type ValueFormat } from "./value-format.ts";
import type { ValuesSpec } from "./values.ts";

/** A parsed request; `background` is `undefined` for the whole index. */
interface SignificantSpec {
  readonly size: number;
  readonly shardSize: number | undefined;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly significance: Significance;
  readonly background: Query | undefined;
  readonly filter: KeyChoice | undefined;
}

/** Key, documents in the subset, partials of the sub-aggregations, score. */
interface SignificantBucket {
  readonly k: Key;
  readonly n: number;
  readonly c: readonly Plain[];
  /** Documents of the background that have the term. */
  readonly b: number;
  readonly s: number;
}

/** The result of a shard, or of a reduction; `subset` and `superset` are the sizes of both sets. */
interface SignificantPartial {
  readonly kind: KeyKind | "unmapped";
  readonly format: ValueFormat;
  readonly subset: number;
  readonly superset: number;
  readonly buckets: readonly SignificantBucket[];
}

/** Parameters of both aggregations; heuristics are parameters by their names. */
const OPTIONS = [
  "size",
  "shard_size",
  "min_doc_count",
  "shard_min_doc_count",
  "background_filter",
  "include",
  "exclude",
  "execution_hint",
  ...Object.keys(HEURISTICS),
];

/** Parses a `significant_terms` aggregation. */
export function parseSignificantTerms(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "significant_terms", OPTIONS);
  const spec = parseSpec(head, options);
  const values = options.values();
  return significantAggregation(head, spec, (context) =>
    createTerms(head, spec, { context, values }),
  );
}

/** Parses a `significant_text` aggregation. */
export function parseSignificantText(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "significant_text", [
    ...OPTIONS,
    "source_fields",
    "filter_duplicate_text",
  ]);
  const spec = parseSpec(head, options);
  // Its values are tokens of sources, to which the parameters of other values do not apply.
  for (const [option, member] of members(at)) {
    if (["missing", "format", "value_type", "time_zone", "script"].includes(option))
      throw unknownField(member, head.type, []);
  }
  const name = options.text("field");
  if (name === undefined) throw illegalArgument("Required [field]");
  const paths = options.read("source_fields", (cursor) => items(cursor).map(scalarText), [name]);
  return significantAggregation(head, spec, (context) => {
    const field = fieldOf(context.build, name);
    return field === undefined
      ? unmapped(context)
      : createText(head, spec, { context, field, paths });
  });
}

function parseSpec(head: AggregationHead, options: Options): SignificantSpec {
  const heuristic = Object.keys(HEURISTICS).find((name) => options.has(name));
  const heuristicAt = heuristic === undefined ? undefined : options.cursor(heuristic);
  return {
    size: options.read("size", positiveSize(head, "size"), 10),
    shardSize: options.read<number | undefined>(
      "shard_size",
      positiveSize(head, "shard_size"),
      undefined,
    ),
    minDocCount: options.docCount("min_doc_count", head.name, 3),
    shardMinDocCount: options.docCount("shard_min_doc_count", head.name, 0),
    significance:
      heuristic === undefined || heuristicAt === undefined
        ? jlh
        : parseHeuristic(heuristic, heuristicAt),
    background: options.read<Query | undefined>("background_filter", parseQuery, undefined),
    filter: parseInclude(options.cursor("include"), options.cursor("exclude")),
  };
}

/**
 * Reduction and rendering of both. Terms are cut by their scores, and dropped below
 * `min_doc_count`, only in the final reduction.
 */
function significantAggregation(
  head: AggregationHead,
  spec: SignificantSpec,
  create: (context: AggregationContext) => Aggregator<SignificantPartial>,
): Aggregation {
  return defineBuckets<SignificantPartial>(head, {
    create,
    reduce: (partials, context) => {
      const subset = partials.reduce((total, partial) => total + partial.subset, 0);
      const superset = partials.reduce((total, partial) => total + partial.superset, 0);
      const scored = mergeCounts(partials)
        .map((entry) => ({ ...entry, score: scoreOf(spec, entry, { subset, superset }) }))
        .filter(({ score, count }) => !context.isFinal || (score > 0 && count >= spec.minDocCount));
      const best = scored
        .toSorted(bySignificance)
        .slice(0, context.isFinal ? spec.size : shardSizeOf(spec));
      if (context.isFinal) context.addBuckets(best.length);
      const rule: BucketRule<MergedTerm & { readonly score: number }, SignificantBucket> = {
        partials: ({ children }) => children,
        build: ({ key, count, background, score }, c) => ({
          k: key,
          n: count,
          b: background,
          s: score,
          c,
        }),
      };
      return partialOf(reduceBuckets(head.children, best, rule, context), (buckets) => ({
        kind: partials.find(({ kind }) => kind !== "unmapped")?.kind ?? "unmapped",
        format: partials.find(({ format }) => format !== RAW)?.format ?? RAW,
        subset,
        superset,
        buckets,
      }));
    },
    typedName: ({ kind }) =>
      kind === "unmapped" ? "umsigterms" : kind === "string" ? "sigsterms" : "siglterms",
    bucketsOf: ({ buckets, kind, format }) =>
      buckets.map(({ k, n, c }) => ({
        key: k,
        keyText: keyText(k, kind === "unmapped" ? "string" : kind, format),
        count: n,
        children: c,
      })),
    render: ({ buckets, kind, format, subset, superset }, options) => ({
      doc_count: subset,
      bg_count: superset,
      buckets: lazyItems(buckets, ({ k, n, c, b, s }) => ({
        key: printKey(k, kind === "unmapped" ? "string" : kind, format),
        key_as_string: typeof k === "string" ? undefined : formatNumber(Number(k), format),
        doc_count: n,
        score: double(s),
        bg_count: b,
        ...renderChildren(head.children, c, options),
      })),
    }),
  });
}

/** A term with its counts in the subset and in the background. */
interface CountedTerm {
  readonly key: Key;
  readonly count: number;
  readonly background: number;
}

interface MergedTerm extends CountedTerm {
  readonly children: readonly (readonly Plain[])[];
}

function mergeCounts(partials: readonly SignificantPartial[]): MergedTerm[] {
  const merged = new Map<
    Key,
    { key: Key; count: number; background: number; children: (readonly Plain[])[] }
  >();
  for (const { buckets } of partials) {
    for (const { k, n, c, b } of buckets) {
      const entry = merged.get(k) ?? { key: k, count: 0, background: 0, children: [] };
      merged.set(k, entry);
      entry.count += n;
      entry.background += b;
      entry.children.push(c);
    }
  }
  return [...merged.values()];
}

function scoreOf(
  { significance }: SignificantSpec,
  { count, background }: CountedTerm,
  { subset, superset }: { readonly subset: number; readonly superset: number },
): number {
  return significance({
    subsetFrequency: count,
    subsetSize: subset,
    supersetFrequency: background,
    supersetSize: superset,
  });
}

/**
 * Best first. The product leaves equal scores in the order of a heap, which is mostly descending by
 * key.
 */
function bySignificance(
  a: { readonly score: number; readonly key: Key },
  b: { readonly score: number; readonly key: Key },
): number {
  return b.score - a.score || compareKeys(b.key, a.key);
}

/**
 * Terms that a shard returns: twice the default of `terms`, since scores need counts of many
 * shards.
 */
function shardSizeOf({ size, shardSize }: SignificantSpec): number {
  return shardSize === undefined ? Math.floor(size * 1.5 + 10) * 2 : Math.max(shardSize, size);
}

// ------------------------------------------------------------------------------------------ shard

/** The collector of a shard whose index lacks the field. */
function unmapped({ build }: AggregationContext): Aggregator<SignificantPartial> {
  const partial: SignificantPartial = {
    kind: "unmapped",
    format: RAW,
    subset: 0,
    superset: build.searcher.maxDoc,
    buckets: [],
  };
  return { open: () => ({ collect: () => {} }), partial: () => partial };
}

interface TermsPlace {
  readonly context: AggregationContext;
  readonly values: ValuesSpec;
}

/** The collector of a field with columns. */
function createTerms(
  head: AggregationHead,
  spec: SignificantSpec,
  { context, values }: TermsPlace,
): Aggregator<SignificantPartial> {
  const { build } = context;
  if (fieldOf(build, values.field ?? "") === undefined) return unmapped(context);
  const source = keySource(context, values, "significant_terms");
  let counts: Map<Key, number> | undefined;
  return new SignificantBuckets(head, spec, {
    context,
    kind: source.kind,
    format: source.format,
    read: source.open,
    background: (key, filter) => {
      // One pass over all values when the first term is looked up: terms have no statistics of a
      // filtered background.
      counts ??= countKeys(build.searcher.segments, source.open, {
        filter,
        budget: context.budget,
      });
      return counts.get(key) ?? 0;
    },
  });
}

/** The documents of the background (`undefined`: all), and the budget for counting them. */
interface Background {
  readonly filter: ((segment: SegmentContext) => Int32Array) | undefined;
  readonly budget: Budget;
}

/** Bytes of a counted key; steps of the budget for counting and for looking up one. */
const COUNT_BYTES = 64;
const COUNT_STEPS = 5;
const LOOKUP_STEPS = 40;

/** Number of background documents by key. */
function countKeys(
  segments: readonly SegmentContext[],
  open: ReadKeys,
  { filter, budget }: Background,
): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const segment of segments) {
    const read = open(segment);
    if (read === undefined) continue;
    const allowed = filter?.(segment);
    for (let doc = 0; doc < segment.maxDoc; doc += 1) {
      if (allowed !== undefined && !hasBit(allowed, doc)) continue;
      for (const key of read(doc)) {
        const known = counts.get(key);
        if (known === undefined) budget.hold(COUNT_BYTES);
        budget.step(COUNT_STEPS);
        counts.set(key, (known ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Steps of the budget for a character of a source that is parsed and analyzed. */
const CHARACTER_STEPS = 4;

interface TextPlace {
  readonly context: AggregationContext;
  readonly field: CompiledField;
  readonly paths: readonly string[];
}

/**
 * The collector of a field of text. Texts have no columns, so the terms of a document are analyzed
 * again from its source.
 */
function createText(
  head: AggregationHead,
  spec: SignificantSpec,
  { context, field, paths }: TextPlace,
): Aggregator<SignificantPartial> {
  const { analyzer } = field;
  const { searcher } = context.build;
  const name = field.aliasOf ?? field.name;
  const read: ReadKeys = ({ reader }) => {
    const termsOf = (doc: number): readonly string[] => {
      const source = reader.source(doc);
      if (source === undefined) return [];
      context.budget.step(source.length * CHARACTER_STEPS);
      const tree = readJson(utf8Decode(source), source);
      const terms = new Set<string>();
      for (const path of paths) {
        for (const value of valuesAt(tree, path)) {
          for (const term of analyzer?.terms(treeText(value)) ?? [treeText(value)]) terms.add(term);
        }
      }
      return [...terms];
    };
    // Below other buckets a document comes once for each bucket that holds it, in succession.
    let last = -1;
    let lastTerms: readonly string[] = [];
    return (doc) => {
      if (doc !== last) lastTerms = termsOf(doc);
      last = doc;
      return lastTerms;
    };
  };
  let counts: Map<Key, number> | undefined;
  return new SignificantBuckets(head, spec, {
    context,
    kind: "string",
    format: RAW,
    read,
    background: (key, filter) => {
      if (filter === undefined) return searcher.term(name, utf8Encode(String(key))).docFreq;
      counts ??= countKeys(searcher.segments, read, { filter, budget: context.budget });
      return counts.get(key) ?? 0;
    },
  });
}

/** Opens a segment; the function returned gives the distinct keys of a document. */
type ReadKeys = (segment: SegmentContext) => ((doc: number) => readonly Key[]) | undefined;

/** The keys of one kind of field. */
interface Words {
  readonly context: AggregationContext;
  readonly kind: KeyKind;
  readonly format: ValueFormat;
  readonly read: ReadKeys;
  /**
   * Number of background documents that have the key; `filter` gives the background's bits of a
   * segment, `undefined`: all documents.
   */
  background(key: Key, filter: ((segment: SegmentContext) => Int32Array) | undefined): number;
}

/** The state of either aggregation on a shard. */
class SignificantBuckets implements Aggregator<SignificantPartial> {
  private readonly spec: SignificantSpec;
  private readonly words: Words;
  private readonly buckets: KeyedBuckets<Key>;
  private readonly subsets = new Doubles();
  private superset: number | undefined;
  private readonly accepts: ((key: string) => boolean) | undefined;
  private readonly filter: ((segment: SegmentContext) => Int32Array) | undefined;

  constructor(head: AggregationHead, spec: SignificantSpec, words: Words) {
    this.spec = spec;
    this.words = words;
    this.buckets = new KeyedBuckets(head.children, words.context);
    this.accepts = spec.filter?.filter(words.context.build.mapping.settings, String);
    this.filter =
      spec.background === undefined ? undefined : backgroundBits(spec.background, words.context);
  }

  open(segment: SegmentContext): ReturnType<Aggregator["open"]> {
    const read = this.words.read(segment);
    const { accepts, subsets } = this;
    const leaf = this.buckets.open(segment, (doc, put) => {
      for (const key of read?.(doc) ?? [])
        if (accepts === undefined || accepts(String(key))) put(key);
    });
    return {
      collect: (docs, buckets, count, scores) => {
        const sizes = subsets.reserve(maxBucket(buckets, count));
        for (let i = 0; i < count; i += 1) {
          const bucket = buckets === undefined ? 0 : (buckets[i] as number);
          sizes[bucket] = (sizes[bucket] as number) + 1;
        }
        leaf.collect(docs, buckets, count, scores);
      },
    };
  }

  /** Size of the background, computed when the first partial is asked for. */
  private countBackground(): number {
    const { filter } = this;
    const { searcher } = this.words.context.build;
    if (filter === undefined) return searcher.maxDoc;
    return searcher.segments.reduce((total, segment) => total + countBits(filter(segment)), 0);
  }

  partial(owner: number): SignificantPartial {
    const { spec, words, filter } = this;
    const { budget } = words.context;
    const subset = this.subsets.get(owner);
    this.superset ??= this.countBackground();
    const { superset } = this;
    const scored = this.buckets
      .of(owner)
      .filter(({ count }) => count >= spec.shardMinDocCount)
      .map((entry) => {
        budget.step(LOOKUP_STEPS);
        const background = words.background(entry.key, filter);
        return {
          ...entry,
          background,
          score: scoreOf(spec, { ...entry, background }, { subset, superset }),
        };
      });
    const best = scored.toSorted(bySignificance).slice(0, shardSizeOf(spec));
    return {
      kind: words.kind,
      format: words.format,
      subset,
      superset,
      buckets: best.map(({ key, count, background, score, bucket }) => ({
        k: key,
        n: count,
        b: background,
        s: score,
        c: this.buckets.children.partials(bucket),
      })),
    };
  }
}

/** The accepted documents of the background filter, by segment. */
function backgroundBits(
  query: Query,
  { build, plans }: AggregationContext,
): (segment: SegmentContext) => Int32Array {
  const plan = buildRoot(query, build);
  plans.push(plan);
  const weight = weightOf(plan, build.searcher, { needsScores: false });
  const known = new Map<number, Int32Array>();
  return (segment) => {
    const cached = known.get(segment.ord);
    if (cached !== undefined) return cached;
    const words = emptyWords(segment.maxDoc);
    const scorer = weight.scorer(segment);
    if (scorer !== undefined) bitsOf(scorer, words);
    if (segment.accept !== undefined)
      for (let i = 0; i < words.length; i += 1)
        words[i] = (words[i] as number) & (segment.accept[i] as number);
    known.set(segment.ord, words);
    return words;
  };
}

/** Number of set bits: each step clears the lowest one. */
function countBits(words: Int32Array): number {
  let count = 0;
  for (const word of words) {
    let rest = word;
    while (rest !== 0) {
      rest &= rest - 1;
      count += 1;
    }
  }
  return count;
}
