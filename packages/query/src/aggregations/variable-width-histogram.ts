/**
 * `variable_width_histogram`: values clustered around a requested number of centers, by joining the
 * nearest neighbours. Source: `InternalVariableWidthHistogram`. Shards return each distinct value
 * as a cluster.
 */
import { appendAll, illegalArgument } from "@orrery/stdx";
import { double, lazyItems } from "../json/json-text.ts";
import { intOf } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Plain } from "../json/plain.ts";
import { renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { KeyedBuckets } from "./keyed-buckets.ts";
import { Options } from "./options.ts";
import type { AggregationHead, Aggregation } from "../language/aggregation.ts";
import { partialOf, reduceBuckets, type BucketRule } from "./reduce-steps.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { numberSource } from "./values.ts";

/** Values from `min` to `max`: their mean, count and partials. */
interface Cluster {
  readonly min: number;
  readonly max: number;
  /** Mean of the values. */
  readonly k: number;
  readonly n: number;
  readonly c: readonly Plain[];
}

/** Clusters in the order of their means. */
interface VariablePartial {
  readonly format: ValueFormat;
  readonly buckets: readonly Cluster[];
}

/** Parses a `variable_width_histogram` aggregation. */
export function parseVariableWidthHistogram(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "variable_width_histogram", [
    "buckets",
    "shard_size",
    "initial_buffer",
  ]);
  const values = options.values();
  const above = (least: number) => (member: Cursor) => {
    const value = intOf(member);
    if (value > least) return value;
    throw illegalArgument(`${member.key} must be greater than [${least}] for [${head.name}]`);
  };
  const target = options.read("buckets", above(0), 10);
  const shardSize = options.read("shard_size", above(1), target * 50);
  options.read("initial_buffer", above(0), undefined);
  return defineBuckets<VariablePartial>(head, {
    create: (context) => {
      const source = numberSource(context, values, "variable_width_histogram");
      const format = formatOf(source.field, values.format, values.timeZone);
      const buckets = new KeyedBuckets<number>(head.children, context);
      return {
        open: (segment) => {
          const leaf = source.open(segment);
          return buckets.open(segment, (doc, put) => {
            const found = leaf?.read(doc) ?? 0;
            for (let i = 0; i < found; i += 1) put(leaf?.buffer[i] as number);
          });
        },
        partial: (owner) => ({
          format,
          buckets: buckets
            .of(owner)
            .toSorted((a, b) => a.key - b.key)
            .map(({ key, count, bucket }) => ({
              min: key,
              max: key,
              k: key,
              n: count,
              c: buckets.children.partials(bucket),
            })),
        }),
      };
    },
    reduce: (partials, context) => {
      const sorted = partials.flatMap(({ buckets }) => buckets).toSorted((a, b) => a.k - b.k);
      const groups = gather(sorted, context.isFinal ? target : shardSize, shardSize);
      if (context.isFinal) context.addBuckets(groups.length);
      const rule: BucketRule<Group, Cluster> = {
        partials: ({ clusters }) => clusters.map(({ c }) => c),
        build: ({ min, max, sum, count }, c) => ({ min, max, k: sum / count, n: count, c }),
      };
      return partialOf(reduceBuckets(head.children, groups, rule, context), (buckets) => ({
        format: partials.find(({ format }) => format !== RAW)?.format ?? RAW,
        buckets,
      }));
    },
    bucketsOf: ({ buckets, format }) =>
      buckets.map(({ k, n, c }) => ({
        key: k,
        keyText: formatNumber(k, format) ?? String(k),
        count: n,
        children: c,
      })),
    render: ({ buckets, format }, rendering) => ({
      buckets: lazyItems(buckets, ({ min, max, k, n, c }) => ({
        min: double(min),
        min_as_string: formatNumber(min, format),
        key: double(k),
        key_as_string: formatNumber(k, format),
        max: double(max),
        max_as_string: formatNumber(max, format),
        doc_count: n,
        ...renderChildren(head.children, c, rendering),
      })),
    }),
  });
}

/** Clusters that are joined, with the sum and count of their values. */
interface Group {
  clusters: Cluster[];
  min: number;
  max: number;
  sum: number;
  count: number;
}

/** Joins the two neighbouring groups whose means are nearest until `target` groups are left. */
function gather(sorted: readonly Cluster[], target: number, shardSize: number): Group[] {
  const groups: Group[] = [];
  // Very many values are first joined evenly: each search for the nearest pair reads all groups.
  const evenly = Math.ceil(sorted.length / (shardSize * 4));
  for (const [i, cluster] of sorted.entries()) {
    const last = groups.at(-1);
    if (last !== undefined && (i % evenly !== 0 || centerOf(last) === cluster.k))
      joinInto(last, groupOf(cluster));
    else groups.push(groupOf(cluster));
  }
  while (groups.length > target) {
    let nearest = 0;
    let least = Infinity;
    for (let i = 0; i + 1 < groups.length; i += 1) {
      const distance = centerOf(groups[i + 1]) - centerOf(groups[i]);
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
    const [removed] = groups.splice(nearest + 1, 1);
    const kept = groups[nearest];
    if (kept !== undefined && removed !== undefined) joinInto(kept, removed);
  }
  return groups;
}

function groupOf(cluster: Cluster): Group {
  return {
    clusters: [cluster],
    min: cluster.min,
    max: cluster.max,
    sum: cluster.k * cluster.n,
    count: cluster.n,
  };
}

function centerOf(group: Group | undefined): number {
  return group === undefined ? Number.NaN : group.sum / group.count;
}

function joinInto(into: Group, from: Group): void {
  appendAll(into.clusters, from.clusters);
  into.min = Math.min(into.min, from.min);
  into.max = Math.max(into.max, from.max);
  into.sum += from.sum;
  into.count += from.count;
}
