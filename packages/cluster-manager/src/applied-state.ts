/**
 * Consequences of an applied entry for the local node: connections to the state's nodes, trace events, and the shown
 * state. They come before the services of a term see the entry: a service that looks at `links.connected`, or a client
 * that is answered by one, finds this node consistent with the state.
 */
import type { ClusterState, DiscoveryNode } from "@orrery/cluster-state";
import type { Trace } from "@orrery/ports";
import type { NodeId } from "@orrery/stdx";
import { changedCopies } from "./changed-copies.ts";
import type { Links } from "./links.ts";
import type { LocalState } from "./local-state.ts";
import { containsProcess } from "./cluster-view.ts";

export interface AppliedStateOptions {
  readonly trace: Trace;
  readonly localNode: DiscoveryNode;
  readonly links: Links;
  readonly local: LocalState;
  readonly managerId: () => NodeId | undefined;
}

/**
 * Returns the function to call with the state after each applied entry, in order. `hasProposal`: the entry contained
 * tasks or routing.
 */
export function createAppliedState(
  options: AppliedStateOptions,
): (state: ClusterState, hasProposal: boolean) => void {
  const { trace, localNode, links, local } = options;
  let keptNodes: ClusterState["nodes"] | undefined;
  /** The state of the last trace event, which the next one is compared with. */
  let tracedState: ClusterState | undefined;

  return (state, hasProposal) => {
    // Reducers share what they do not change, so identity of `nodes` decides whether connections need a look.
    if (state.nodes !== keptNodes) {
      keptNodes = state.nodes;
      links.keep(state.nodes.values());
    }
    if (hasProposal) {
      const { version, stateUuid, term } = state;
      trace({
        kind: "cluster-state-applied",
        nodeId: localNode.id,
        ...{ term, version, stateUuid },
        isMember: containsProcess(state, localNode),
      });
      for (const change of changedCopies(tracedState, state, localNode.id)) trace(change);
      tracedState = state;
    }
    local.update(state, options.managerId());
  };
}
