/**
 * The paths of Raft's messages: which node has a Raft id, which messages a node may send, and those that come before this node has its
 * own id. Those are kept, 64 at most: the answer to the join request is still on its way, or being written.
 */
import type { ClusterState } from "@orrery/cluster-state";
import { rareLog, type Host, type Transport } from "@orrery/ports";
import { actions, encodeRaftMessage } from "@orrery/protocol";
import type { Message } from "@orrery/raft";
import { emptyBytes, type NodeId } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";
import { readWireMessage } from "./wire-messages.ts";

/** Until it is answered or given up the member is sent nothing else. */
const snapshotTimeoutMs = 30_000;
const earlyMessagesMost = 64;

export interface RaftTransportOptions {
  readonly host: Host;
  readonly transport: Transport;
  /** Messages from this node are late ones: it was lost. */
  readonly isLost: (nodeId: NodeId) => boolean;
  readonly state: () => ClusterState;
  /** Of this node. */
  readonly raftId: () => number;
  readonly consensus: () => Consensus | undefined;
  readonly isStopped: () => boolean;
}

export interface RaftTransport {
  /** Also of nodes that are in no state yet, once a message of theirs has come. */
  nodeIdOf(raftId: number): NodeId | undefined;
  send(message: Message): void;
  /** This node has that Raft id, although no state says so. */
  learnAddress(raftId: number, nodeId: NodeId): void;
  /** Messages that came before there was a consensus to take them. */
  deliverEarly(to: Consensus): void;
}

export function createRaftTransport(options: RaftTransportOptions): RaftTransport {
  const { host, transport } = options;
  const logRefused = rareLog(host.log, host.clock);
  const addresses = createRaftAddresses(() => options.state().metadata.coordination.raftIds);
  let early: { readonly message: Message; readonly from: NodeId }[] = [];

  const maySend = (id: number, from: NodeId): boolean => {
    const { raftIds, nextRaftId } = options.state().metadata.coordination;
    const owner = addresses.nodeIdOf(id);
    return maySendAs({ raftIds, nextRaftId, ownId: options.raftId(), owner }, id, from);
  };

  const stepMessage = (to: Consensus, message: Message, from: NodeId): void => {
    const refusal = to.receive(message);
    if (refusal !== "step-implausible-message" && refusal !== "step-local-message") return;
    logRefused(`refused [${message.kind}] of term [${message.term}] from [${from}]`);
  };

  const receive = (message: Message, from: NodeId): void => {
    if (options.isStopped() || options.isLost(from)) return;
    if (!maySend(message.from, from)) {
      logRefused(`refused [${message.kind}] from [${from}], which is not [${message.from}]`);
      return;
    }
    const consensus = options.consensus();
    if (consensus === undefined) {
      addresses.learnAddress(message.from, from);
      early = [...early, { message, from }].slice(-earlyMessagesMost);
      return;
    }
    if (message.to !== options.raftId()) return;
    addresses.learnAddress(message.from, from);
    stepMessage(consensus, message, from);
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
    ...addresses,
    send(message) {
      const to = addresses.nodeIdOf(message.to);
      if (to === undefined) return;
      if (message.kind === "MsgSnap") void sendSnapshot(options, to, message);
      else transport.send(to, actions.consensus, encodeRaftMessage(message), "state");
    },
    deliverEarly(to) {
      const waiting = early;
      early = [];
      for (const { message, from } of waiting)
        if (message.to === to.raftId && maySend(message.from, from)) stepMessage(to, message, from);
    },
  };
}

async function sendSnapshot(
  options: RaftTransportOptions,
  to: NodeId,
  message: Message,
): Promise<void> {
  const outcome = await options.transport
    .request(to, actions.consensusSnapshot, encodeRaftMessage(message), {
      channel: "recovery",
      timeoutMs: snapshotTimeoutMs,
    })
    .then(
      () => "finished" as const,
      () => "failed" as const,
    );
  if (!options.isStopped()) options.consensus()?.reportSnapshot(message.to, outcome);
}

type RaftIds = ClusterState["metadata"]["coordination"]["raftIds"];

/** The nodes behind Raft ids: those that the state names, then those that messages came from. */
function createRaftAddresses(
  raftIds: () => RaftIds,
): Pick<RaftTransport, "nodeIdOf" | "learnAddress"> {
  const senders = new Map<number, NodeId>();
  let inverse: { readonly of: RaftIds; readonly ids: ReadonlyMap<number, NodeId> } | undefined;
  return {
    nodeIdOf(id) {
      const current = raftIds();
      if (inverse?.of !== current) {
        const ids = new Map([...current].map(([nodeId, other]) => [other, nodeId]));
        inverse = { of: current, ids };
      }
      return inverse.ids.get(id) ?? senders.get(id);
    },
    learnAddress: (id, nodeId) => void senders.set(id, nodeId),
  };
}

/**
 * Whether a node may send under a Raft id. A member speaks for itself alone: a node that the state gives an id sends under that one,
 * and no other node does.
 */
export function maySendAs(
  known: {
    readonly raftIds: RaftIds;
    readonly nextRaftId: number;
    /** Of this node, 0 while it has none: no other node sends under it. */
    readonly ownId: number;
    /** The node behind the id, as far as it is known. */
    readonly owner: NodeId | undefined;
  },
  id: number,
  from: NodeId,
): boolean {
  const { raftIds, owner } = known;
  const own = raftIds.get(from);
  if (id === known.ownId) return false;
  // One that lost its log has a later id, of which a node that is behind has not heard yet.
  if (own !== undefined) return own === id || id >= known.nextRaftId;
  // The sender has no id in the state: neither has a node that may be the owner, itself included.
  return owner === undefined || !raftIds.has(owner);
}
