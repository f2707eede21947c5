/**
 * This node as a member of the Raft group: its log, its driver, and the paths of Raft's messages.
 *
 * It may become one late (a joiner gets its id from the elected cluster manager); messages that come before are kept.
 */
import { rareLog, type Host, type Transport } from "@orrery/ports";
import { actions, encodeRaftMessage } from "@orrery/protocol";
import type { ConfState, Entry, Message, Snapshot } from "@orrery/raft";
import { crc32c, emptyBytes, wordsOf, type NodeId } from "@orrery/stdx";
import { createAppliedLog, encodeSnapshotData, type AppliedLog } from "./applied-log.ts";
import { firstRaftId, firstState } from "./bootstrap.ts";
import { createConsensus, type Consensus } from "./consensus.ts";
import {
  describeQuarantine,
  quarantineOf,
  readQuarantine,
  readSkipped,
  saveQuarantine,
  type PassedOver,
  type Position,
  type Quarantine,
} from "./quarantine.ts";
import {
  openRaftLog,
  readMember,
  saveFirstSnapshot,
  saveRaftId,
  startOver,
  type RaftLog,
} from "./raft-log.ts";
import { readWireMessage } from "./wire-messages.ts";
import {
  initialState,
  type ClusterState,
  type DiscoveryNode,
  type Rules,
} from "@orrery/cluster-state";

/** Entries, or bytes of entries, after which the log is cut. */
const snapshotEntries = 1000;
const snapshotBytes = 16 * 1024 * 1024;
/** Until it is answered or given up the member is sent nothing else. */
const snapshotTimeoutMs = 30_000;
const earlyMessagesMost = 64;

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

export function createMember(options: MemberOptions): Member {
  const { host, transport, localNode } = options;
  const random = host.random("consensus");
  const tellRefused = rareLog(host.log, host.clock);
  const log = createAppliedLog(initialState(options.clusterName), options.rules);
  /** From whom messages came; the state knows the others. */
  const senders = new Map<number, NodeId>();
  let raftId = 0;
  let raftLog: RaftLog | undefined;
  let consensus: Consensus | undefined;
  let early: { readonly message: Message; readonly from: NodeId }[] = [];
  let entriesSince = 0;
  let bytesSince = 0;
  let isStopped = false;
  let isHalted = false;
  let loss: string | undefined;
  let started: Position | undefined;
  /** As it is in the store. */
  let quarantine: Quarantine | undefined;
  let skipped: readonly Position[] = [];
  let byRaftId:
    | {
        readonly of: ClusterState["metadata"]["coordination"]["raftIds"];
        readonly ids: ReadonlyMap<number, NodeId>;
      }
    | undefined;

  const nodeIdOf = (id: number): NodeId | undefined => {
    const { raftIds } = log.state.metadata.coordination;
    if (byRaftId?.of !== raftIds) {
      byRaftId = {
        of: raftIds,
        ids: new Map([...raftIds].map(([nodeId, other]) => [other, nodeId])),
      };
    }
    return byRaftId.ids.get(id) ?? senders.get(id);
  };

  const sendSnapshot = async (to: NodeId, message: Message): Promise<void> => {
    const outcome = await transport
      .request(to, actions.consensusSnapshot, encodeRaftMessage(message), {
        channel: "recovery",
        timeoutMs: snapshotTimeoutMs,
      })
      .then(
        () => "finished" as const,
        () => "failed" as const,
      );
    if (!isStopped) consensus?.reportSnapshot(message.to, outcome);
  };

  const send = (message: Message): void => {
    const to = nodeIdOf(message.to);
    if (to === undefined) return;
    if (message.kind === "MsgSnap") void sendSnapshot(to, message);
    else transport.send(to, actions.consensus, encodeRaftMessage(message), "state");
  };

  /** A member speaks for itself alone: a node that the state gives a Raft id sends under that one, and nobody else does. */
  const isOf = (id: number, from: NodeId): boolean => {
    const { raftIds, nextRaftId } = log.state.metadata.coordination;
    const own = raftIds.get(from);
    if (id === raftId) return false;
    // One that lost its log has a later id, of which a node that is behind has not heard yet.
    if (own !== undefined) return own === id || id >= nextRaftId;
    // The sender has no id in the state: neither has a node that may be the owner, itself included.
    const owner = nodeIdOf(id);
    return owner === undefined || !raftIds.has(owner);
  };

  const hand = (to: Consensus, message: Message, from: NodeId): void => {
    const refusal = to.receive(message);
    if (refusal !== "step-implausible-message" && refusal !== "step-local-message") return;
    tellRefused(`refused [${message.kind}] of term [${message.term}] from [${from}]`);
  };

  const receive = (message: Message, from: NodeId): void => {
    if (isStopped || options.isLost(from)) return;
    if (!isOf(message.from, from)) {
      tellRefused(`refused [${message.kind}] from [${from}], which is not [${message.from}]`);
      return;
    }
    if (consensus === undefined) {
      // The answer to the join request is still on its way, or being written.
      senders.set(message.from, from);
      early = [...early, { message, from }].slice(-earlyMessagesMost);
      return;
    }
    if (message.to !== raftId) return;
    senders.set(message.from, from);
    hand(consensus, message, from);
  };

  const cutLog = (): void => {
    if (entriesSince < snapshotEntries && bytesSince < snapshotBytes) return;
    entriesSince = 0;
    bytesSince = 0;
    consensus?.saveSnapshot();
  };

  const halt = (): void => {
    consensus?.stop();
    consensus = undefined;
    isStopped = true;
    isHalted = true;
    options.changed();
  };

  const logUnkept = (error: unknown): void =>
    host.log("error", `cannot keep the cluster state: ${wordsOf(error)}`);

  const haltUnkept = (error: unknown): void => {
    logUnkept(error);
    halt();
  };

  const traceSaved = (opened: RaftLog, entries: readonly Entry[]): void => {
    const { id: nodeId } = localNode;
    for (const [i, { index, term, data }] of entries.entries()) {
      const previousTerm = entries[i - 1]?.term ?? termAt(opened, index - 1);
      const digest = crc32c(data);
      host.trace({ kind: "log-entry-saved", nodeId, index, term, previousTerm, digest });
    }
  };

  /** An earlier life may have ended between the write of its last entries and word of it. */
  const traced = (opened: RaftLog): RaftLog => {
    traceSaved(opened, lastEntry(opened));
    return {
      ...opened,
      save: (message, done) =>
        opened.save(message, () => {
          traceSaved(opened, message.entries);
          done();
        }),
    };
  };

  const enterQuarantine = (found: Quarantine): void => {
    const { index, term, reason } = found;
    host.log("error", describeQuarantine(found));
    host.trace({ kind: "log-entry-quarantined", nodeId: localNode.id, index, term, reason });
    // The next start is to come to the same entry before it takes part in anything.
    raftLog?.saveCommit(index);
    if (JSON.stringify(quarantine) !== JSON.stringify(found)) {
      saveQuarantine(host.store, found).catch(logUnkept);
    }
    halt();
  };

  /** False: the entry, or the snapshot, is in quarantine, and so is everything after it. */
  const isApplied = (
    position: Position,
    data: Uint8Array | undefined,
    apply: () => void,
  ): boolean => {
    if (isHalted) return false;
    try {
      apply();
    } catch (error) {
      enterQuarantine(quarantineOf(position, data, error));
      return false;
    }
    if (quarantine !== undefined && quarantine.index <= position.index) {
      host.log("warn", `goes on behind entry [${quarantine.index}], which was in quarantine`);
      quarantine = undefined;
      saveQuarantine(host.store, undefined).catch(haltUnkept);
    }
    return true;
  };

  const isSkipped = ({ index, term }: Position): boolean =>
    skipped.some((one) => one.index === index && one.term === term);

  const isRestored = (snapshot: Snapshot): boolean =>
    isApplied(snapshot, undefined, () => log.restore(snapshot));

  const tellLoss = (reason: string): void => {
    loss = reason;
    host.log("error", `${reason}. ${afterLoss}`);
  };

  /** The store holds the id and, from an earlier life, a log. */
  const open = (): void => {
    const stored = host.store.load();
    for (const repaired of stored.repairs) host.log("warn", repaired);
    if (stored.loss !== undefined) {
      tellLoss(stored.loss);
      return;
    }
    loss = undefined;
    const member = readMember(stored);
    raftId = member.raftId;
    if (raftId === 0) return;
    quarantine = readQuarantine(stored);
    skipped = readSkipped(stored);
    if (member.snapshot !== undefined && !isRestored(member.snapshot)) return;
    raftLog = traced(openRaftLog(host.store, member.stored, haltUnkept));
    const { storage } = raftLog;
    started ??= { index: storage.lastIndex(), term: storage.initialState().hardState.term };
    consensus = createConsensus({
      raftId,
      tickMs: options.tickMs,
      clock: host.clock,
      random,
      log: raftLog,
      send,
      apply(entry) {
        const { index, term, data } = entry;
        const isPassedOver = isSkipped(entry);
        const apply = (): void => (isPassedOver ? log.passOver(entry) : log.apply(entry));
        if (!isApplied(entry, data, apply)) return;
        const digest = crc32c(data);
        const voters = consensus === undefined ? 0 : votersIn(consensus.confState);
        host.trace({
          kind: "log-entry-applied",
          nodeId: localNode.id,
          index,
          term,
          digest,
          voters,
        });
        entriesSince += 1;
        bytesSince += entry.data.length;
        options.applied({ ...entry, hasProposal: !isPassedOver && data.length > 0 });
      },
      restore(snapshot) {
        if (!isRestored(snapshot)) return;
        options.applied({ index: snapshot.index, term: snapshot.term, hasProposal: false });
      },
      snapshotData: log.snapshot,
      readable: options.readable,
      changed() {
        cutLog();
        options.changed();
      },
    });
    if (quarantine !== undefined) consensus.resume();
    if (isHalted) return;
    const waiting = early;
    early = [];
    for (const { message, from } of waiting)
      if (message.to === raftId && isOf(message.from, from)) hand(consensus, message, from);
    options.changed();
  };

  const openAfter = (written: Promise<void>): void => {
    written.then(() => {
      if (!isStopped) open();
    }, haltUnkept);
  };

  transport.handleOneWay(
    actions.consensus,
    (payload) => readWireMessage(payload, "one-way"),
    (message, { from }) => receive(message, from),
  );
  transport.handle(actions.consensusSnapshot, async (payload, { from }) => {
    receive(readWireMessage(payload, "snapshot"), from);
    return emptyBytes;
  });

  return {
    log,
    get consensus() {
      return consensus;
    },
    get raftId() {
      return raftId;
    },
    get isHalted() {
      return isHalted;
    },
    get loss() {
      return loss;
    },
    get passedOver() {
      return { skipped: [...log.skipped, ...skipped], appliedIndex: log.index };
    },
    get started() {
      return started ?? { index: 0, term: 0 };
    },
    start: open,
    bootstrap() {
      const state = firstState(options.clusterName, localNode);
      raftId = firstRaftId;
      openAfter(saveFirstSnapshot(host.store, firstRaftId, encodeSnapshotData(state, [])));
    },
    join(assigned, from, isRolledBack) {
      senders.set(from.raftId, from.id);
      if (assigned === raftId) return;
      consensus?.stop();
      consensus = undefined;
      raftId = assigned;
      if (isRolledBack && loss === undefined) {
        tellLoss("the store of this node is older than what this node has acknowledged");
        log.reset();
      }
      if (loss === undefined) {
        openAfter(saveRaftId(host.store, assigned));
        return;
      }
      host.log("warn", `holds the cluster state anew, as Raft member [${assigned}]`);
      openAfter(startOver(host.store, localNode, assigned));
    },
    nodeIdOf,
    async stop() {
      isStopped = true;
      consensus?.stop();
      await raftLog?.flush();
    },
  };
}

const afterLoss =
  "This node does not vote until an elected cluster manager lets it hold the cluster state anew; when too few other nodes can elect one, [orrery node repair] takes what is left";

/** 0 when the log does not reach back so far. */
function termAt({ storage }: RaftLog, index: number): number {
  const term = storage.term(index);
  return typeof term === "number" ? term : 0;
}

function lastEntry({ storage }: RaftLog): readonly Entry[] {
  const last = storage.lastIndex();
  const entries = last < storage.firstIndex() ? [] : storage.entries(last, last + 1, Infinity);
  return typeof entries === "string" ? [] : entries;
}

function votersIn({ voters, votersOutgoing }: ConfState): number {
  return votersOutgoing.length > 0 ? 0 : voters.length;
}
