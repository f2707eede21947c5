/** INV-COORD-1: in any term at most one node publishes cluster states. */
import type { Checker } from "./checker.ts";

export const oneClusterManagerPerTerm: Checker = {
  name: "one-cluster-manager-per-term",
  invariant: "INV-COORD-1",
  says: "In any term at most one node publishes cluster states.",
  excusedBy: [],
  start: (world) => {
    const publishers = new Map<string, string>();
    return (event) => {
      if (event.kind !== "cluster-state-published" && event.kind !== "cluster-manager-elected")
        return undefined;
      const key = `${world.clusterOf(event.node)}/${event.term}`;
      const publisher = publishers.get(key) ?? event.nodeId;
      publishers.set(key, publisher);
      if (publisher === event.nodeId) return undefined;
      return `term ${event.term}: both ${publisher} and ${event.nodeId} were cluster manager`;
    };
  },
};
