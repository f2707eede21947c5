/**
 * Transfer of the term before an elected cluster manager stops (Raft thesis section 3.10): without it, cluster state
 * changes would wait for the loss of its connections and an election. The product's `Coordinator.doStop` leaves this to
 * the election.
 */
import type { CancelTimer, Clock } from "@orrery/ports";
import type { Consensus } from "./consensus.ts";

export interface HandOverOptions {
  readonly clock: Clock;
  readonly consensus: () => Consensus | undefined;
  readonly isConnected: (raftId: number) => boolean;
}

/** The transfer of the term from a stopping node to another voter. */
export interface HandOver {
  /**
   * Resolves when an entry of the successor's term is applied, and also without success: at once when this node is not
   * elected or no other voter is connected, when the successor's connection is lost, and after a second.
   */
  run(): Promise<void>;
  /** Ends the wait when the successor is no longer connected. */
  connectionsChanged(): void;
  /** The term of each applied entry. */
  applied(term: number): void;
}

/** Time limit: a transfer takes two messages and an uncontested election. */
const MOST_MS = 1000;

/** A hand-over that has not begun. */
export function createHandOver(options: HandOverOptions): HandOver {
  let successor = 0;
  let ownTerm = 0;
  let finish: (() => void) | undefined;

  return {
    run() {
      const consensus = options.consensus();
      if (consensus?.isElected !== true) return Promise.resolve();
      successor = successorOf(consensus, options.isConnected);
      if (successor === 0) return Promise.resolve();
      ownTerm = consensus.term;
      return new Promise((resolve) => {
        let cancel: CancelTimer = () => undefined;
        finish = () => {
          finish = undefined;
          cancel();
          resolve();
        };
        cancel = options.clock.setTimer(MOST_MS, finish);
        consensus.transferTo(successor);
      });
    },
    connectionsChanged() {
      if (!options.isConnected(successor)) finish?.();
    },
    applied(term) {
      // The successor's first entry is committed, so its term has begun; stopping earlier could take away the vote or the
      // acknowledgement that it needs for that.
      if (term > ownTerm) finish?.();
    },
  };
}

/** Raft id of the connected voter with the greatest match index, which needs the fewest entries before it may campaign; 0 without one. */
function successorOf(consensus: Consensus, isConnected: (raftId: number) => boolean): number {
  let successor = 0;
  let most = -1;
  for (const id of consensus.configuration().incoming) {
    if (id === consensus.raftId || !isConnected(id)) continue;
    const match = consensus.progressOf(id)?.match ?? 0;
    if (match <= most) continue;
    successor = id;
    most = match;
  }
  return successor;
}
