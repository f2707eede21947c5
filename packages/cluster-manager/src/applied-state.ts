/** What an applied entry means for the node itself, before its term or anything else looks at it: links, trace, the state it shows. */
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

export function createAppliedState(
  options: AppliedStateOptions,
): (state: ClusterState, hasProposal: boolean) => void {
  const { trace, localNode, links, local } = options;
  let keptNodes: ClusterState["nodes"] | undefined;
  /** As the trace knows it. */
  let tracedState: ClusterState | undefined;

  return (state, hasProposal) => {
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
