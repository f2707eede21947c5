/** Roster of a world: the nodes of the plan and the added ones, without those that were removed. */
import type { ClusterPlan, NodePlan, Plan } from "./plan.ts";

export interface Roster {
  readonly firstCluster: string;
  names(cluster?: string): readonly string[];
  /** Cluster of a node, also of a removed one; empty for an unknown name. */
  clusterOf(node: string): string;
  clusterPlanOf(node: string): ClusterPlan;
  planOf(node: string): NodePlan | undefined;
  /** True if the node exists, existed, or is added by the plan at some time. */
  isExpected(node: string): boolean;
  add(cluster: string, node: NodePlan): void;
  remove(node: string): void;
}

/** Parts of a plan that determine its nodes, present and future. */
export type RosterPlan = Pick<Plan, "clusters" | "faults" | "timeline">;

/** Roster with the nodes of the plan. */
export function createRoster(plan: RosterPlan): Roster {
  const [first] = plan.clusters;
  const members = plan.clusters.flatMap(({ name, nodes }) =>
    nodes.map((node) => ({ cluster: name, node })),
  );
  const clusters = new Map(members.map(({ cluster, node }) => [node.name, cluster]));
  const coming = new Set(namesToCome(plan));
  let present = members;
  /** Names by cluster, cached; key `undefined`: all clusters. Clients ask for them before each request. */
  const named = new Map<string | undefined, readonly string[]>();
  const clusterOf = (node: string): string => clusters.get(node) ?? "";
  return {
    firstCluster: first?.name ?? "",
    names: (cluster) => {
      let names = named.get(cluster);
      if (names === undefined) {
        names = present.flatMap((member) =>
          cluster === undefined || member.cluster === cluster ? member.node.name : [],
        );
        named.set(cluster, names);
      }
      return names;
    },
    clusterOf,
    clusterPlanOf: (node) => {
      const found = plan.clusters.find(({ name }) => name === clusterOf(node));
      if (found === undefined) throw new RangeError(`no cluster has a node [${node}]`);
      return found;
    },
    planOf: (node) => present.find((member) => member.node.name === node)?.node,
    isExpected: (node) => clusters.has(node) || coming.has(node),
    add: (cluster, node) => {
      clusters.set(node.name, cluster);
      present = [...present, { cluster, node }];
      named.clear();
    },
    remove: (node) => {
      present = present.filter((member) => member.node.name !== node);
      named.clear();
    },
  };
}

function namesToCome({ faults, timeline }: RosterPlan): readonly string[] {
  const scripted = timeline.flatMap(({ action }) => (action.kind === "fault" ? action.fault : []));
  const added = [...faults.map(({ fault }) => fault), ...scripted].filter(
    (fault) => fault.kind === "add-node",
  );
  const nameless = added.filter(({ name }) => name === undefined);
  return [...added.flatMap(({ name }) => name ?? []), ...nameless.map((_, i) => addedName(i + 1))];
}

/**
 * Name of a node that an `add-node` fault adds without one; numbers count from 1, and a name that is taken is skipped.
 */
export function addedName(number: number): string {
  return `added-${number}`;
}
