/**
 * Decides when this node asks to be elected: as soon as no elected cluster manager is known and a majority of the voting
 * configuration can be reached.
 *
 * The reachable voters take turns by rank, so that usually one asks and the others have not asked yet; chance settles
 * the rest, and later tries wait longer (`ElectionSchedulerFactory`). Asking is harmless: a pre-vote comes first.
 */
import type { CancelTimer, Clock } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";
import type { ManagerSettings } from "./settings.ts";
import { hasMajority } from "./voters.ts";

export interface ElectionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: ManagerSettings;
  readonly campaign: () => void;
}

export interface ElectionScheduler {
  /** To be called whenever the answer may have changed. `rank` is undefined while the node should not ask. */
  consider(candidacy: Candidacy | undefined): void;
  stop(): void;
}

export interface Candidacy {
  /** Position among the voters that can be reached. */
  readonly rank: number;
  readonly isOnlyVoter: boolean;
}

export function createElectionScheduler(options: ElectionOptions): ElectionScheduler {
  const { clock, random, settings } = options;
  let attempt = 0;
  let candidacy: Candidacy | undefined;
  let cancel: CancelTimer | undefined;

  const delayMs = ({ rank, isOnlyVoter }: Candidacy): number => {
    if (isOnlyVoter && attempt === 0) return 0;
    const initialMs = settings.duration("cluster.election.initial_timeout");
    const backOffMs = settings.duration("cluster.election.back_off_time") * attempt;
    const limitMs = Math.min(
      settings.duration("cluster.election.max_timeout"),
      initialMs / 5 + backOffMs,
    );
    // Votes are written before they are given: a try that has not failed yet is not followed by another.
    const turnMs = (initialMs / 2) * (rank + Math.min(attempt, 1));
    return turnMs + random.int(0, Math.ceil(limitMs));
  };

  const schedule = (now: Candidacy): void => {
    cancel = clock.setTimer(delayMs(now), () => {
      attempt += 1;
      if (candidacy === undefined) return;
      // Scheduled first: being elected at once cancels it.
      schedule(candidacy);
      options.campaign();
    });
  };

  const end = (): void => {
    cancel?.();
    cancel = undefined;
    candidacy = undefined;
    attempt = 0;
  };

  return {
    consider(next) {
      if (next === undefined) {
        end();
        return;
      }
      candidacy = next;
      if (cancel === undefined) schedule(next);
    },
    stop: end,
  };
}

/** Whether this member may ask now: it votes, it knows nobody elected, and it reaches a majority. */
export function candidacyOf(
  consensus: Consensus,
  isReachable: (raftId: number) => boolean,
): Candidacy | undefined {
  if (consensus.electedId !== 0 || consensus.isElected) return undefined;
  const { incoming, outgoing } = consensus.configuration();
  if (!incoming.has(consensus.raftId)) return undefined;
  const reachable = [...new Set([...incoming, ...outgoing])]
    .filter((id) => id === consensus.raftId || isReachable(id))
    .toSorted((a, b) => a - b);
  const live = new Set(reachable);
  if (!hasMajority(incoming, live)) return undefined;
  if (outgoing.size > 0 && !hasMajority(outgoing, live)) return undefined;
  return { rank: reachable.indexOf(consensus.raftId), isOnlyVoter: incoming.size === 1 };
}
