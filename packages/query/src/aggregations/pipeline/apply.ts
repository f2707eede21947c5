/**
 * Runs pipeline aggregations once the aggregations that they read are reduced, and checks their
 * places and paths when a request is parsed. Source: `PipelineAggregator`,
 * `PipelineAggregatorBuilder.validate`.
 */
import { OperationError } from "@orrery/stdx";
import type { Plain } from "../../json/plain.ts";
import type {
  Aggregation,
  AggregationTree,
  PipelineBucket,
  ReduceContext,
} from "../../language/aggregation.ts";
import { pathComplaint } from "./buckets-path.ts";

/**
 * Computes the sibling pipelines of a level, in the order of the tree, and stores each result at
 * the pipeline's place among the reduced ones.
 */
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

/**
 * Runs the parent pipelines among `tree` over the buckets of their parent, each on the result of
 * the one before.
 */
export function* applyParentPipelines<Bucket extends PipelineBucket>(
  tree: AggregationTree,
  buckets: readonly Bucket[],
  { isTurnOver, scripts }: ReduceContext,
): Generator<undefined, readonly Bucket[]> {
  if (!hasParentPipelines(tree)) return buckets;
  // Copies of the buckets, because pipelines write into `children`.
  let current = buckets.map((bucket) => ({ ...bucket, children: [...bucket.children] }));
  for (const [i, { pipeline }] of tree.entries()) {
    if (pipeline?.kind !== "parent") continue;
    current = pipeline.apply(current, { tree, index: i, scripts });
    if (isTurnOver()) yield undefined;
  }
  return current;
}

/** Whether a level has pipelines that run over its parent's buckets. */
export function hasParentPipelines(tree: AggregationTree): boolean {
  return tree.some(({ pipeline }) => pipeline?.kind === "parent");
}

/**
 * Checks that every pipeline may stand in its parent, that every path leads to an aggregation, and
 * that the path of a sibling starts at an aggregation with buckets.
 * @throws OperationError 400 `action_request_validation_exception`
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

/** Packages of the product's builders, for aggregations of one bucket. */
const folders: ReadonlyMap<string, string> = new Map([
  ["filter", "bucket.filter"],
  ["global", "bucket.global"],
  ["missing", "bucket.missing"],
  ["nested", "bucket.nested"],
  ["reverse_nested", "bucket.nested"],
  ["sampler", "bucket.sampler"],
  ["diversified_sampler", "bucket.sampler"],
]);

/** Name of the builder's class, which the product prints in its errors. */
function builderOf(type: string): string {
  const words = type === "diversified_sampler" ? ["diversified"] : type.split("_");
  const name = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("");
  const folder = folders.get(type) ?? "metrics";
  return `org.opensearch.search.aggregations.${folder}.${name}AggregationBuilder`;
}
