/**
 * The driver of Raft: gives it ticks and messages, carries out what it asks for, in the order it asks for it.
 *
 * Raft's own words (leader, follower, candidate) end in this file; outside, the leader is the elected cluster manager.
 * What must not be said before it is durable waits for the log (`raft-log.ts`): Raft attaches it to the write.
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

/** At the default intervals of fault detection. */
const leastTickMs = 100;
const mostTickMs = 1000;
const heartbeatTicks = 2;
/** At least 3 s, twice that at most, until a silent cluster manager is replaced; a lost connection is noticed at once. */
const electionTicks = 30;
/** A read that nobody waits for: its round of heartbeats is what is wanted. */
const heartbeatRead = Uint8Array.of(0);

/** Whoever lets nodes check each other less often lets Raft, too: a tenth of the interval. */
export function tickFor(checkIntervalMs: number): number {
  return Math.min(mostTickMs, Math.max(leastTickMs, checkIntervalMs / 10));
}

export interface ConsensusOptions {
  readonly raftId: number;
  readonly tickMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: RaftLog;
  /** Fire and forget, to another member. */
  send(message: Message): void;
  /** Every committed entry, in order; `data` is empty for those that carry no proposal. */
  apply(entry: { readonly index: number; readonly term: number; readonly data: Uint8Array }): void;
  restore(snapshot: Snapshot): void;
  /** The state as applied now, for a snapshot. */
  snapshotData(): Uint8Array;
  /** A read that was asked for may be served from the state at this index. */
  readable(id: string, index: number): void;
  /** Something may have changed: who is elected, the configuration, how far members are. */
  changed(): void;
}

export interface Consensus {
  readonly raftId: number;
  /** Raft id of the elected cluster manager this member follows (or is); 0 when it knows none. */
  readonly electedId: number;
  readonly isElected: boolean;
  readonly term: number;
  readonly appliedIndex: number;
  readonly committedIndex: number;
  readonly confState: ConfState;
  configuration(): Configuration;
  /** How far another member is, as far as the elected cluster manager knows. */
  progressOf(raftId: number): ProgressStatus | undefined;
  isTransferring(): boolean;
  /** Why it was not taken; undefined when it was. */
  receive(message: Message): StepRejection | undefined;
  /** Applies now what is known to be committed, without waiting for a tick or a message. */
  resume(): void;
  /** False: not taken, and it never will be. */
  propose(data: Uint8Array): boolean;
  changeConfiguration(changes: readonly ConfChangeSingle[]): boolean;
  requestRead(id: Uint8Array): void;
  /** Asks all members for a sign of life now: who has just become reachable need not wait for the next heartbeat. */
  wake(): void;
  campaign(): void;
  /** The connection to the elected cluster manager is lost: do not wait for it, and grant votes to others. */
  forgetElected(): void;
  /** The elected cluster manager gives up, because too few voters can hear it. */
  stepDown(): void;
  transferTo(raftId: number): void;
  reportUnreachable(raftId: number): void;
  reportSnapshot(raftId: number, outcome: "finished" | "failed"): void;
  /** Cuts the log behind what is applied. */
  saveSnapshot(): void;
  stop(): void;
}

/** How far this member is. */
interface Progress {
  confState: ConfState;
  appliedIndex: number;
  isStopped: boolean;
}

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
  /** Lets Raft work on what it was just told. */
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
      // Check-quorum looks once in an election timeout at who was heard since it last looked.
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

function configOf({ raftId, random, log }: ConsensusOptions): Config {
  return {
    id: raftId,
    electionTick: electionTicks,
    heartbeatTick: heartbeatTicks,
    randomizedElectionTimeout: (ticks) => random.int(ticks, 2 * ticks - 1),
    applied: snapshotIndex(log),
    asyncStorageWrites: true,
    maxSizePerMsg: 1024 * 1024,
    maxInflightMsgs: 256,
    checkQuorum: true,
    preVote: true,
    disableProposalForwarding: true,
    stepDownOnRemoval: true,
  };
}

/** A node ignores a snapshot whose configuration does not name it, so an old one will not do for a new member. */
function currentSnapshot(
  { log, snapshotData }: ConsensusOptions,
  { appliedIndex }: Progress,
  raw: RawNode,
): Snapshot | "unavailable" {
  const members = confStateOf(raw.status().configuration);
  const last = log.storage.snapshot();
  if (last !== "unavailable" && isSameConfState(last.confState, members)) return last;
  log.saveSnapshot(appliedIndex, members, snapshotData());
  return log.storage.snapshot();
}

/** Carries out what Raft asks for, in its order, until it asks for nothing more; calls on the way add to the same round. */
function createDrain(options: ConsensusOptions, progress: Progress, raw: RawNode): () => void {
  const { raftId, log } = options;
  let isDraining = false;

  const applyEntry = (entry: Entry): void => {
    const { index, term } = entry;
    progress.appliedIndex = index;
    const isChange = entry.kind !== "EntryNormal";
    // First, because Raft sends snapshots of what is applied as soon as it knows the new members.
    options.apply({ index, term, data: isChange ? emptyBytes : entry.data });
    if (!isChange) return;
    const change = defined(decodeConfChange(entry), "a configuration change");
    progress.confState = raw.applyConfChange(change, index);
    log.saveCommit(index);
  };

  const deliver = (responses: readonly Message[]): void => {
    for (const response of responses) {
      if (response.to === raftId) raw.step(response);
      else options.send(response);
    }
  };

  const save = (message: Message): void => {
    log.save(message, () => {
      if (progress.isStopped) return;
      const { snapshot } = message;
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
      // Read requests are named by plain ASCII.
      options.readable(latin1Text(requestContext), index);
    }
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
