/** Data streams by names and patterns. Source: `IndexNameExpressionResolver.dataStreamNames`. */
import {
  dataStreamsOf,
  indexNotFound,
  type ClusterState,
  type DataStream,
} from "@orrery/cluster-state";
import { matchesGlob, OperationError } from "@orrery/stdx";
import { splitNames } from "../parameters.ts";

/**
 * Matching data streams, ordered by name; without an expression, all. A pattern without a match is no error; with
 * `mustExist` a missing name is.
 */
export function streamsNamed(
  state: ClusterState,
  expression: string | undefined,
  { mustExist }: { readonly mustExist: boolean },
): readonly DataStream[] {
  const streams = [...dataStreamsOf(state).values()];
  const names = expression === undefined ? ["*"] : splitNames(expression);
  for (const name of names) {
    const isThere = name.includes("*") || name === "_all" || dataStreamsOf(state).has(name);
    if (mustExist && !isThere) throw new OperationError(indexNotFound(name));
  }
  return streams.filter((stream) =>
    names.some((name) => name === "_all" || matchesGlob(name, stream.name)),
  );
}
