/**
 * `multi_terms`: a bucket for each combination of several fields' values, whose key is the tuple
 * encoded as a string. Source: `MultiTermsAggregator`.
 */
import { illegalArgument } from "@orrery/stdx";
import type { Cursor } from "../language/cursor.ts";
import { items } from "../body/cursor.ts";
import type { Budget } from "../work/budget.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { BucketNumbers } from "./bucket-numbers.ts";
import { BatchBuffer } from "./growable.ts";
import { type Key, keySource, type KeySource } from "./key-source.ts";
import { Options } from "./options.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
  LeafCollector,
} from "../language/aggregation.ts";
import { termsAggregation } from "./terms-aggregation.ts";
import { TermsBase } from "./terms-base.ts";
import {
  BUCKET_OPTIONS,
  parseBuckets,
  type TermsPartial,
  type TermsSpec,
  type TupleShapes,
} from "./terms-spec.ts";
import { COMBINATION_STEPS, encodeTuple } from "./tuple-keys.ts";
import type { ValuesSpec } from "./values.ts";

/** The source of values that `terms` would have. */
const NO_VALUES: ValuesSpec = {
  field: undefined,
  missing: undefined,
  format: undefined,
  valueType: undefined,
  timeZone: undefined,
};

/** Parses a `multi_terms` aggregation. */
export function parseMultiTerms(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "multi_terms", [...BUCKET_OPTIONS, "terms"], true);
  if (!options.has("terms")) throw illegalArgument("Required [terms]");
  const fields = options.read("terms", (cursor) => fieldsOf(cursor, head.name), []);
  const spec: TermsSpec = { ...parseBuckets(head, options), filter: undefined, values: NO_VALUES };
  const aggregation = termsAggregation(spec, (context) => new TupleTerms(spec, context, fields));
  return { ...aggregation, typedName: () => "multi_terms" };
}

function fieldsOf(at: Cursor, aggregation: string): ValuesSpec[] {
  const fields = items(at).map((item) => new Options(item, "multi_terms", []).values());
  if (fields.length >= 2) return fields;
  const hint = fields.length === 1 ? " Use terms aggregation for single term aggregation" : "";
  throw illegalArgument(
    `multi term aggregation must has at least 2 terms. Found [${fields.length}] in [${aggregation}]${hint}`,
  );
}

/** Counts by encoded tuple. */
class TupleTerms extends TermsBase implements Aggregator<TermsPartial> {
  private readonly sources: readonly KeySource[];
  private readonly numbers = new BucketNumbers<string>(this.children);
  private readonly batch = new BatchBuffer(this.context.budget);

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
          for (const tuple of tuplesOf(readers, doc, this.context.budget))
            batch.add(
              doc,
              numbers.number(owner, encodeTuple(tuple)),
              scores === undefined ? 0 : (scores[i] as number),
            );
        }
        batch.countInto(this.counts, numbers.size);
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

  partial(bucket: number): TermsPartial {
    const shapes: TupleShapes = this.sources.map(({ kind, format }) => ({ kind, format }));
    return this.finish(this.numbers.of(bucket), {
      kind: "string",
      format: `tuple${JSON.stringify(shapes)}`,
    });
  }
}

/**
 * All combinations of the values of a document: none if one field has no value. Their number is a
 * product, so each step is charged before it is made.
 */
function tuplesOf(
  readers: readonly ReturnType<KeySource["open"]>[],
  doc: number,
  budget: Budget,
): readonly (readonly Key[])[] {
  let tuples: readonly (readonly Key[])[] = [[]];
  for (const [length, read] of readers.entries()) {
    const keys = read?.(doc) ?? [];
    // The keys before it are copied.
    budget.step(tuples.length * keys.length * (COMBINATION_STEPS + length));
    tuples = tuples.flatMap((tuple) => keys.map((key) => [...tuple, key]));
  }
  return tuples;
}
