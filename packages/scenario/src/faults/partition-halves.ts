/** Fault that splits a cluster into two halves. */
import { clusterName } from "../selectors.ts";
import { may } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { cutPairs, membersOf, shuffled } from "./links.ts";

export interface PartitionHalves {
  readonly kind: "partition-halves";
  readonly cluster?: string;
}

export const partitionHalves: FaultRow<PartitionHalves> = {
  family: "network",
  says: "Splits a cluster into two halves, drawn from the seed, without connection.",
  keys: { cluster: may(clusterName, "name of the cluster; default: the first") },
  needs: ["cut"],
  complaint: (_fault, { size }) => (size < 2 ? "[partition-halves] takes two nodes" : undefined),
  draw: (scene) => ({ cluster: scene.cluster().name }),
  inject: async (fault, world) => {
    const nodes = shuffled(world, membersOf(world, fault.cluster));
    const middle = Math.floor(nodes.length / 2);
    const [few, many] = [nodes.slice(0, middle), nodes.slice(middle)];
    return cutPairs(world, [...few, "|", ...many], [[few, many]]);
  },
};
