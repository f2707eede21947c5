/** INV-COORD-1: in any term at most one node publishes cluster states. */
import type { Checker } from "./checker.ts";

export const oneClusterManagerPerTerm: Checker = {
  name: "one-cluster-manager-per-term",
  invariant: "INV-COORD-1",
  start: () => {
    const publishers = new Map<number, string>();
    return (event) => {
      if (event.kind !== "cluster-state-published" && event.kind !== "cluster-manager-elected")
        return undefined;
      const publisher = publishers.get(event.term) ?? event.nodeId;
      publishers.set(event.term, publisher);
      if (publisher === event.nodeId) return undefined;
      return `term ${event.term}: both ${publisher} and ${event.nodeId} were cluster manager`;
    };
  },
};
