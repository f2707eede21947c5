/** `filter`: include, exclude and require filters of the cluster and of an index (`FilterAllocationDecider`). */
import {
  currentClusterSettings,
  describeFilters,
  filtersOf,
  matchesFilters,
  type FilterKind,
  type IndexMetadata,
  type NodeFilters,
} from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { indexMetadataOf, type RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "filter";
const CLUSTER = "cluster.routing.allocation";
const INDEX = "index.routing.allocation";

/** Made once, since a round reads filters for every copy and node. */
const clusterPrefixes = prefixesOf(CLUSTER);
const indexPrefixes = prefixesOf(INDEX);
const initialRecoveryPrefix = `${INDEX}.initial_recovery.`;

function prefixesOf(group: string): Readonly<Record<FilterKind, string>> {
  return {
    require: `${group}.require.`,
    include: `${group}.include.`,
    exclude: `${group}.exclude.`,
  };
}

export const filter: Decider = {
  canAllocate(copy, node, allocation) {
    const metadata = indexMetadataOf(allocation.routing, copy.index);
    return (
      initialRecovery(metadata, copy.recoverySource?.type, node) ??
      decide(metadata, node, allocation)
    );
  },
  canHoldIndex: decide,
  canRemain: (copy, node, allocation) =>
    decide(indexMetadataOf(allocation.routing, copy.index), node, allocation),
  canTakeAny: (node, allocation) => clusterFilter(node, allocation) ?? passes(),
};

function decide(metadata: IndexMetadata, node: RoutingNode, allocation: Allocation): Verdict {
  return clusterFilter(node, allocation) ?? indexFilter(metadata, node) ?? passes();
}

function passes(): Verdict {
  return yes(LABEL, () => "node passes include/exclude/require filters");
}

/** A shrunken index is first allocated to a node that holds a copy of every source shard. */
function initialRecovery(
  metadata: IndexMetadata,
  source: string | undefined,
  { node }: RoutingNode,
): Verdict | undefined {
  if (source !== "LOCAL_SHARDS") return undefined;
  const filters = filtersOf(metadata.settings, initialRecoveryPrefix);
  if (filters === undefined || matchesFilters(filters, node, "include")) return undefined;
  return no(
    LABEL,
    () =>
      `initial allocation of the shrunken index is only allowed on nodes [${describeFilters(filters, "include")}] that hold a copy of every shard in the index`,
  );
}

function clusterFilter({ node }: RoutingNode, { state }: Allocation): Verdict | undefined {
  const settings = currentClusterSettings(state);
  return refusal("cluster", CLUSTER, (kind) => filtersOf(settings, clusterPrefixes[kind]), node);
}

function indexFilter({ settings }: IndexMetadata, { node }: RoutingNode): Verdict | undefined {
  return refusal("index", INDEX, (kind) => filtersOf(settings, indexPrefixes[kind]), node);
}

function refusal(
  scope: "cluster" | "index",
  prefix: string,
  filtersFor: (kind: FilterKind) => NodeFilters | undefined,
  node: RoutingNode["node"],
): Verdict | undefined {
  for (const kind of ["require", "include", "exclude"] as const) {
    const filters = filtersFor(kind);
    if (filters === undefined) continue;
    const isMatch = matchesFilters(filters, node, kind);
    if (isMatch === (kind !== "exclude")) continue;
    const verb = kind === "exclude" ? "matches" : mismatch(scope, kind);
    return no(
      LABEL,
      () =>
        `node ${verb} ${scope} setting [${prefix}.${kind}] filters [${describeFilters(filters, kind)}]`,
    );
  }
  return undefined;
}

/** The product's text lacks a word for include filters of the cluster. */
function mismatch(scope: "cluster" | "index", kind: FilterKind): string {
  return scope === "cluster" && kind === "include" ? "does not" : "does not match";
}
