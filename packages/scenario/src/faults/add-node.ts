/** Fault that adds a new node to the cluster. */
import { roles } from "../cluster-shape.ts";
import { addedName } from "../roster.ts";
import { clusterName } from "../selectors.ts";
import { may, text } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { done } from "./nodes.ts";

export interface AddNode {
  readonly kind: "add-node";
  readonly name?: string;
  readonly cluster?: string;
  readonly zone?: string;
  readonly roles?: readonly string[];
}

export const addNode: FaultRow<AddNode> = {
  family: "node",
  says: "Starts a new node with an empty disk. It remains after the fault.",
  keys: {
    name: may(text, "name of the node; default: a free one"),
    cluster: may(clusterName, "cluster that it joins; default: the first"),
    zone: may(text, "node.attr.zone"),
    roles: may(roles, "node.roles"),
  },
  needs: ["add-node"],
  isInstant: true,
  complaint: ({ name }, { nodes }) =>
    name !== undefined && nodes.includes(name) ? `there is a node [${name}] already` : undefined,
  draw: (scene) => {
    const zones = scene.zones();
    return {
      cluster: scene.cluster().name,
      ...(zones.length === 0 ? {} : { zone: scene.random.pick(zones) }),
      // A shard of an index that follows another may move to a node without the role `remote_cluster_client`: replication then
      // pauses, as in the product.
      ...(scene.chance(300) ? { roles: ["data", "remote_cluster_client"] } : {}),
    };
  },
  inject: async ({ name, cluster, zone, roles: given }, world) => {
    const first = world.clusterOf(world.nodes()[0] ?? "");
    const node = name ?? freeName(world.nodes());
    await world.add(cluster ?? first, {
      name: node,
      ...(zone === undefined ? {} : { zone }),
      ...(given === undefined ? {} : { roles: given }),
      settings: {},
    });
    await world.start(node);
    return done([node]);
  },
};

function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = addedName(number);
    if (!taken.includes(name)) return name;
  }
}
