/**
 * Log positions that earlier processes of a node acknowledged in this term. The node's store must still hold
 * them after a restart: a store that holds less was replaced by an older copy of itself (a restored disk image).
 *
 * INV-STORE-2: such a node must not vote under the Raft id it had. Its acknowledgements count in commit quorums;
 * a vote from the older log could elect a node that lacks a committed entry.
 *
 * Contract: `lost` is called before any other process of the same node is sent an entry, so Raft's match index at
 * that moment was acknowledged by the lost process or by one before it. The record is volatile: the next elected
 * cluster manager does not have it, and admits the process under its old id.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { JoinRequest } from "@orrery/protocol";
import type { NodeId } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";

/** Acknowledged log positions of one term. */
export interface AcknowledgedLogs {
  /** Records the match index of a process whose connection was lost. */
  lost(process: DiscoveryNode, raftId: number): void;
  /**
   * Whether the store of the joining process, as it was when the process started, is older than what an earlier
   * process of that node acknowledged. False for a store that itself reports a loss: that is handled anyway.
   */
  isRolledBack(process: DiscoveryNode, request: JoinRequest): boolean;
}

/** An empty record for `term`; match indices are read from `consensus`. */
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
      // MsgAppResp leaves a node only after its entries, and the term they were sent in, are durable: a store with a
      // smaller last index or an earlier term is not the one that acknowledged.
      return startedIndex < known.match || startedTerm < term;
    },
  };
}
