/** Data streams by names and patterns. Source: `IndexNameExpressionResolver.dataStreamNames`. */
import {
  dataStreamsOf,
  matchesPattern,
  type ClusterState,
  type DataStream,
} from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { splitList } from "../parameters.ts";

/** In order of names; no expression means all. A pattern that finds nothing is no error. */
export function streamsNamed(
  state: ClusterState,
  expression: string | undefined,
  { mustExist }: { readonly mustExist: boolean },
): readonly DataStream[] {
  const streams = [...dataStreamsOf(state).values()];
  const names = expression === undefined ? ["*"] : splitList(expression);
  for (const name of names) {
    const isThere = name.includes("*") || name === "_all" || dataStreamsOf(state).has(name);
    if (mustExist && !isThere) throw notFound(name);
  }
  return streams.filter((stream) =>
    names.some((name) => name === "_all" || matchesPattern(name, stream.name)),
  );
}

function notFound(name: string): OperationError {
  return new OperationError({
    type: "index_not_found_exception",
    reason: `no such index [${name}]`,
    status: 404,
    metadata: {
      index: name,
      "resource.id": name,
      "resource.type": "index_or_alias",
      index_uuid: "_na_",
    },
  });
}
