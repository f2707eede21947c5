/**
 * Log positions that earlier processes of a node acknowledged in this term. The node's store must hold them: a store that holds less was
 * replaced by an older one.
 *
 * Contract: a process is told as lost before any other process of the same node is sent an entry, so what is known to be acknowledged
 * then was acknowledged by the lost one, or by one before it. Only the elected cluster manager that was told of it knows it.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { JoinRequest } from "@orrery/protocol";
import type { NodeId } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";

export interface AcknowledgedLogs {
  lost(process: DiscoveryNode, raftId: number): void;
  /** The log, or the term, that the asking process found in its store is from before what an earlier process acknowledged. */
  isRolledBack(process: DiscoveryNode, request: JoinRequest): boolean;
}

export function createAcknowledgedLogs(
  term: number,
  consensus: Pick<Consensus, "progressOf">,
): AcknowledgedLogs {
  const byNode = new Map<
    NodeId,
    { readonly ephemeralId: string; readonly raftId: number; readonly match: number }
  >();
  return {
    lost({ id, ephemeralId }, raftId) {
      const match = consensus.progressOf(raftId)?.match ?? 0;
      if (match > 0) byNode.set(id, { ephemeralId, raftId, match });
    },
    isRolledBack({ id, ephemeralId }, { raftId, isLogLost, startedIndex, startedTerm }) {
      const known = byNode.get(id);
      if (known === undefined || isLogLost) return false;
      if (known.ephemeralId === ephemeralId || known.raftId !== raftId) return false;
      // An acknowledged entry is durable, and so is the term in which it was acknowledged.
      return startedIndex < known.match || startedTerm < term;
    },
  };
}
