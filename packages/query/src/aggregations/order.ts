/**
 * The order of buckets: by key, by count, or by a number of a sub-aggregation. Source:
 * `InternalOrder`, `BucketOrder`, `AggregationPath`.
 */
import { illegalArgument, isJsonObject, OperationError, type Problem } from "@orrery/stdx";
import { items, members, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { compareCodePoints } from "../sorts/compare.ts";
import type { Plain } from "../json/plain.ts";
import type { Children } from "./children.ts";
import type { Aggregation, AggregationTree } from "../language/aggregation.ts";

/** One criterion of an order of buckets. */
export interface OrderKey {
  /** `_key`, `_count`, or a path: `sub`, `sub.property`, `sub>inner.property`. */
  readonly path: string;
  readonly isAscending: boolean;
}

export type BucketKey = string | number | bigint | boolean;

/** Key and count of a bucket, by which orders compare. */
export interface OrderedBucket {
  readonly key: BucketKey;
  readonly count: number;
}

/**
 * The criteria of a request, completed by the key as the last one.
 * @throws OperationError 400
 */
export function parseOrder(at: Cursor): OrderKey[] {
  const keys = new Map<string, OrderKey>();
  // A path that is repeated decides nothing: buckets that are equal by it stay so.
  for (const key of items(at).map(parseKey)) if (!keys.has(key.path)) keys.set(key.path, key);
  return withTieBreak([...keys.values()]);
}

function parseKey(at: Cursor): OrderKey {
  if (!isJsonObject(at.json))
    throw parsingError(
      at,
      `Unexpected token [${typeof at.json === "string" ? "VALUE_STRING" : "VALUE"}] for [order]`,
    );
  const entries = members(at);
  const [entry] = entries;
  if (entries.length !== 1 || entry === undefined) {
    throw parsingError(at, "Must specify at least one field for [order]");
  }
  const direction = scalarText(entry[1]).toLowerCase();
  if (direction !== "asc" && direction !== "desc")
    throw parsingError(entry[1], `Unknown order direction [${scalarText(entry[1])}]`);
  const [path] = entry;
  return {
    path: path === "_term" || path === "_time" ? "_key" : path,
    isAscending: direction === "asc",
  };
}

/** The default: most documents first, then the key. */
export const BY_COUNT: readonly OrderKey[] = [
  { path: "_count", isAscending: false },
  { path: "_key", isAscending: true },
];
/** By key, ascending. */
export const BY_KEY: readonly OrderKey[] = [{ path: "_key", isAscending: true }];

/**
 * Buckets that are equal by all criteria are ordered by key, ascending, unless the key is a
 * criterion.
 */
function withTieBreak(keys: readonly OrderKey[]): OrderKey[] {
  return keys.some(({ path }) => path === "_key")
    ? [...keys]
    : [...keys, { path: "_key", isAscending: true }];
}

/** Whether the first criterion is the key. */
export function isKeyOrder(keys: readonly OrderKey[]): boolean {
  return keys[0]?.path === "_key";
}

/**
 * Whether the buckets with most documents come first, so that the count of a list's last bucket
 * bounds the counts of all buckets that the list lacks.
 */
export function isCountDescending(keys: readonly OrderKey[]): boolean {
  return keys[0]?.path === "_count" && !keys[0].isAscending;
}

/** Names of the aggregations that a path leads through, and the property at its end. */
interface MetricPath {
  readonly steps: readonly string[];
  readonly property: string | undefined;
}

/** Accepts `name.property` and `name[property]` at the end of a path. */
function parsePath(path: string): MetricPath {
  const steps = path.split(">");
  const last = steps.pop() ?? "";
  const bracket = last.endsWith("]") ? last.lastIndexOf("[") : -1;
  if (bracket >= 0)
    return { steps: [...steps, last.slice(0, bracket)], property: last.slice(bracket + 1, -1) };
  const dot = last.indexOf(".");
  if (dot < 0) return { steps: [...steps, last], property: undefined };
  return { steps: [...steps, last.slice(0, dot)], property: last.slice(dot + 1) };
}

/**
 * Checks that every path leads through aggregations with one bucket to an existing one.
 * @throws OperationError 500 with the cause in the product's words
 */
export function checkOrder(keys: readonly OrderKey[], tree: AggregationTree): void {
  for (const { path } of keys) {
    if (path === "_key" || path === "_count") continue;
    const { steps } = parsePath(path);
    let level = tree;
    let through: Aggregation | undefined;
    for (const step of steps) {
      const found = level.find(({ name }) => name === step);
      if (found === undefined || found.pipeline !== undefined) {
        throw invalidPath(path, {
          type: "illegal_argument_exception",
          reason: `The provided aggregation [${step}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
          status: 400,
        });
      }
      if (through !== undefined && through.bucketOf === undefined) {
        throw invalidPath(path, {
          type: "illegal_argument_exception",
          reason: `Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end. [${through.name}] is not single-bucket.`,
          status: 400,
        });
      }
      through = found;
      level = found.children;
    }
  }
}

function invalidPath(path: string, causedBy: Problem): OperationError {
  return new OperationError({
    type: "aggregation_execution_exception",
    reason: `Invalid aggregation order path [${path}]. ${causedBy.reason}`,
    status: 500,
    causedBy,
  });
}

/** Compares buckets of one shard, whose numbers are still in the aggregators. */
export function shardComparator(
  keys: readonly OrderKey[],
  children: Children,
): (a: ShardBucket, b: ShardBucket) => number {
  const readers = keys.map(({ path }) => {
    if (path === "_key" || path === "_count") return undefined;
    const { steps, property } = parsePath(path);
    const [step = ""] = steps;
    const found = children.aggregator(step);
    if (found === undefined) return undefined;
    if (steps.length > 1 || found.aggregator.metric === undefined) {
      // Deeper paths, and aggregators without numbers of their own, are read from the partial, as
      // the reduction reads them.
      return onceEach((bucket: number) =>
        metricOf(found.aggregation, found.aggregator.partial(bucket), {
          steps: steps.slice(1),
          property,
        }),
      );
    }
    const { metric } = found.aggregator;
    return onceEach((bucket: number) => metric.call(found.aggregator, bucket, property));
  });
  return (a, b) => {
    for (const [i, key] of keys.entries()) {
      const read = readers[i];
      const order =
        key.path === "_count"
          ? a.count - b.count
          : read === undefined
            ? compareKeys(a.key, b.key)
            : compareNumbers(read(a.bucket), read(b.bucket), key.isAscending);
      if (order !== 0) return key.isAscending ? order : -order;
    }
    return 0;
  };
}

/** Remembers the number of each bucket: sorting reads it for every comparison. */
function onceEach<Bucket>(read: (bucket: Bucket) => number): (bucket: Bucket) => number {
  const known = new Map<Bucket, number>();
  return (bucket) => {
    const found = known.get(bucket);
    if (found !== undefined) return found;
    const number = read(bucket);
    known.set(bucket, number);
    return number;
  };
}

/** A bucket on a shard, by its number in the aggregator. */
export interface ShardBucket extends OrderedBucket {
  readonly bucket: number;
}

/** A bucket with the reduced results of its sub-aggregations. */
export interface ReducedBucket extends OrderedBucket {
  readonly children: readonly Plain[];
}

/** Compares reduced buckets. */
export function reducedComparator(
  keys: readonly OrderKey[],
  tree: AggregationTree,
): (a: ReducedBucket, b: ReducedBucket) => number {
  const readers = keys.map(({ path }) => {
    if (path === "_key" || path === "_count") return undefined;
    const { steps, property } = parsePath(path);
    const index = tree.findIndex(({ name }) => name === steps[0]);
    const aggregation = tree[index];
    if (aggregation === undefined) return undefined;
    return onceEach((bucket: ReducedBucket) =>
      metricOf(aggregation, bucket.children[index], { steps: steps.slice(1), property }),
    );
  });
  return (a, b) => {
    for (const [i, key] of keys.entries()) {
      const read = readers[i];
      const order =
        key.path === "_count"
          ? a.count - b.count
          : read === undefined
            ? compareKeys(a.key, b.key)
            : compareNumbers(read(a), read(b), key.isAscending);
      if (order !== 0) return key.isAscending ? order : -order;
    }
    return 0;
  };
}

/** The number at the end of a path; NaN where an aggregation on it is missing. */
function metricOf(aggregation: Aggregation, reduced: Plain, path: MetricPath): number {
  const [step] = path.steps;
  if (step !== undefined) {
    const index = aggregation.children.findIndex(({ name }) => name === step);
    const inner = aggregation.children[index];
    if (inner === undefined) return Number.NaN;
    return metricOf(inner, aggregation.bucketOf?.(reduced).children[index], {
      steps: path.steps.slice(1),
      property: path.property,
    });
  }
  if (aggregation.metric === undefined) {
    throw illegalArgument(
      `Invalid aggregation order path [${aggregation.name}]. It does not give a single number`,
    );
  }
  return aggregation.metric(reduced, path.property);
}

/** NaN comes last in either direction. */
function compareNumbers(a: number, b: number, isAscending: boolean): number {
  if (Number.isNaN(a) || Number.isNaN(b)) {
    if (Number.isNaN(a) && Number.isNaN(b)) return 0;
    return Number.isNaN(a) === isAscending ? 1 : -1;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares keys: texts by code points, numbers by value. Negative if `a` comes first. */
export function compareKeys(a: BucketKey, b: BucketKey): number {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
