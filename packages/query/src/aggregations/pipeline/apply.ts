/** Pipeline aggregations: run once over reduced siblings, or over the buckets of their parent. */
import { OperationError } from "@orrery/stdx";
import type { Plain } from "../../json/plain.ts";
import type {
  Aggregation,
  AggregationTree,
  PipelineBucket,
  ReduceContext,
} from "../../language/aggregation.ts";
import { pathComplaint } from "./buckets-path.ts";

/** Results of sibling pipelines are put where they stand in the tree. */
export function* applyPipelines(
  tree: AggregationTree,
  reduced: Plain[],
  { isTurnOver }: ReduceContext,
): Generator<undefined, Plain[]> {
  for (const [i, { pipeline }] of tree.entries()) {
    if (pipeline?.kind !== "sibling") continue;
    reduced[i] = pipeline.compute(tree, reduced);
    if (isTurnOver()) yield undefined;
  }
  return reduced;
}

/** What the pipelines among `tree` make of their parent's buckets, in order. */
export function* applyParentPipelines<Bucket extends PipelineBucket>(
  tree: AggregationTree,
  buckets: readonly Bucket[],
  { isTurnOver, scripts }: ReduceContext,
): Generator<undefined, readonly Bucket[]> {
  if (!hasParentPipelines(tree)) return buckets;
  let current = buckets.map((bucket) => ({ ...bucket, children: [...bucket.children] }));
  for (const [i, { pipeline }] of tree.entries()) {
    if (pipeline?.kind !== "parent") continue;
    current = pipeline.apply(current, { tree, index: i, scripts });
    if (isTurnOver()) yield undefined;
  }
  return current;
}

export function hasParentPipelines(tree: AggregationTree): boolean {
  return tree.some(({ pipeline }) => pipeline?.kind === "parent");
}

/**
 * Every pipeline stands where it can compute and every `buckets_path` leads somewhere; that of a sibling begins at an aggregation
 * with many buckets.
 */
export function checkPipelines(tree: AggregationTree, parent?: Aggregation): void {
  for (const aggregation of tree) {
    const { name, pipeline } = aggregation;
    const misplaced = pipeline?.kind === "parent" ? pipeline.complaint?.(parent) : undefined;
    if (misplaced !== undefined) throw invalid(misplaced);
    for (const path of pipeline?.paths ?? []) {
      const complaint = pathComplaint(tree, path);
      if (complaint !== undefined) throw invalid(complaint);
      if (pipeline?.kind !== "sibling") continue;
      const first = tree.find((other) => other.name === path.split(/[>.[]/, 1)[0]);
      if (first === undefined)
        throw invalid(`buckets_path aggregation does not exist for aggregation [${name}]: ${path}`);
      if (first.bucketsOf !== undefined || first.pipeline !== undefined) continue;
      throw invalid(
        `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [${name}] found :${builderOf(first.type)} for buckets path: ${path}`,
      );
    }
    checkPipelines(aggregation.children, aggregation);
  }
}

function invalid(complaint: string): OperationError {
  return new OperationError({
    type: "action_request_validation_exception",
    reason: `Validation Failed: 1: ${complaint};`,
    status: 400,
  });
}

/** Aggregations of one bucket: where the product's builder of each lies. */
const folders: ReadonlyMap<string, string> = new Map([
  ["filter", "bucket.filter"],
  ["global", "bucket.global"],
  ["missing", "bucket.missing"],
  ["nested", "bucket.nested"],
  ["reverse_nested", "bucket.nested"],
  ["sampler", "bucket.sampler"],
  ["diversified_sampler", "bucket.sampler"],
]);

/** The product names the class of what it found. */
function builderOf(type: string): string {
  const words = type === "diversified_sampler" ? ["diversified"] : type.split("_");
  const name = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("");
  const folder = folders.get(type) ?? "metrics";
  return `org.opensearch.search.aggregations.${folder}.${name}AggregationBuilder`;
}
