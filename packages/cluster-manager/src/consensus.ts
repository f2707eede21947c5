/**
 * The driver of Raft (package `raft`, after etcd-io/raft): feeds it ticks and messages, and carries out the messages of
 * each Ready in their order.
 *
 * Contract of asynchronous storage writes: a `MsgStorageAppend` carries the responses that may leave this node only
 * when its entries, term and vote are durable (Raft figure 2: persist before responding). The log (`raft-log.ts`)
 * calls back then, and only then are they delivered. Messages beside it may leave at once.
 *
 * Raft's own words (leader, follower, candidate) end in this file; outside it the leader is the elected cluster manager.
 */
import type { CancelTimer, Clock } from "@orrery/ports";
import {
  createRawNode,
  decodeConfChange,
  localAppendThread,
  localApplyThread,
  none,
  type ConfChangeSingle,
  type Config,
  type Configuration,
  type ConfState,
  type Entry,
  type Message,
  type ProgressStatus,
  type RawNode,
  type Ready,
  type Snapshot,
  type StepRejection,
} from "@orrery/raft";
import { defined, emptyBytes, latin1Text, type Random } from "@orrery/stdx";
import { snapshotIndex, type RaftLog } from "./raft-log.ts";

/** Tick at the default check interval of 1 s. */
const leastTickMs = 100;
const mostTickMs = 1000;
/** A heartbeat every 200 ms, at the least tick. */
const heartbeatTicks = 2;
/**
 * A silent leader is replaced after 3 to 6 s, at the least tick: the timeout is drawn from [30, 59] ticks. A lost
 * connection needs no timeout (`forgetElected`), so it can be long enough for a node that pauses for a second.
 */
const electionTicks = 30;
/** Context of a read index request that has no reader: the heartbeats that confirm it are the purpose. */
const heartbeatRead = Uint8Array.of(0);

/** Tick of Raft in milliseconds: a tenth of the interval of leader checks, so that one setting slows down both. */
export function tickFor(checkIntervalMs: number): number {
  return Math.min(mostTickMs, Math.max(leastTickMs, checkIntervalMs / 10));
}

/** Ports of the driver. Its callbacks run synchronously, while Raft's messages are carried out. */
export interface ConsensusOptions {
  /** Raft id of this node, as its store has it. */
  readonly raftId: number;
  readonly tickMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: RaftLog;
  /** Sends to another member, unreliably and without an answer; Raft repeats what matters. */
  send(message: Message): void;
  /** Applies a committed entry, in log order; `data` is empty for configuration changes and the first entry of a term. */
  apply(entry: { readonly index: number; readonly term: number; readonly data: Uint8Array }): void;
  /** Replaces the applied state by a received snapshot, which is durable. */
  restore(snapshot: Snapshot): void;
  /** The applied state of this moment, encoded for a snapshot. */
  snapshotData(): Uint8Array;
  /** Called when the read of this id may be served from the state at `index`, or from a later one. */
  readable(id: string, index: number): void;
  /** Called after each round of messages: role, term, configuration or the progress of members may have changed. */
  changed(): void;
}

/** This node as a member of the Raft group. */
export interface Consensus {
  readonly raftId: number;
  /** Raft id of the leader that this member follows, or its own when it is the leader; 0 when it knows none. */
  readonly electedId: number;
  /** Whether this member is Raft's leader. Its term of office begins later, when its first entry is applied. */
  readonly isElected: boolean;
  readonly term: number;
  readonly appliedIndex: number;
  readonly committedIndex: number;
  /** The membership as applied here; `configuration` is the same in Raft's own form. */
  readonly confState: ConfState;
  configuration(): Configuration;
  /** Replication progress of another member; undefined unless this member is the leader and tracks it. */
  progressOf(raftId: number): ProgressStatus | undefined;
  /** Whether leadership is being transferred; Raft accepts no proposal meanwhile. */
  isTransferring(): boolean;
  /** Steps Raft with a received message. The reason of a rejection, else undefined. */
  receive(message: Message): StepRejection | undefined;
  /** Applies entries that are known to be committed at once, not at the next tick or message. */
  resume(): void;
  /** False when Raft did not append the proposal: it is not the leader, or is transferring leadership. */
  propose(data: Uint8Array): boolean;
  /**
   * Proposes one change, through joint consensus when it has several parts. False when it was not appended. Raft
   * replaces a change that may not begin now by an empty entry, which is applied in its place.
   */
  changeConfiguration(changes: readonly ConfChangeSingle[]): boolean;
  /** Requests a read index (Raft thesis section 6.4); `readable` is called with this id. */
  requestRead(id: Uint8Array): void;
  /** Sends heartbeats now, so that a member that has just become reachable answers without the delay of an interval. */
  wake(): void;
  campaign(): void;
  /** Forgets the leader after its connection was lost, and grants votes to others before the election timeout. */
  forgetElected(): void;
  /** Steps down as the leader, when the connections to a majority of the voters are lost. */
  stepDown(): void;
  /** Transfers leadership to another voter (Raft thesis section 3.10). */
  transferTo(raftId: number): void;
  reportUnreachable(raftId: number): void;
  /** Outcome of sending a snapshot; replication to the member pauses until it is reported. */
  reportSnapshot(raftId: number, outcome: "finished" | "failed"): void;
  /** Makes a snapshot of the applied state, and drops the entries behind it. */
  saveSnapshot(): void;
  /** Stops ticks and callbacks; writes under way become durable without effect. */
  stop(): void;
}

/** Membership and applied index of this member; advanced by entries and snapshots. */
interface Progress {
  confState: ConfState;
  appliedIndex: number;
  isStopped: boolean;
}

/** A running member: its first tick is due after `tickMs`. */
export function createConsensus(options: ConsensusOptions): Consensus {
  const { raftId, clock, log, tickMs } = options;
  const progress: Progress = {
    confState: log.storage.initialState().confState,
    appliedIndex: snapshotIndex(log),
    isStopped: false,
  };
  const raw = createRawNode(configOf(options), {
    ...log.storage,
    snapshot: () => currentSnapshot(options, progress, raw),
  });
  const drain = createDrain(options, progress, raw);
  /** Every input is followed by a drain, so that its consequences are carried out in the same turn. */
  const after = <T>(result: T): T => {
    drain();
    return result;
  };
  const isElected = (): boolean => raw.basicStatus().softState.role === "StateLeader";

  const tick = (): void => {
    cancelTick = clock.setTimer(tickMs, tick);
    raw.tick();
    if (raw.hasReady()) drain();
  };
  let cancelTick: CancelTimer = clock.setTimer(tickMs, tick);

  return {
    raftId,
    get electedId() {
      return raw.basicStatus().softState.lead;
    },
    get isElected() {
      return isElected();
    },
    get term() {
      return raw.basicStatus().hardState.term;
    },
    get appliedIndex() {
      return progress.appliedIndex;
    },
    get committedIndex() {
      return raw.basicStatus().hardState.commit;
    },
    get confState() {
      return progress.confState;
    },
    configuration: () => raw.status().configuration,
    progressOf(id) {
      let found: ProgressStatus | undefined;
      raw.withProgress((member, of) => {
        if (member === id) found = of;
      });
      return found;
    },
    isTransferring: () => raw.basicStatus().leadTransferee !== none,
    receive: (message) => {
      if (progress.isStopped) return undefined;
      const result = after(raw.step(message));
      return result.kind === "rejected" ? result.reason : undefined;
    },
    resume: drain,
    propose: (data) => after(raw.propose(data)).kind === "accepted",
    changeConfiguration(changes) {
      const change = {
        kind: "v2",
        transition: "ConfChangeTransitionAuto",
        changes,
        context: emptyBytes,
      } as const;
      return after(raw.proposeConfChange(change)).kind === "accepted";
    },
    requestRead: (id) => after(raw.readIndex(id)),
    wake: () => after(raw.readIndex(heartbeatRead)),
    campaign: () => void after(raw.campaign()),
    forgetElected: () => void after(raw.forgetLeader()),
    stepDown() {
      // Raft has no command to step down. Its check-quorum does so when a whole election timeout passes without a majority:
      // three timeouts of ticks without a message between them contain such a period, whatever was received before.
      for (let i = 0; i < 3 * electionTicks && isElected(); i += 1) raw.tick();
      drain();
    },
    transferTo: (id) => after(raw.transferLeader(id)),
    reportUnreachable: (id) => after(raw.reportUnreachable(id)),
    reportSnapshot: (id, outcome) => after(raw.reportSnapshot(id, outcome)),
    saveSnapshot: () =>
      log.saveSnapshot(progress.appliedIndex, progress.confState, options.snapshotData()),
    stop() {
      progress.isStopped = true;
      cancelTick();
    },
  };
}

/**
 * Settings of Raft. Pre-vote keeps a node that returns from a partition from ending a healthy term with its higher
 * term; check-quorum ends the term of a leader that lost its majority, so that clients of its side of a partition get
 * an error instead of waiting. Proposals are not forwarded: a follower that took one could not tell its fate, and
 * retries go to the leader under the same task id anyway (INV-COORD-4).
 */
function configOf({ raftId, random, log }: ConsensusOptions): Config {
  return {
    id: raftId,
    electionTick: electionTicks,
    heartbeatTick: heartbeatTicks,
    // Drawn from the run's random stream, so that elections replay in a simulation.
    randomizedElectionTimeout: (ticks) => random.int(ticks, 2 * ticks - 1),
    // The applied log was restored from the same snapshot; Raft delivers the entries behind it again.
    applied: snapshotIndex(log),
    asyncStorageWrites: true,
    maxSizePerMsg: 1024 * 1024,
    maxInflightMsgs: 256,
    checkQuorum: true,
    preVote: true,
    disableProposalForwarding: true,
    // A leader that applies its own removal stops deciding at once; `voters.ts` avoids it by a transfer before.
    stepDownOnRemoval: true,
  };
}

/**
 * The snapshot to send. A member ignores a snapshot whose configuration does not contain it, so one from before the
 * latest membership change is replaced: a new learner would otherwise receive it in vain, again and again.
 */
function currentSnapshot(
  { log, snapshotData }: ConsensusOptions,
  { appliedIndex }: Progress,
  raw: RawNode,
): Snapshot | "unavailable" {
  const members = confStateOf(raw.status().configuration);
  // A stored snapshot with the same members still serves: the entries behind it follow.
  const last = log.storage.snapshot();
  if (last !== "unavailable" && isSameConfState(last.confState, members)) return last;
  log.saveSnapshot(appliedIndex, members, snapshotData());
  return log.storage.snapshot();
}

/**
 * The drain: carries out Readies until there is none. Callbacks that propose or step Raft add to the loop that is
 * running and do not start another, so that no message is handled in the middle of another.
 */
function createDrain(options: ConsensusOptions, progress: Progress, raw: RawNode): () => void {
  const { raftId, log } = options;
  let isDraining = false;

  const applyEntry = (entry: Entry): void => {
    const { index, term } = entry;
    progress.appliedIndex = index;
    const isChange = entry.kind !== "EntryNormal";
    // Before `applyConfChange`: as soon as Raft knows the new members it may ask for a snapshot to send to one, and that
    // snapshot is made from the applied state, whose index must be this entry's.
    options.apply({ index, term, data: isChange ? emptyBytes : entry.data });
    if (!isChange) return;
    const change = defined(decodeConfChange(entry), "a configuration change");
    progress.confState = raw.applyConfChange(change, index);
    // A restarted node knows of a configuration change only if its commit index covers it (`raft-log.ts`).
    log.saveCommit(index);
  };

  /** Sends responses that had to wait for a write; those to this node itself step Raft. */
  const deliver = (responses: readonly Message[]): void => {
    for (const response of responses) {
      // A response to this node itself is its own acknowledgement or vote, which counts in its quorum only from here on.
      if (response.to === raftId) raw.step(response);
      else options.send(response);
    }
  };

  const save = (message: Message): void => {
    log.save(message, () => {
      if (progress.isStopped) return;
      const { snapshot } = message;
      // A received snapshot takes effect when it is durable: a node that showed its state and then lost it in a crash would
      // go back in time.
      if (snapshot !== undefined) {
        progress.confState = snapshot.confState;
        progress.appliedIndex = snapshot.index;
        options.restore(snapshot);
      }
      deliver(message.responses);
      drain();
    });
  };

  const carryOut = (ready: Ready): void => {
    for (const { requestContext, index } of ready.readStates) {
      // Ids of reads are plain ASCII (`reads.ts`), and `heartbeatRead` is no id.
      options.readable(latin1Text(requestContext), index);
    }
    // In the order of the Ready. Appends and applications are local "threads" of Raft; applications run synchronously, so
    // every committed entry is applied within the turn in which its commitment became known.
    for (const message of ready.messages) {
      if (message.to === localAppendThread) {
        save(message);
      } else if (message.to === localApplyThread) {
        message.entries.forEach(applyEntry);
        deliver(message.responses);
      } else {
        options.send(message);
      }
    }
  };

  const drain = (): void => {
    if (isDraining || progress.isStopped) return;
    isDraining = true;
    // `changed` comes once at the end, outside the loop: the steps that it runs see Raft between two messages.
    try {
      while (raw.hasReady()) carryOut(raw.ready());
    } finally {
      isDraining = false;
    }
    options.changed();
  };
  return drain;
}

function confStateOf(configuration: Configuration): ConfState {
  const { incoming, outgoing, learners, learnersNext, autoLeave } = configuration;
  const ascending = (ids: ReadonlySet<number>): number[] => [...ids].toSorted((a, b) => a - b);
  return {
    voters: ascending(incoming),
    learners: ascending(learners),
    votersOutgoing: ascending(outgoing),
    learnersNext: ascending(learnersNext),
    autoLeave,
  };
}

function isSameConfState(a: ConfState, b: ConfState): boolean {
  return JSON.stringify(Object.values(a)) === JSON.stringify(Object.values(b));
}
