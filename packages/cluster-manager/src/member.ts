/**
 * Membership of this node in the Raft group: its applied log, its durable log and the driver of Raft, through the life
 * of a process.
 *
 * The consensus exists only while the node has a Raft id and a complete log. `start` creates it from the store,
 * `bootstrap` for a new cluster, `join` when an elected cluster manager has assigned an id. A change of the id discards
 * it, and so does a halt, after a failure of the store or of the applied log.
 *
 * INV-STORE-2: what the node acknowledged under a Raft id is in its store, or it does not act under that id. Each change
 * of the id is durable before the consensus of that id is created.
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

/** Applied entries, or bytes of them, after which a snapshot is made and the log compacted. */
const snapshotEntries = 1000;
const snapshotBytes = 16 * 1024 * 1024;

export interface MemberOptions {
  readonly host: Host;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  readonly rules: Rules;
  readonly tickMs: number;
  /** Whether the connection to the node is lost; messages that still arrive from it are dropped. */
  readonly isLost: (nodeId: NodeId) => boolean;
  /** Called for each applied or skipped entry and each restored snapshot; without a proposal only the index advanced. */
  readonly applied: (entry: {
    readonly index: number;
    readonly term: number;
    readonly hasProposal: boolean;
  }) => void;
  readonly readable: (id: string, index: number) => void;
  /** Called after each round of Raft, and when the consensus is created or discarded. */
  readonly changed: () => void;
}

/** The membership of one process. */
export interface Member {
  readonly log: AppliedLog;
  /** Undefined before the node has a Raft id, with a lost log, while an id is being written, and once halted. */
  readonly consensus: Consensus | undefined;
  /** 0 before the node has one. */
  readonly raftId: number;
  /** Whether the node stopped taking part because it cannot store or apply the log. A restart, or a repair, ends that. */
  readonly isHalted: boolean;
  /**
   * Why part of what this node acknowledged is missing in its store; undefined when nothing is. The node then neither
   * votes nor is elected, but belongs to its cluster: it waits until an elected cluster manager assigns it another Raft
   * id, under which it receives the log anew.
   */
  readonly loss: string | undefined;
  /** Entries that this node has skipped, or will skip by an operator's decision. */
  readonly passedOver: PassedOver;
  /**
   * Last index of the log and term of the hard state, as the store had them when this process started; both 0 without a
   * log. A lost process of this node may have acknowledged more.
   */
  readonly started: Position;
  /** Opens the log in the store, if there is one. */
  start(): void;
  /** Writes the first log of a new cluster, and opens it. */
  bootstrap(): void;
  /**
   * Adopts the assigned Raft id, if it is another one. `from` is the elected cluster manager, which will send the log.
   * `isRolledBack`: the log in the store is older than what was acknowledged, and is discarded.
   */
  join(
    raftId: number,
    from: { readonly id: NodeId; readonly raftId: number },
    isRolledBack: boolean,
  ): void;
  nodeIdOf(raftId: number): NodeId | undefined;
  stop(): Promise<void>;
}

/** Mutable state of the membership. */
interface Membership {
  raftId: number;
  raftLog: RaftLog | undefined;
  consensus: Consensus | undefined;
  loss: string | undefined;
  started: Position | undefined;
  isStopped: boolean;
  isHalted: boolean;
  /** Entries and bytes that were applied since the last snapshot. */
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

/** Parts that the functions below share. */
interface MemberParts {
  readonly options: MemberOptions;
  readonly log: AppliedLog;
  readonly guarded: GuardedLog;
  readonly raftTransport: RaftTransport;
  readonly membership: Membership;
  /** Halts the node after a failed write to the store. */
  readonly haltOnStoreFailure: (error: unknown) => void;
}

/** A member without a log, which receives messages and keeps early ones. */
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
  /** Opens the log once a write is durable: the consensus must not act under an id that a crash would take back. */
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
      // At once, and not when it is durable: the step that bootstraps must not run a second time meanwhile.
      membership.raftId = firstRaftId;
      openAfter(saveFirstSnapshot(host.store, firstRaftId, encodeSnapshotData(state, [])));
    },
    join(assigned, from, isRolledBack) {
      // The state that will name the elected cluster manager's Raft id is what it is about to send.
      raftTransport.learnAddress(from.raftId, from.id);
      if (assigned !== membership.raftId) openAfter(adoptRaftId(parts, assigned, isRolledBack));
    },
    nodeIdOf: raftTransport.nodeIdOf,
    async stop() {
      membership.isStopped = true;
      membership.consensus?.stop();
      // Writes under way become durable before the node closes the store.
      await membership.raftLog?.flush();
    },
  };
}

/**
 * Adopts a Raft id; the returned promise ends when that is durable. The former consensus stops first, in the same turn:
 * from here on this process answers nothing under the former id. With a lost or rolled-back log the store starts over:
 * what is left in it was acknowledged under the former id only.
 */
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
  host.log("warn", `receives the cluster state anew, as Raft member [${assigned}]`);
  return startOver(host.store, localNode, assigned);
}

/**
 * Opens the stored log: restores the snapshot, then creates the consensus, which applies the entries behind it that are
 * known to be committed. A loss leaves the node without a consensus; a snapshot or an entry in quarantine halts it.
 */
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
  // A new node, which waits for an assigned id or for bootstrap.
  if (membership.raftId === 0) return;
  guarded.load(stored);
  if (member.snapshot !== undefined && !guarded.restore(member.snapshot)) return;
  const opened = openRaftLog(host.store, member.stored, parts.haltOnStoreFailure);
  const raftLog = traceSavedEntries(opened, host.trace, localNode.id);
  membership.raftLog = raftLog;
  const { storage } = raftLog;
  // Kept from the first opening: a later one, after `join`, finds a log that is younger than this process.
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
  // A quarantined entry is applied again before this node sends or answers anything: it either fails again, and the node
  // halts unseen, or is released.
  if (guarded.isInQuarantine) consensus.resume();
  if (membership.isHalted) return;
  // Among them, for a node that has just joined, the snapshot or the first entries of its log.
  raftTransport.deliverEarly(consensus);
  options.changed();
}

/** The callbacks of the driver: messages, applied entries, snapshots, reads. */
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
      // Neither traced nor reported: to the cluster this node has not applied the entry.
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

/** Makes a snapshot, which compacts the log, when enough was applied since the last one. */
function compactLog(membership: Membership): void {
  const { entries, bytes } = membership.sinceSnapshot;
  if (entries < snapshotEntries && bytes < snapshotBytes) return;
  membership.sinceSnapshot = noMembership.sinceSnapshot;
  membership.consensus?.saveSnapshot();
}

/** Ends all participation in the Raft group; the role goes on answering health checks, as unhealthy. */
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
  "This node does not vote until an elected cluster manager sends it the cluster state anew; when too few other nodes can elect one, [orrery node repair] accepts the part that is left";

/** Number of voters, for the trace; 0 in a joint configuration, which has no single number. */
function votersIn({ voters, votersOutgoing }: ConfState): number {
  return votersOutgoing.length > 0 ? 0 : voters.length;
}
