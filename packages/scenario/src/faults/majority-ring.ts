/** Fault that leaves each node connected to a majority, each to a different one. */
import { clusterName } from "../selectors.ts";
import { may } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { cutPairs, membersOf, shuffled } from "./links.ts";

export interface MajorityRing {
  readonly kind: "majority-ring";
  readonly cluster?: string;
}

export const majorityRing: FaultRow<MajorityRing> = {
  family: "network",
  says: "Places the nodes on a ring, drawn from the seed: each is connected only to the neighbours that form a majority with it.",
  keys: { cluster: may(clusterName, "name of the cluster; default: the first") },
  needs: ["cut"],
  complaint: (_fault, { size }) => (size < 4 ? "[majority-ring] takes four nodes" : undefined),
  draw: (scene) => {
    const { name, nodes } = scene.cluster();
    return nodes.length < 4 ? undefined : { cluster: name };
  },
  inject: async (fault, world) => {
    const ring = shuffled(world, membersOf(world, fault.cluster));
    const reach = Math.ceil(Math.floor(ring.length / 2) / 2);
    const pairs = ring.flatMap((node, i) =>
      ring.slice(i + 1).flatMap((other, between) => {
        const steps = Math.min(between + 1, ring.length - between - 1);
        return steps > reach ? [[[node], [other]] as const] : [];
      }),
    );
    return cutPairs(world, ring, pairs);
  },
};
