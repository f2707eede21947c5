/**
 * An elected cluster manager that stops gives its office to another voter first: a cluster without one, even for as long as a
 * lost connection takes to be noticed, keeps writers waiting. Source: `Coordinator.doStop` leaves this to the election.
 */
import type { CancelTimer, Clock } from "@orrery/ports";
import type { Consensus } from "./consensus.ts";

export interface HandOverOptions {
  readonly clock: Clock;
  readonly consensus: () => Consensus | undefined;
  readonly isConnected: (raftId: number) => boolean;
}

export interface HandOver {
  /** Ends when another is elected, nobody is there to be, or it took too long: then the others elect one. */
  run(): Promise<void>;
  /** To be called whenever who is connected may have changed. */
  connectionsChanged(): void;
  /** An entry of this term was applied. */
  applied(term: number): void;
}

/** A hand-over is two messages and an election that nobody contests. */
const MOST_MS = 1000;

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
      // The other's term has begun: its first entry is with a majority, of which this voter may be one.
      if (term > ownTerm) finish?.();
    },
  };
}

/** The voter that has most of the log; 0: there is none but this one. */
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
