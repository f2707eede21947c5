/**
 * Election schedule (`ElectionSchedulerFactory`): when this node campaigns. It does so as soon as no elected cluster
 * manager is known and a majority of the voting configuration is connected.
 *
 * Delays are staggered by rank: the n-th reachable voter waits n half initial timeouts longer, so that usually one
 * campaigns and is elected before the next one would. Random parts resolve the rest, and each failed attempt adds a
 * back-off up to `cluster.election.max_timeout`. A campaign that cannot win is harmless: it starts with a pre-vote.
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

/** The schedule of one node. */
export interface ElectionScheduler {
  /** Sets the candidacy; called after every change that may concern it. Undefined cancels the schedule and resets the back-off. */
  consider(candidacy: Candidacy | undefined): void;
  stop(): void;
}

/** A node that may campaign. */
export interface Candidacy {
  /** Position by Raft id among the reachable voters, from 0. */
  readonly rank: number;
  readonly isOnlyVoter: boolean;
}

/** A schedule without a candidacy. */
export function createElectionScheduler(options: ElectionOptions): ElectionScheduler {
  const { clock, random, settings } = options;
  let attempt = 0;
  let candidacy: Candidacy | undefined;
  let cancel: CancelTimer | undefined;

  /** Delay before the next campaign. A sole voter makes its first campaign at once. */
  const delayMs = ({ rank, isOnlyVoter }: Candidacy): number => {
    if (isOnlyVoter && attempt === 0) return 0;
    const initialMs = settings.duration("cluster.election.initial_timeout");
    const backOffMs = settings.duration("cluster.election.back_off_time") * attempt;
    const limitMs = Math.min(
      settings.duration("cluster.election.max_timeout"),
      initialMs / 5 + backOffMs,
    );
    // After the first attempt every delay includes at least half an initial timeout: votes are durable before they are
    // sent, and a new campaign would discard those under way for the current one.
    const turnMs = (initialMs / 2) * (rank + Math.min(attempt, 1));
    return turnMs + random.int(0, Math.ceil(limitMs));
  };

  const schedule = (now: Candidacy): void => {
    cancel = clock.setTimer(delayMs(now), () => {
      attempt += 1;
      if (candidacy === undefined) return;
      // Scheduled before the campaign: the only voter is elected within the call, and cancels the schedule.
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

/**
 * The candidacy of this member: it votes, knows no elected cluster manager, and is connected to a majority, in a joint
 * configuration to one of each half. Undefined otherwise.
 */
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
