/**
 * The order in which pipelines run: each after those that it reads. Source:
 * `AggregatorFactories.resolvePipelineAggregatorOrder`.
 */
import { illegalArgument } from "@orrery/stdx";
import type { Aggregation, AggregationTree } from "../../language/aggregation.ts";

/**
 * Aggregations over documents in the request's order, then pipelines in the order of their
 * dependencies.
 * @throws OperationError 400 for a cycle
 */
export function pipelinesLast(tree: AggregationTree): AggregationTree {
  const pipelines = tree.filter(({ pipeline }) => pipeline !== undefined);
  if (pipelines.length === 0) return tree;
  const others = tree.filter(({ pipeline }) => pipeline === undefined);
  return [...others, ...ordered(pipelines)];
}

function ordered(pipelines: AggregationTree): AggregationTree {
  const byName = new Map(pipelines.map((pipeline) => [pipeline.name, pipeline]));
  const done = new Set<Aggregation>();
  for (const pipeline of pipelines) place(pipeline, byName, done);
  return [...done];
}

/**
 * Adds a pipeline after all that it depends on, depth first. A stack replaces recursion, as chains
 * are as long as clients make them; `open` holds the chain that leads to the current pipeline, in
 * which a repetition is a cycle.
 */
function place(
  first: Aggregation,
  byName: ReadonlyMap<string, Aggregation>,
  done: Set<Aggregation>,
): void {
  const open = new Set<Aggregation>();
  const stack = [first];
  for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
    open.add(last);
    const missing = readBy(last, byName).find((other) => !done.has(other));
    if (missing === undefined) {
      done.add(last);
      open.delete(last);
      stack.pop();
    } else if (open.has(missing)) {
      throw illegalArgument(`Cyclical dependency found with pipeline aggregator ${missing.name}`);
    } else {
      stack.push(missing);
    }
  }
}

/** The pipelines of this level that a pipeline reads. */
function readBy(
  { pipeline }: Aggregation,
  byName: ReadonlyMap<string, Aggregation>,
): readonly Aggregation[] {
  return (pipeline?.paths ?? []).flatMap((path) => {
    const [name = ""] = path.split(/[>.[]/, 1);
    return byName.get(name) ?? [];
  });
}
