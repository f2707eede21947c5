/** Which cluster state a read answers from, and which indices its expressions mean there. */
import {
  resolveIndices,
  withParameters,
  type ClusterState,
  type IndicesOptions,
  type ResolvedIndex,
} from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import {
  managerTimeoutMs,
  splitNames,
  type IndexTargets,
  type ManagerTimeout,
  type Parsed,
} from "./parameters.ts";

/** The elected cluster manager's state, or this node's with `local`. */
export async function readState(
  cluster: Cluster,
  query: Parsed<ManagerTimeout> & { readonly local?: boolean | undefined },
): Promise<ClusterState> {
  return query.local === true ? cluster.state() : cluster.managerState(managerTimeoutMs(query));
}

/** The parts of an index path parameter; none means all. */
export function expressionsOf(path: string | undefined): readonly string[] {
  return path === undefined ? [] : splitNames(path);
}

export function targetsOf(
  state: ClusterState,
  expressions: readonly string[],
  defaults: IndicesOptions,
  { query, nowMs }: { readonly query: Partial<Parsed<IndexTargets>>; readonly nowMs: number },
): readonly ResolvedIndex[] {
  return resolveIndices(state, expressions, withParameters(defaults, query), nowMs);
}
