/** `weighted_avg`: the mean of one field weighted by another. Source: `WeightedAvgAggregator`. */
import { illegalArgument, isJsonObject, OperationError } from "@orrery/stdx";
import { double } from "../json/json-text.ts";
import { child } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { defineMetric } from "./define.ts";
import { maxBucket } from "./growable.ts";
import { Options } from "./options.ts";
import type { AggregationHead, Aggregation } from "../language/aggregation.ts";
import { compensatedSum, Sums } from "./sums.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { numberSource } from "./values.ts";

/** Sum of values times weights, and sum of weights. */
interface WeightedSum {
  readonly sum: number;
  readonly weight: number;
  readonly format: ValueFormat;
}

/** The error for a document with several weights: which value each belongs to is unknown. */
function severalWeights(): OperationError {
  const reason =
    "Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.";
  return new OperationError({ type: "aggregation_execution_exception", reason, status: 500 });
}

/** Parses a `weighted_avg` aggregation. Documents that lack the value or the weight are skipped. */
export function parseWeightedAverage(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "weighted_avg", ["value", "weight"]);
  const part = (name: string): ReturnType<Options["values"]> => {
    if (!isJsonObject(child(at, name).json)) throw illegalArgument(`Required [${name}]`);
    return new Options(child(at, name), "weighted_avg", []).values();
  };
  const values = part("value");
  const weights = part("weight");
  const format = options.text("format");
  return defineMetric<WeightedSum>(head, {
    create: (context) => {
      const valueSource = numberSource(context, values, "weighted_avg");
      const weightSource = numberSource(context, weights, "weighted_avg");
      const sums = new Sums();
      const totals = new Sums();
      const shown = formatOf(valueSource.field, format ?? values.format, values.timeZone);
      return {
        open: (segment) => {
          const value = valueSource.open(segment);
          const weight = weightSource.open(segment);
          if (value === undefined || weight === undefined) return { collect: () => {} };
          return {
            collect: (docs, buckets, count) => {
              const most = maxBucket(buckets, count);
              sums.reserve(most);
              totals.reserve(most);
              for (let i = 0; i < count; i += 1) {
                const doc = docs[i] as number;
                const bucket = buckets === undefined ? 0 : (buckets[i] as number);
                const found = value.read(doc);
                const weighted = weight.read(doc);
                if (found === 0 || weighted === 0) continue;
                if (weighted > 1) {
                  throw severalWeights();
                }
                const factor = weight.buffer[0] as number;
                for (let v = 0; v < found; v += 1) {
                  sums.add(bucket, (value.buffer[v] as number) * factor);
                  totals.add(bucket, factor);
                }
              }
            },
          };
        },
        partial: (bucket) => ({ sum: sums.get(bucket), weight: totals.get(bucket), format: shown }),
        metric: (bucket) => sums.get(bucket) / totals.get(bucket),
      };
    },
    reduce: (partials) => ({
      sum: compensatedSum(partials.map(({ sum }) => sum)),
      weight: compensatedSum(partials.map(({ weight }) => weight)),
      format: partials.find((one) => one.format !== RAW)?.format ?? RAW,
    }),
    metric: ({ sum, weight }) => sum / weight,
    render: ({ sum, weight, format: shown }) => {
      if (weight === 0) return { value: null };
      return { value: double(sum / weight), value_as_string: formatNumber(sum / weight, shown) };
    },
  });
}
