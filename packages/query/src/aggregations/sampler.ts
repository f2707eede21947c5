/**
 * `sampler` and `diversified_sampler`: sub-aggregations over the best-scored documents of each
 * shard. Candidates are kept until all segments have been collected; then the best are replayed
 * into the sub-aggregations. Source: `BestDocsDeferringCollector`, `DiversifiedAggregatorFactory`.
 */
import { defineBuckets } from "./define.ts";
import { checkHitCount } from "../queries/inner-hits.ts";
import { OperationError, illegalArgument } from "@orrery/stdx";
import { parsingError, members, intOf } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { createChildren } from "./children.ts";
import { BatchBuffer } from "./growable.ts";
import { keySource, type Key } from "./key-source.ts";
import { Options } from "./options.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import { singleResult, type SinglePartial } from "./single-bucket.ts";
import type { ValuesSpec } from "./values.ts";

interface SamplerSpec {
  readonly shardSize: number;
  /** The field of which no value may have more than `most` documents; `undefined`: no limit. */
  readonly diverse: { readonly values: ValuesSpec; readonly most: number } | undefined;
}

/** Parses a `sampler` aggregation. */
export function parseSampler(head: AggregationHead, at: Cursor): Aggregation {
  checkShardSize(head, at);
  const options = new Options(at, "sampler", ["shard_size"], true);
  return samplerAggregation(head, {
    shardSize: options.read("shard_size", intOf, 100),
    diverse: undefined,
  });
}

/** Parses a `diversified_sampler` aggregation. */
export function parseDiversifiedSampler(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "diversified_sampler", [
    "shard_size",
    "max_docs_per_value",
    "execution_hint",
  ]);
  const notNegative = (shown: string) => (member: Cursor) => {
    const value = intOf(member);
    if (value >= 0) return value;
    throw illegalArgument(
      `[${shown}] must be greater than or equal to 0. Found [${value}] in [${head.name}]`,
    );
  };
  const most = options.read("max_docs_per_value", notNegative("maxDocsPerValue"), 1);
  const shardSize = options.read("shard_size", notNegative("shardSize"), 100);
  return samplerAggregation(head, {
    shardSize,
    diverse: { values: options.values(), most },
  });
}

/** The product's parser of this aggregation examines the token before the name. */
function checkShardSize(head: AggregationHead, at: Cursor): void {
  for (const [name, member] of members(at)) {
    const isKnown = name === "shard_size";
    if (isKnown && typeof member.json === "number") continue;
    if (isKnown && typeof member.json === "bigint") continue;
    throw parsingError(member, `Unsupported property "${name}" for aggregation "${head.name}`);
  }
}

/** The error for a sampler without sub-aggregations. */
function childless(): OperationError {
  const reason = "Sampler aggregation must be used with child aggregations.";
  return new OperationError({ type: "aggregation_execution_exception", reason, status: 500 });
}

/** The bucket has scores even if nothing else of the request reads them. */
function samplerAggregation(head: AggregationHead, spec: SamplerSpec): Aggregation {
  return defineBuckets<SinglePartial>(head, {
    ...singleResult(head),
    needsScores: true,
    create: (context) => new Sampler(head, spec, context),
    typedName: () => "sampler",
  });
}

/** A document that may be chosen; `key` is its value of the field. */
interface Candidate {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
  readonly key: Key | undefined;
}

/** Memory and steps of a candidate. */
const CANDIDATE_BYTES = 80;
const CANDIDATE_STEPS = 20;

/** Candidates by bucket of the parent. */
class Sampler implements Aggregator<SinglePartial> {
  private readonly spec: SamplerSpec;
  private readonly context: AggregationContext;
  private readonly children: ReturnType<typeof createChildren>;
  private readonly source: ReturnType<typeof keySource> | undefined;
  private readonly candidates: (Candidate[] | undefined)[] = [];
  private counts: readonly number[] | undefined;

  constructor(head: AggregationHead, spec: SamplerSpec, context: AggregationContext) {
    if (head.children.length === 0) throw childless();
    checkHitCount(spec.shardSize);
    this.spec = spec;
    this.context = context;
    this.children = createChildren(head.children, context);
    this.source =
      spec.diverse === undefined
        ? undefined
        : keySource(context, spec.diverse.values, "diversified_sampler");
  }

  open(segment: SegmentContext): ReturnType<Aggregator["open"]> {
    const read = this.source?.open(segment);
    const { budget } = this.context;
    return {
      collect: (docs, buckets, count, scores) => {
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const bucket = buckets === undefined ? 0 : (buckets[i] as number);
          const list = this.candidates[bucket] ?? [];
          this.candidates[bucket] = list;
          budget.hold(CANDIDATE_BYTES);
          budget.step(CANDIDATE_STEPS);
          list.push({
            segment: segment.ord,
            doc,
            score: scores === undefined ? 0 : (scores[i] as number),
            key: this.keyOf(read, doc),
          });
          // The list is cut when it is several times too long: sorting it for each document would
          // cost more than the memory.
          if (list.length > this.spec.shardSize * 4 + 1000) {
            const best = this.best(list);
            budget.hold((best.length - list.length) * CANDIDATE_BYTES);
            this.candidates[bucket] = best;
          }
        }
      },
    };
  }

  /**
   * The value of the field; `undefined`: the document has none.
   * @throws OperationError 400 for several values
   */
  private keyOf(read: ((doc: number) => readonly Key[]) | undefined, doc: number): Key | undefined {
    const keys = read?.(doc) ?? [];
    if (keys.length > 1) {
      throw illegalArgument("Sample diversifying key must be a single valued-field");
    }
    return keys[0];
  }

  /**
   * The best documents of a list: by score, then in index order; with a field, skipping those whose
   * value has enough documents.
   */
  private best(list: readonly Candidate[]): Candidate[] {
    const { shardSize, diverse } = this.spec;
    const sorted = list.toSorted(
      (a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc,
    );
    if (diverse === undefined) return sorted.slice(0, shardSize);
    const kept: Candidate[] = [];
    const seen = new Map<Key, number>();
    // Documents without a value count as documents of the least value, as the product's.
    const first = sorted.reduce<Key | undefined>(
      (least, { key }) => (key !== undefined && (least === undefined || key < least) ? key : least),
      undefined,
    );
    for (const candidate of sorted) {
      if (kept.length === shardSize) break;
      const key = candidate.key ?? first ?? 0;
      const count = seen.get(key) ?? 0;
      if (count >= diverse.most) continue;
      seen.set(key, count + 1);
      kept.push(candidate);
    }
    return kept;
  }

  /**
   * Collects the chosen documents of all buckets into the sub-aggregations, segment by segment in
   * ascending order; returns the number of documents by bucket. Runs once, when the first partial
   * is asked for.
   */
  private replay(): readonly number[] {
    // `Array.from` visits holes: a bucket without documents has no list.
    const chosen = Array.from(this.candidates, (list = []) => this.best(list));
    const bySegment = new Map<number, { doc: number; bucket: number; score: number }[]>();
    for (const [bucket, list] of chosen.entries()) {
      for (const { segment, doc, score } of list) {
        const entries = bySegment.get(segment) ?? [];
        bySegment.set(segment, entries);
        entries.push({ doc, bucket, score });
      }
    }
    for (const segment of this.context.build.searcher.segments) {
      const entries = bySegment.get(segment.ord)?.toSorted((a, b) => a.doc - b.doc) ?? [];
      if (entries.length === 0 || this.children.isEmpty) continue;
      const leaf = this.children.open(segment);
      const batch = new BatchBuffer(this.context.budget);
      for (const { doc, bucket, score } of entries) batch.add(doc, bucket, score);
      leaf.collect(batch.docs, batch.buckets, batch.count, batch.scores);
    }
    return chosen.map((list) => list.length);
  }

  partial(bucket: number): SinglePartial {
    this.counts ??= this.replay();
    return { n: this.counts[bucket] ?? 0, c: this.children.partials(bucket) };
  }
}
