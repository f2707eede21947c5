/** Pipeline aggregations: run once over reduced siblings, or over the buckets of their parent. */
import { OperationError } from "@orrery/stdx";
import type { Plain } from "../../types.ts";
import type { AggregationTree, PipelineBucket, ReduceContext } from "../types.ts";
import { pathExists } from "./buckets-path.ts";

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
  { isTurnOver }: ReduceContext,
): Generator<undefined, readonly Bucket[]> {
  if (tree.every(({ pipeline }) => pipeline?.kind !== "parent")) return buckets;
  let current = buckets.map((bucket) => ({ ...bucket, children: [...bucket.children] }));
  for (const [i, { pipeline }] of tree.entries()) {
    if (pipeline?.kind !== "parent") continue;
    current = pipeline.apply(current, { tree, index: i });
    if (isTurnOver()) yield undefined;
  }
  return current;
}

/** Every `buckets_path` leads somewhere. */
export function checkPipelines(tree: AggregationTree): void {
  for (const aggregation of tree) {
    for (const path of aggregation.pipeline?.paths ?? []) {
      if (!pathExists(tree, path)) throw noAggregation(path);
    }
    checkPipelines(aggregation.children);
  }
}

function noAggregation(path: string): OperationError {
  return new OperationError({
    type: "action_request_validation_exception",
    reason: `Validation Failed: 1: No aggregation found for path [${path}];`,
    status: 400,
  });
}
