/** The single node that an id, name or expression of a request resolves to. */
import { resolveNodes, type ClusterState, type DiscoveryNode } from "@orrery/cluster-state";
import { illegalArgument } from "@orrery/stdx";

/**
 * The one node that an expression matches.
 * @throws OperationError `illegal_argument_exception` when no node or several match.
 */
export function resolveNode(state: ClusterState, expression: string): DiscoveryNode {
  const [first, second] = resolveNodes(state, [expression]);
  if (second !== undefined) {
    throw illegalArgument(
      `resolved [${expression}] into [${resolveNodes(state, [expression]).length}] nodes, where expected to be resolved to a single node`,
    );
  }
  const node = first === undefined ? undefined : state.nodes.get(first);
  if (node === undefined) {
    throw illegalArgument(`failed to resolve [${expression}], no matching nodes`);
  }
  return node;
}
