/**
 * Rules about where an aggregation may stand: `global` at the top, `reverse_nested` inside of
 * `nested`. Every shard checks them, as in the product, so that a violation is a shard failure.
 */
import { illegalArgument, OperationError } from "@orrery/stdx";
import type { Aggregation, AggregationTree } from "../language/aggregation.ts";

/** The position of a level in the tree. */
interface Place {
  readonly parent: Aggregation | undefined;
  readonly isNested: boolean;
}

const TOP: Place = { parent: undefined, isNested: false };

/**
 * Checks where aggregations stand: `global` at the top only, `reverse_nested` below a `nested` only.
 * @throws OperationError 500 or 400, in the product's words
 */
export function checkPlacement(tree: AggregationTree, place: Place = TOP): void {
  for (const aggregation of tree) {
    const { type, name, children } = aggregation;
    if (type === "global" && place.parent !== undefined) throw notAtTop(name, place.parent.name);
    if (type === "reverse_nested" && !place.isNested) {
      throw illegalArgument(
        `Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`,
      );
    }
    checkPlacement(children, {
      parent: aggregation,
      isNested: place.isNested || type === "nested",
    });
  }
}

function notAtTop(name: string, parent: string): OperationError {
  return new OperationError({
    type: "aggregation_execution_exception",
    reason: `Aggregation [${parent}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level aggregations`,
    status: 500,
  });
}
