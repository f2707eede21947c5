/** INV-COORD-1: in any term at most one node publishes cluster states. */
import { concerning, type Checker } from "./checker.ts";

export const oneClusterManagerPerTerm: Checker = {
  name: "one-cluster-manager-per-term",
  invariant: "INV-COORD-1",
  says: "In any term at most one node publishes cluster states.",
  excusedBy: [],
  start: (world) => {
    const publishers = new Map<string, { readonly nodeId: string; readonly node: string }>();
    return (event) => {
      if (event.kind !== "cluster-state-published" && event.kind !== "cluster-manager-elected")
        return undefined;
      const key = `${world.clusterOf(event.node)}/${event.term}`;
      const { nodeId, node, term } = event;
      const publisher = publishers.get(key) ?? { nodeId, node };
      publishers.set(key, publisher);
      if (publisher.nodeId === nodeId) return undefined;
      return concerning(
        `term ${term}: both ${publisher.nodeId} and ${nodeId} were cluster manager`,
        [
          { term, node: publisher.node },
          { term, node },
        ],
      );
    };
  },
};
