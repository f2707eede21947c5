/** `terms` over numbers, dates and booleans. Source: `NumericTermsAggregator`. */
import { integerOf } from "../json/exact-json.ts";
import { forInputString, OperationError } from "@orrery/stdx";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf } from "../dates/format.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { BucketNumbers } from "./bucket-numbers.ts";
import { BatchBuffer } from "./growable.ts";
import { TermsBase } from "./terms-base.ts";
import type { KeyFilter } from "./terms-filter.ts";
import type { KeyKind, TermsPartial, TermsSpec } from "./terms-spec.ts";
import type { AggregationContext, Aggregator, LeafCollector } from "../language/aggregation.ts";
import { formatOf, termFormat, type ValueFormat } from "./value-format.ts";
import { numberSource, type NumberSource, unmappedFormat, type ValuesSpec } from "./values.ts";

/** Steps of the budget for a number that `include` and `exclude` examine. */
const FILTER_STEPS = 20;

/**
 * The aggregator of `terms` over numbers. A bucket belongs to a value; a document with several
 * equal values counts once.
 */
export class NumberTerms extends TermsBase implements Aggregator<TermsPartial> {
  private readonly source: ReturnType<typeof numberSource>;
  private readonly numbers = new BucketNumbers<number | bigint>(this.children);
  private readonly batch = new BatchBuffer(this.context.budget);
  private readonly kind: KeyKind;
  private readonly format: ValueFormat;
  private readonly filter: KeyFilter | undefined;
  /** The integer parts of a script's numbers are the keys. */
  private readonly isLong: boolean;

  constructor(spec: TermsSpec, context: AggregationContext) {
    super(spec, context);
    this.source = numberSource(context, spec.values, "terms");
    const { field } = this.source;
    const { format, timeZone, valueType } = spec.values;
    const isDouble =
      field !== undefined && field.values.kind === "numbers" && !field.values.isInteger;
    const isBoolean =
      termFormat(field) === "boolean" || (field === undefined && valueType === "boolean");
    const isScripted = spec.values.script !== undefined && field !== undefined;
    this.isLong = spec.values.script !== undefined && !isScripted && valueType !== "double";
    const givesDoubles = isDouble || isScripted || valueType === "double";
    this.kind = givesDoubles ? "double" : isBoolean ? "boolean" : "long";
    this.format =
      field === undefined ? unmappedFormat(spec.values) : formatOf(field, format, timeZone);
    this.filter = spec.filter?.filter(context.build.mapping.settings, (text) =>
      canonicalNumber(text, { field, isDouble, spec: spec.values, nowMs: context.build.nowMs }),
    );
  }

  open(segment: SegmentContext): LeafCollector {
    const leaf = this.children.open(segment);
    const values = this.source.open(segment);
    if (values === undefined) return { collect: () => {} };
    // Keys of dates are milliseconds, of `date_nanos` as well.
    const fieldValues = this.source.field?.values;
    const isNanos = fieldValues?.kind === "numbers" && fieldValues.isNanos === true;
    const exact = isNanos ? undefined : this.source.exact?.(segment);
    const { batch, numbers, filter } = this;
    const { budget } = this.context;
    const accepts = (key: number | bigint): boolean => {
      if (filter === undefined) return true;
      budget.step(FILTER_STEPS);
      return filter(String(key));
    };
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
          // Values ascend, so equal keys are neighbours.
          for (const value of exact?.(doc) ?? values.buffer.subarray(0, values.read(doc))) {
            const key = isNanos
              ? Math.floor(Number(value))
              : this.isLong
                ? Math.trunc(Number(value))
                : value;
            if (key === last || !accepts(key)) continue;
            last = key;
            batch.add(doc, numbers.number(owner, key), score);
          }
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
    return this.finish(this.numbers.of(bucket), { kind: this.kind, format: this.format });
  }
}

/** The field and format by which a value of the request is read. */
interface NumberChoice {
  readonly field: NumberSource["field"];
  readonly isDouble: boolean;
  readonly spec: ValuesSpec;
  readonly nowMs: number;
}

/**
 * The key for which a value of `include` or `exclude` stands, as text.
 * @throws OperationError 400 `number_format_exception`
 */
function canonicalNumber(text: string, { field, isDouble, spec, nowMs }: NumberChoice): string {
  if (termFormat(field) === "boolean") return text === "true" ? "1" : text === "false" ? "0" : text;
  if (field?.dateFormat !== undefined) {
    const format = spec.format === undefined ? field.dateFormat : dateFormatOf(spec.format);
    return String(parseDateMath(text, format, { nowMs }).ms);
  }
  if (!isDouble && /^-?\d+$/.test(text)) return String(integerOf(text));
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return String(number);
  throw new OperationError({
    type: "number_format_exception",
    reason: forInputString(text),
    status: 400,
  });
}
