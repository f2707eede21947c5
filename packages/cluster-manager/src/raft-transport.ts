/**
 * Transport of Raft's messages: addresses of Raft ids, authorisation of senders, and messages that arrive early.
 *
 * A message under a Raft id counts as a vote or an acknowledgement of that member, so a node may send only under its own
 * id (`maySendAs`): another node's acknowledgement of an entry that it does not hold could commit the entry without a
 * majority. A lost sender's late messages are dropped, since they may come from a former process.
 *
 * Messages that arrive before this node has its own Raft id, while the answer to its join request is on its way or being
 * written, are kept, the last 64 of them; otherwise the first snapshot would be sent in vain.
 */
import type { ClusterState } from "@orrery/cluster-state";
import { rareLog, type Host, type Transport } from "@orrery/ports";
import { actions, encodeRaftMessage } from "@orrery/protocol";
import type { Message } from "@orrery/raft";
import { emptyBytes, type NodeId } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";
import { readWireMessage } from "./wire-messages.ts";

/** Time limit for sending a snapshot. Until it is answered or expires, Raft sends the member no entries. */
const snapshotTimeoutMs = 30_000;
const earlyMessagesMost = 64;

export interface RaftTransportOptions {
  readonly host: Host;
  readonly transport: Transport;
  /** Whether the connection to the node is lost. */
  readonly isLost: (nodeId: NodeId) => boolean;
  readonly state: () => ClusterState;
  /** The Raft id of this node; 0 before it has one. */
  readonly raftId: () => number;
  readonly consensus: () => Consensus | undefined;
  readonly isStopped: () => boolean;
}

/** Messages of this node to and from the other members. */
export interface RaftTransport {
  /** The node behind a Raft id: by the applied state, else by a message or an answer that came from it. */
  nodeIdOf(raftId: number): NodeId | undefined;
  /** Sends to another member. A message to an unknown id is dropped; snapshots travel as requests on the channel `recovery`. */
  send(message: Message): void;
  /** Notes the node behind a Raft id that the applied state does not have yet. */
  learnAddress(raftId: number, nodeId: NodeId): void;
  /** Steps the messages that arrived before the consensus existed, in their order. */
  deliverEarly(to: Consensus): void;
}

/** Registers the two handlers of Raft's messages. */
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

  /** Steps Raft. Malformed messages are logged, at a limited rate; rejections that occur in normal operation are not. */
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
    // Addressed to a former Raft id of this node, whose log it no longer has.
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

/** Sends a snapshot as a request, whose answer says that it arrived, and reports the outcome to Raft. */
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

/** Addresses by Raft id: those of the applied state, then those learnt from messages. */
function createRaftAddresses(
  raftIds: () => RaftIds,
): Pick<RaftTransport, "nodeIdOf" | "learnAddress"> {
  const senders = new Map<number, NodeId>();
  let inverse: { readonly of: RaftIds; readonly ids: ReadonlyMap<number, NodeId> } | undefined;
  return {
    // Called for every message; the inverse map is computed once for each version of the ids.
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
 * Whether the node `from` may send under the Raft id `id`. A node with an id in the applied state sends under that id
 * alone, and no other node does. The applied state may lag, so ids that it does not know yet are decided leniently.
 */
export function maySendAs(
  known: {
    readonly raftIds: RaftIds;
    readonly nextRaftId: number;
    /** Raft id of this node, under which no other may send; 0 while it has none. */
    readonly ownId: number;
    /** The node behind `id`, as far as it is known. */
    readonly owner: NodeId | undefined;
  },
  id: number,
  from: NodeId,
): boolean {
  const { raftIds, owner } = known;
  const own = raftIds.get(from);
  if (id === known.ownId) return false;
  // After a lost log the sender has a later id, which the applied state of a lagging node does not contain.
  if (own !== undefined) return own === id || id >= known.nextRaftId;
  // The sender has no id in the applied state; it may own this one if the known owner has none there either.
  return owner === undefined || !raftIds.has(owner);
}
