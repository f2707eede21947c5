/**
 * `buckets_path`: `outer>inner.property`, `_count`, `_key`. Source: `BucketHelpers`,
 * `AggregationPath`.
 */
import { OperationError } from "@orrery/stdx";
import type { Plain } from "../../json/plain.ts";
import type { AggregationTree, PipelineBucket, SingleBucket } from "../../language/aggregation.ts";

/**
 * Treatment of buckets without documents or without a number: they have no value (`skip`), or the
 * value 0 (`insert_zeros`).
 */
export type GapPolicy = "skip" | "insert_zeros";

/** One name of a path, with a property after a dot or in brackets. */
interface Step {
  readonly name: string;
  readonly property: string | undefined;
}

function stepsOf(path: string): Step[] {
  return path.split(">").map((part) => {
    const bracket = part.endsWith("]") ? part.lastIndexOf("[") : -1;
    if (bracket >= 0) {
      const property = part
        .slice(bracket + 1, -1)
        .replace(/^['"]/, "")
        .replace(/['"]$/, "");
      return { name: part.slice(0, bracket), property };
    }
    const dot = part.indexOf(".");
    return dot < 0
      ? { name: part, property: undefined }
      : { name: part.slice(0, dot), property: part.slice(dot + 1) };
  });
}

/**
 * The error text for a path that names an aggregation which does not exist; `undefined`: the path
 * is valid.
 */
export function pathComplaint(tree: AggregationTree, path: string): string | undefined {
  let level = tree;
  for (const [i, { name }] of stepsOf(path).entries()) {
    if (name === "_count" || name === "_key" || name === "_bucket_count") return undefined;
    const found = level.find((aggregation) => aggregation.name === name);
    if (found === undefined)
      return `No aggregation ${i === 0 ? "" : `[${name}] `}found for path [${path}]`;
    level = found.children;
  }
  return undefined;
}

/** A reader of the number to which the path leads in a bucket; NaN for a gap that is skipped. */
export function bucketReader(
  tree: AggregationTree,
  { path, gaps }: { readonly path: string; readonly gaps: GapPolicy },
): (bucket: PipelineBucket) => number {
  const steps = stepsOf(path);
  const [first] = steps;
  if (first?.name === "_count") return ({ count }) => count;
  if (first?.name === "_key") return ({ key }) => Number(key);
  const read = resultReader(tree, steps);
  return ({ children, count }) => {
    const value = read(children);
    const isGap = !Number.isFinite(value) || count === 0;
    return isGap ? (gaps === "insert_zeros" ? 0 : Number.NaN) : value;
  };
}

/** A reader of the number at the end of the steps, through aggregations with one bucket. */
function resultReader(
  tree: AggregationTree,
  [step, ...rest]: readonly Step[],
): (reduced: readonly Plain[]) => number {
  const index = tree.findIndex(({ name }) => name === step?.name);
  const aggregation = tree[index];
  if (step === undefined || aggregation === undefined) return () => Number.NaN;
  const singleAt = (reduced: readonly Plain[]): SingleBucket | undefined => {
    const value = reduced[index];
    return value === undefined ? undefined : aggregation.bucketOf?.(value);
  };
  if (rest[0]?.name === "_count") return (reduced) => singleAt(reduced)?.count ?? Number.NaN;
  if (rest.length > 0) {
    const read = resultReader(aggregation.children, rest);
    return (reduced) => read(singleAt(reduced)?.children ?? []);
  }
  return (reduced) => {
    const value = reduced[index];
    if (value === undefined) return Number.NaN;
    if (aggregation.metric === undefined) throw notANumber(aggregation.name);
    return aggregation.metric(value, step.property);
  };
}

function notANumber(name: string): OperationError {
  return new OperationError({
    type: "aggregation_execution_exception",
    reason: `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [Object[]] at aggregation [${name}]`,
    status: 500,
  });
}

/**
 * The buckets that a sibling pipeline reads, and the rest of its path, relative to each bucket.
 * Aggregations with one bucket at the start of the path are stepped through.
 */
export function siblingBuckets(
  tree: AggregationTree,
  reduced: readonly Plain[],
  path: string,
): {
  readonly buckets: readonly PipelineBucket[];
  readonly tree: AggregationTree;
  readonly rest: string;
} {
  const [first = "", ...further] = path.split(">");
  // A property of the first aggregation is one of its buckets: `years._count`.
  const dot = first.indexOf(".");
  const rest = dot < 0 ? further : [first.slice(dot + 1), ...further];
  const index = tree.findIndex(({ name }) => name === (dot < 0 ? first : first.slice(0, dot)));
  const aggregation = tree[index];
  const value = reduced[index];
  if (aggregation === undefined || value === undefined) return { buckets: [], tree: [], rest: "" };
  const within = rest.length === 0 ? "_count" : rest.join(">");
  if (aggregation.bucketsOf !== undefined) {
    return { buckets: aggregation.bucketsOf(value), tree: aggregation.children, rest: within };
  }
  const children = aggregation.bucketOf?.(value).children ?? [];
  return siblingBuckets(aggregation.children, children, within);
}
