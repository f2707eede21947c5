/**
 * This node as a member of the Raft group: its log and its driver.
 *
 * It may become one late: a joiner gets its id from the elected cluster manager.
 */
import { initialState, type DiscoveryNode, type Rules } from "@orrery/cluster-state";
import type { Host, Transport } from "@orrery/ports";
import type { ConfState } from "@orrery/raft";
import { crc32c, wordsOf, type NodeId } from "@orrery/stdx";
import { createAppliedLog, encodeSnapshotData, type AppliedLog } from "./applied-log.ts";
import { firstRaftId, firstState } from "./bootstrap.ts";
import { createConsensus, type Consensus, type ConsensusOptions } from "./consensus.ts";
import { createGuardedLog, type GuardedLog } from "./guarded-log.ts";
import type { PassedOver, Position } from "./quarantine.ts";
import { createRaftTransport, type RaftTransport } from "./raft-transport.ts";
import {
  openRaftLog,
  readMember,
  saveFirstSnapshot,
  saveRaftId,
  startOver,
  type RaftLog,
} from "./raft-log.ts";
import { traceSavedEntries } from "./saved-entries.ts";

/** Entries, or bytes of entries, after which the log is cut. */
const snapshotEntries = 1000;
const snapshotBytes = 16 * 1024 * 1024;

export interface MemberOptions {
  readonly host: Host;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  readonly rules: Rules;
  readonly tickMs: number;
  /** Messages from this node are late ones: it was lost. */
  readonly isLost: (nodeId: NodeId) => boolean;
  /** The state changed, or only the index did. */
  readonly applied: (entry: {
    readonly index: number;
    readonly term: number;
    readonly hasProposal: boolean;
  }) => void;
  readonly readable: (id: string, index: number) => void;
  readonly changed: () => void;
}

export interface Member {
  readonly log: AppliedLog;
  readonly consensus: Consensus | undefined;
  readonly raftId: number;
  /** It cannot keep the log, or cannot apply it: it takes part in nothing until it is repaired or started again. */
  readonly isHalted: boolean;
  /**
   * Why not all that this node acknowledged is in its store. It neither votes nor leads, and belongs to a cluster all the same: it
   * waits for an elected cluster manager that lets it hold the log anew, under another Raft id.
   */
  readonly loss: string | undefined;
  /** Entries that the operator will have this node pass over count, too. */
  readonly passedOver: PassedOver;
  /** Last index and term of the log as the store had them when this process started. */
  readonly started: Position;
  /** Takes up the log that is in the store, if there is one. */
  start(): void;
  /** Makes the first log of a new cluster. */
  bootstrap(): void;
  /** Holds a log under this id, fed by that node; anew when what is in the store is older than what was acknowledged. */
  join(
    raftId: number,
    from: { readonly id: NodeId; readonly raftId: number },
    isRolledBack: boolean,
  ): void;
  nodeIdOf(raftId: number): NodeId | undefined;
  stop(): Promise<void>;
}

/** How far this node's life as a member has come. */
interface Membership {
  raftId: number;
  raftLog: RaftLog | undefined;
  consensus: Consensus | undefined;
  loss: string | undefined;
  started: Position | undefined;
  isStopped: boolean;
  isHalted: boolean;
  /** Entries and bytes that were applied since the log was cut. */
  sinceSnapshot: { readonly entries: number; readonly bytes: number };
}

const noMembership: Membership = {
  raftId: 0,
  raftLog: undefined,
  consensus: undefined,
  loss: undefined,
  started: undefined,
  isStopped: false,
  isHalted: false,
  sinceSnapshot: { entries: 0, bytes: 0 },
};

/** The parts of a member that its work goes through. */
interface MemberParts {
  readonly options: MemberOptions;
  readonly log: AppliedLog;
  readonly guarded: GuardedLog;
  readonly raftTransport: RaftTransport;
  readonly membership: Membership;
  /** The store does not take the log. */
  readonly haltOnStoreFailure: (error: unknown) => void;
}

export function createMember(options: MemberOptions): Member {
  const { host, transport, localNode } = options;
  const random = host.random("consensus");
  const log = createAppliedLog(initialState(options.clusterName), options.rules);
  const membership: Membership = { ...noMembership };
  const logStoreFailure = (error: unknown): void =>
    host.log("error", `cannot keep the cluster state: ${wordsOf(error)}`);
  const haltOnStoreFailure = (error: unknown): void => {
    logStoreFailure(error);
    halt(options, membership);
  };
  const guarded = createGuardedLog({
    host,
    localNode,
    log,
    isHalted: () => membership.isHalted,
    saveCommit: (index) => membership.raftLog?.saveCommit(index),
    quarantined: () => halt(options, membership),
    quarantineNotSaved: logStoreFailure,
    releaseNotSaved: haltOnStoreFailure,
  });
  const raftTransport = createRaftTransport({
    host,
    transport,
    isLost: options.isLost,
    state: () => log.state,
    raftId: () => membership.raftId,
    consensus: () => membership.consensus,
    isStopped: () => membership.isStopped,
  });
  const parts: MemberParts = {
    options,
    log,
    guarded,
    raftTransport,
    membership,
    haltOnStoreFailure,
  };
  const start = (): void => openMember(parts, random);
  const openAfter = (written: Promise<void>): void => {
    written.then(() => {
      if (!membership.isStopped) start();
    }, haltOnStoreFailure);
  };

  return {
    log,
    get consensus() {
      return membership.consensus;
    },
    get raftId() {
      return membership.raftId;
    },
    get isHalted() {
      return membership.isHalted;
    },
    get loss() {
      return membership.loss;
    },
    get passedOver() {
      return { skipped: [...log.skipped, ...guarded.skipped], appliedIndex: log.index };
    },
    get started() {
      return membership.started ?? { index: 0, term: 0 };
    },
    start,
    bootstrap() {
      const state = firstState(options.clusterName, localNode);
      membership.raftId = firstRaftId;
      openAfter(saveFirstSnapshot(host.store, firstRaftId, encodeSnapshotData(state, [])));
    },
    join(assigned, from, isRolledBack) {
      raftTransport.learnAddress(from.raftId, from.id);
      if (assigned !== membership.raftId) openAfter(adoptRaftId(parts, assigned, isRolledBack));
    },
    nodeIdOf: raftTransport.nodeIdOf,
    async stop() {
      membership.isStopped = true;
      membership.consensus?.stop();
      await membership.raftLog?.flush();
    },
  };
}

/** Writes that the node holds the log under this id; anew when what is in its store is not what it acknowledged. */
function adoptRaftId(
  { options, log, membership }: MemberParts,
  assigned: number,
  isRolledBack: boolean,
): Promise<void> {
  const { host, localNode } = options;
  membership.consensus?.stop();
  membership.consensus = undefined;
  membership.raftId = assigned;
  if (isRolledBack && membership.loss === undefined) {
    const reason = "the store of this node is older than what this node has acknowledged";
    recordLoss(options, membership, reason);
    log.reset();
  }
  if (membership.loss === undefined) return saveRaftId(host.store, assigned);
  host.log("warn", `holds the cluster state anew, as Raft member [${assigned}]`);
  return startOver(host.store, localNode, assigned);
}

/** The store holds the id and, from an earlier life, a log. */
function openMember(parts: MemberParts, random: ConsensusOptions["random"]): void {
  const { options, guarded, raftTransport, membership } = parts;
  const { host, localNode } = options;
  const stored = host.store.load();
  for (const repaired of stored.repairs) host.log("warn", repaired);
  if (stored.loss !== undefined) {
    recordLoss(options, membership, stored.loss);
    return;
  }
  membership.loss = undefined;
  const member = readMember(stored);
  membership.raftId = member.raftId;
  if (membership.raftId === 0) return;
  guarded.load(stored);
  if (member.snapshot !== undefined && !guarded.restore(member.snapshot)) return;
  const opened = openRaftLog(host.store, member.stored, parts.haltOnStoreFailure);
  const raftLog = traceSavedEntries(opened, host.trace, localNode.id);
  membership.raftLog = raftLog;
  const { storage } = raftLog;
  membership.started ??= {
    index: storage.lastIndex(),
    term: storage.initialState().hardState.term,
  };
  const consensus = createConsensus({
    raftId: membership.raftId,
    tickMs: options.tickMs,
    clock: host.clock,
    random,
    log: raftLog,
    ...consensusEffects(parts),
  });
  membership.consensus = consensus;
  if (guarded.isInQuarantine) consensus.resume();
  if (membership.isHalted) return;
  raftTransport.deliverEarly(consensus);
  options.changed();
}

/** What Raft asks for. */
function consensusEffects({
  options,
  log,
  guarded,
  raftTransport,
  membership,
}: MemberParts): Pick<
  ConsensusOptions,
  "send" | "apply" | "restore" | "snapshotData" | "readable" | "changed"
> {
  const { trace } = options.host;
  return {
    send: raftTransport.send,
    apply(entry) {
      const { index, term, data } = entry;
      const outcome = guarded.apply(entry);
      if (outcome === "quarantined") return;
      const { consensus, sinceSnapshot } = membership;
      const voters = consensus === undefined ? 0 : votersIn(consensus.confState);
      const nodeId = options.localNode.id;
      trace({ kind: "log-entry-applied", nodeId, index, term, digest: crc32c(data), voters });
      membership.sinceSnapshot = {
        entries: sinceSnapshot.entries + 1,
        bytes: sinceSnapshot.bytes + data.length,
      };
      options.applied({ ...entry, hasProposal: outcome === "applied" && data.length > 0 });
    },
    restore(snapshot) {
      if (!guarded.restore(snapshot)) return;
      options.applied({ index: snapshot.index, term: snapshot.term, hasProposal: false });
    },
    snapshotData: log.snapshot,
    readable: options.readable,
    changed() {
      compactLog(membership);
      options.changed();
    },
  };
}

function compactLog(membership: Membership): void {
  const { entries, bytes } = membership.sinceSnapshot;
  if (entries < snapshotEntries && bytes < snapshotBytes) return;
  membership.sinceSnapshot = noMembership.sinceSnapshot;
  membership.consensus?.saveSnapshot();
}

function halt(options: MemberOptions, membership: Membership): void {
  membership.consensus?.stop();
  membership.consensus = undefined;
  membership.isStopped = true;
  membership.isHalted = true;
  options.changed();
}

function recordLoss({ host }: MemberOptions, membership: Membership, reason: string): void {
  membership.loss = reason;
  host.log("error", `${reason}. ${afterLoss}`);
}

const afterLoss =
  "This node does not vote until an elected cluster manager lets it hold the cluster state anew; when too few other nodes can elect one, [orrery node repair] takes what is left";

function votersIn({ voters, votersOutgoing }: ConfState): number {
  return votersOutgoing.length > 0 ? 0 : voters.length;
}
