/** Nodes added to a running cluster: each gets a name, free ports and a folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  MOST_NODES,
  planAddedNode,
  refuseNodeName,
  type ClusterPlan,
  type AddedNode,
  type NodePlan,
} from "./cluster-plan.ts";
import { transportName, type DataFolder } from "./data-folder.ts";
import { isFree } from "./free-port.ts";
import type { ManagedNode } from "./managed-node.ts";
import { loopbackAddresses } from "./listening/node-addresses.ts";
import type { RunningCluster } from "./running-cluster.ts";
import { UsageError } from "./usage.ts";

export interface AddedNodesOptions {
  readonly plan: ClusterPlan;
  readonly folder: DataFolder | undefined;
  readonly make: (plan: NodePlan) => ManagedNode;
}

/** Properties that a request may choose for an added node. */
export type Wanted = Partial<Pick<AddedNode, "name" | "zone" | "roles">>;

/**
 * Creates an added node, without starting it, with its number. Throws `UsageError` if it cannot exist; nothing is
 * changed then.
 */
export type MakeAddedNode = (
  cluster: RunningCluster,
  wanted: Wanted,
) => Promise<{ readonly number: number; readonly member: ManagedNode }>;

export function createAddedNodes({ plan, folder, make }: AddedNodesOptions): MakeAddedNode {
  const checkName = (name: string): void => {
    refuseNodeName(name);
    if (folder !== undefined && existsSync(join(folder.path, name)))
      throw new UsageError(
        `the data folder holds a node [${name}] already: give the new one another name`,
      );
  };
  return async (cluster, { name, zone, roles }) => {
    if (plan.settings["discovery.type"] === "single-node")
      throw new UsageError("[discovery.type] is [single-node]: this cluster takes no other node");
    const present = [...cluster.members.values()].map((member) => member.plan);
    const seeds = present.map(transportName);
    for (let number = cluster.nextNumber; number <= MOST_NODES; number += 1) {
      const called = name ?? `node-${number}`;
      if (name === undefined && present.some((one) => one.name === called)) continue;
      const planned = planAddedNode(plan, {
        ...{ name: called, number, seeds },
        ...(zone === undefined ? {} : { zone }),
        ...(roles === undefined ? {} : { roles }),
      });
      if (!(await areFree(planned))) continue;
      checkName(called);
      return { number, member: make(planned) };
    }
    throw new UsageError(`no ports are left: a cluster has at most ${MOST_NODES} nodes`);
  };
}

async function areFree({ addresses, httpPort, transportPort }: NodePlan): Promise<boolean> {
  const { http, transport } = addresses ?? loopbackAddresses;
  if (!(await isFree(httpPort, http.bind))) return false;
  return transportPort === undefined || (await isFree(transportPort, transport.bind));
}
