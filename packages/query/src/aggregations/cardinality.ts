/**
 * `cardinality`: the number of distinct values, exact up to `precision_threshold` and estimated
 * above it. Source: `CardinalityAggregator`.
 */
import { javaText, illegalArgument, utf8Encode } from "@orrery/stdx";
import type { OrdinalColumn } from "@orrery/segment";
import { longOf } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { CompiledField } from "../language/field-type.ts";
import type { Script } from "../language/script.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { scriptLookup } from "../scripts/doc-values.ts";
import { defineMetric } from "./define.ts";
import { hashBytes, hashNumber, termHashes } from "./hashes.ts";
import { DistinctCounter } from "./hyper-log-log.ts";
import { Options } from "./options.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
  LeafCollector,
} from "../language/aggregation.ts";
import { eachValue, openScript, textsOf } from "./script-values.ts";
import { numberSource, scriptedField, type ValuesSpec } from "./values.ts";

/** Highest `precision_threshold`; higher ones count as this. */
const MAX_THRESHOLD = 40_000;

/** Bytes of a counter without values. */
const COUNTER_BYTES = 256;

/** Bytes of a hash in a partial. */
const HASH_BYTES = 16;

/** Hashes up to the threshold, registers above it. */
type Distinct = ReturnType<DistinctCounter["partial"]>;

/** Parses a `cardinality` aggregation. */
export function parseCardinality(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "cardinality", [
    "precision_threshold",
    "rehash",
    "execution_hint",
  ]);
  const spec = options.values();
  const threshold = options.read(
    "precision_threshold",
    (cursor) => {
      const value = longOf(cursor);
      if (value < 0)
        throw illegalArgument(
          `[precisionThreshold] must be greater than or equal to 0. Found [${value}] in [${head.name}]`,
        );
      return Math.min(value, MAX_THRESHOLD);
    },
    3000,
  );
  return defineMetric<Distinct>(head, {
    create: (context) => new CardinalityAggregator(context, spec, threshold),
    reduce: (partials) => {
      const [only] = partials;
      if (partials.length === 1 && only !== undefined) return only;
      const counter = new DistinctCounter(threshold);
      for (const partial of partials) counter.merge(partial);
      return counter.partial();
    },
    metric: (reduced) => countOf(reduced, threshold),
    render: (reduced) => ({ value: countOf(reduced, threshold) }),
  });
}

/** The number of distinct values of a partial. */
function countOf(reduced: Distinct, threshold: number): number {
  if (Array.isArray(reduced) && reduced.length <= threshold) return reduced.length;
  const counter = new DistinctCounter(threshold);
  counter.merge(reduced);
  return counter.count();
}

/** A counter for each bucket of the parent with documents. */
class CardinalityAggregator implements Aggregator<Distinct> {
  private readonly counters: (DistinctCounter | undefined)[] = [];
  private readonly context: AggregationContext;
  private readonly spec: ValuesSpec;
  private readonly threshold: number;
  private readonly field: CompiledField | undefined;

  constructor(context: AggregationContext, spec: ValuesSpec, threshold: number) {
    this.context = context;
    this.spec = spec;
    this.threshold = threshold;
    this.field = scriptedField(context, spec);
  }

  private counter(bucket: number): DistinctCounter {
    let counter = this.counters[bucket];
    if (counter === undefined) {
      this.context.budget.hold(COUNTER_BYTES);
      counter = new DistinctCounter(this.threshold, this.context.budget);
      this.counters[bucket] = counter;
    }
    return counter;
  }

  open(segment: Parameters<Aggregator["open"]>[0]): LeafCollector {
    const { field } = this;
    if (this.spec.script !== undefined && field?.values.kind === "terms")
      return this.scripted(segment, this.spec.script, field);
    if (field?.name === "_index")
      return this.constant(hashBytes(utf8Encode(this.context.build.searcher.view.index)));
    if (field === undefined && typeof this.spec.missing === "string") {
      return this.constant(hashBytes(utf8Encode(this.spec.missing)));
    }
    if (field !== undefined && field.values.kind === "terms") {
      const column = segment.reader.ordinals(field.aliasOf ?? field.name);
      const { missing } = this.spec;
      const fallback = missing === undefined ? undefined : hashBytes(utf8Encode(javaText(missing)));
      if (column === undefined)
        return fallback === undefined ? { collect: () => {} } : this.constant(fallback);
      return this.terms(column, fallback);
    }
    const leaf = numberSource(this.context, this.spec, "cardinality").open(segment);
    if (leaf === undefined) return { collect: () => {} };
    return {
      collect: (docs, buckets, count) => {
        for (let i = 0; i < count; i += 1) {
          const found = leaf.read(docs[i] as number);
          if (found === 0) continue;
          const counter = this.counter(buckets === undefined ? 0 : (buckets[i] as number));
          for (let v = 0; v < found; v += 1) counter.add(hashNumber(leaf.buffer[v] as number));
        }
      },
    };
  }

  /** Counts the values that a script gives for texts and booleans. */
  private scripted(segment: SegmentContext, script: Script, field: CompiledField): LeafCollector {
    const run = openScript(this.context, script)(segment);
    const values = scriptLookup(this.context.build.searcher).values(field)(segment);
    return {
      collect: (docs, buckets, count) => {
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const texts: string[] = [];
          eachValue(values, doc, (value) => textsOf(run(doc, value), texts));
          const counter = this.counter(buckets === undefined ? 0 : (buckets[i] as number));
          for (const text of texts) counter.add(hashBytes(utf8Encode(text)));
        }
      },
    };
  }

  /** Counts one value for every document. */
  private constant(hash: number): LeafCollector {
    return {
      collect: (_docs, buckets, count) => {
        for (let i = 0; i < count; i += 1)
          this.counter(buckets === undefined ? 0 : (buckets[i] as number)).add(hash);
      },
    };
  }

  /**
   * Counts terms by their ordinals. At the top a bit for each ordinal keeps terms from being hashed
   * into the counter twice; below buckets the counter itself does.
   */
  private terms(column: OrdinalColumn, fallback: number | undefined): LeafCollector {
    const { hashes, packed, packedByDoc } = termHashes(column);
    const seen = new Uint8Array(column.dictionary.size);
    const { ords } = column;
    const { budget } = this.context;
    return {
      collect: (docs, buckets, count) => {
        if (buckets === undefined && column.isDense) {
          const counter = this.counter(0);
          if (packedByDoc !== undefined && counter.addDocs(packedByDoc, docs, count)) return;
          for (let i = 0; i < count; i += 1) {
            const ord = ords[docs[i] as number] as number;
            if (seen[ord] === 1) continue;
            seen[ord] = 1;
            counter.addPacked(hashes[ord] as number, packed[ord] as number);
          }
          return;
        }
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const start = column.isDense ? doc : column.start(doc);
          const end = column.isDense ? doc + 1 : column.end(doc);
          if (start === end && fallback !== undefined)
            this.counter(buckets === undefined ? 0 : (buckets[i] as number)).add(fallback);
          budget.step(end - start);
          for (let at = start; at < end; at += 1) {
            const ord = ords[at] as number;
            if (buckets === undefined) {
              if (seen[ord] === 1) continue;
              seen[ord] = 1;
              this.counter(0).add(hashes[ord] as number);
            } else {
              this.counter(buckets[i] as number).add(hashes[ord] as number);
            }
          }
        }
      },
    };
  }

  partial(bucket: number): Distinct {
    const partial = this.counters[bucket]?.partial() ?? [];
    this.context.budget.hold(partial.length * (Array.isArray(partial) ? HASH_BYTES : 2));
    return partial;
  }

  metric(bucket: number): number {
    return this.counters[bucket]?.count() ?? 0;
  }
}
