/** Selects the cluster state that a read operation answers from, and resolves its index expressions. */
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

/** The state of the elected cluster manager, or with `local` the state that this node has applied. */
export async function readState(
  cluster: Cluster,
  query: Parsed<ManagerTimeout> & { readonly local?: boolean | undefined },
): Promise<ClusterState> {
  return query.local === true ? cluster.state() : cluster.managerState(managerTimeoutMs(query));
}

/** The parts of an index path parameter; an empty list means all indices. */
export function expressionsOf(path: string | undefined): readonly string[] {
  return path === undefined ? [] : splitNames(path);
}

/** The indices that the expressions resolve to under the request's indices options. */
export function targetsOf(
  state: ClusterState,
  expressions: readonly string[],
  defaults: IndicesOptions,
  { query, nowMs }: { readonly query: Partial<Parsed<IndexTargets>>; readonly nowMs: number },
): readonly ResolvedIndex[] {
  return resolveIndices(state, expressions, withParameters(defaults, query), nowMs);
}
