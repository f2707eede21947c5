/**
 * Links to other nodes (`ConnectionManager`): a handshake learns which node is at an address; then there is one
 * connection per channel class, opened when it is first needed. A link is up or lost as a whole: when one of its
 * connections closes, all do.
 */
import type { PeerConnector } from "@orrery/cluster-manager";
import { sameIdProblem, type DiscoveryNode } from "@orrery/cluster-state";
import {
  decodeFrame,
  type ChannelClass,
  type Clock,
  type Frame,
  type FrameKind,
  type Network,
  type Trust,
} from "@orrery/ports";
import { OperationError, wordsOf, type NodeId, type Problem } from "@orrery/stdx";
import {
  openOutbound,
  type OutboundConnection,
  type OutboundEvents,
} from "./outbound-connection.ts";

/** Parameters of links to nodes, which are either those of this cluster or those of remote clusters. */
export interface PeersOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  readonly connectTimeoutMs: number;
  readonly reconnectIntervalMs: number;
  /** The links lead to other clusters: a peer of any cluster is accepted. */
  readonly isRemote?: boolean;
  /** A frame that arrived on a connection of this node. */
  readonly onAnswer: (frame: Frame, bytes: Uint8Array) => void;
  /** One end has refused the other. */
  readonly onUntrusted: (address: string, problem: Problem) => void;
}

export interface Peers extends PeerConnector {
  /** Sends on the link's connection of this class. `full`: its queue has no room, and the frame is not sent. */
  post(to: NodeId, channel: ChannelClass, frame: Uint8Array): "sent" | "full" | "not-connected";
  isConnected(nodeId: NodeId): boolean;
  /**
   * The problem of a node whose id another process has: one that is linked from another address, or this node itself.
   * A restarted process has the address of the earlier one, or comes when the earlier one's link is lost.
   */
  duplicateIdProblem(node: DiscoveryNode): Problem | undefined;
  close(): void;
}

/** A node with its open connections. */
interface Link {
  readonly node: DiscoveryNode;
  readonly connections: Map<ChannelClass, OutboundConnection>;
}

export function createPeers(options: PeersOptions): Peers {
  const { localNode } = options;
  const table = createLinkTable(options);
  const { links, lose, take } = table;
  const connecting = new Map<string, Promise<DiscoveryNode>>();

  const connectionTo = (
    address: string,
    channel: ChannelClass,
    events: OutboundEvents,
  ): OutboundConnection => openConnectionTo(options, address, channel, events);

  const reportUntrusted = (address: string, problem: Problem): void => {
    if (untrustedTypes.has(problem.type)) options.onUntrusted(address, problem);
  };

  const duplicateIdProblem = (node: DiscoveryNode): Problem | undefined => {
    const existing = node.id === localNode.id ? localNode : links.get(node.id)?.node;
    const isDuplicate =
      existing !== undefined &&
      existing.ephemeralId !== node.ephemeralId &&
      existing.transportAddress !== node.transportAddress;
    return isDuplicate ? sameIdProblem(node, existing) : undefined;
  };

  const open = (link: Link, channel: ChannelClass): OutboundConnection => {
    const { id, ephemeralId, transportAddress } = link.node;
    const connection = connectionTo(transportAddress, channel, {
      onAuthenticated: ({ node }) => {
        if (node.id !== id || node.ephemeralId !== ephemeralId)
          lose(link, `[${transportAddress}] is another node now`);
      },
      onFrame: (bytes) => take(link, bytes),
      onClose: (reason, problem) => {
        if (problem !== undefined) reportUntrusted(transportAddress, problem);
        lose(link, reason);
      },
    });
    link.connections.set(channel, connection);
    return connection;
  };

  const greet = (address: string): Promise<DiscoveryNode> =>
    new Promise((resolve, reject) => {
      let link: Link | undefined;
      const connection = connectionTo(address, "reg", {
        onAuthenticated: ({ node }) => {
          const problem = duplicateIdProblem(node);
          if (problem !== undefined) {
            connection.close();
            reportUntrusted(address, problem);
            reject(cannotConnect(address, "is of another node", problem));
            return;
          }
          resolve(node);
          const before = links.get(node.id);
          if (
            node.id === localNode.id ||
            before?.node.ephemeralId === node.ephemeralId ||
            table.isClosed
          ) {
            connection.close();
            return;
          }
          if (before) lose(before, "node restarted");
          link = { node, connections: new Map([["reg", connection]]) };
          links.set(node.id, link);
        },
        onFrame: (bytes) => {
          if (link !== undefined) take(link, bytes);
        },
        onClose: (reason, problem, isPeerRefusal) => {
          if (problem !== undefined) reportUntrusted(address, problem);
          if (link !== undefined) lose(link, reason);
          else reject(cannotConnect(address, reason, isPeerRefusal === true ? problem : undefined));
        },
      });
    });

  const connect = (address: string): Promise<DiscoveryNode> => {
    if (address === localNode.transportAddress) return Promise.resolve(localNode);
    for (const { node } of links.values()) {
      if (node.transportAddress === address) return Promise.resolve(node);
    }
    const running = connecting.get(address);
    if (running) return running;
    const attempt = greet(address).finally(() => connecting.delete(address));
    connecting.set(address, attempt);
    return attempt;
  };

  const isMissing = ({ id }: DiscoveryNode): boolean => id !== localNode.id && !links.has(id);
  const reconnecting = createReconnecting(options, isMissing, connect);

  return {
    connect,
    onDisconnected: table.onLost,
    setNodes: reconnecting.setNodes,
    disconnect: (nodeId) => {
      const link = links.get(nodeId);
      if (link) lose(link, "disconnected by this node");
    },
    post: (to, channel, frame) => {
      const link = links.get(to);
      if (link === undefined) return "not-connected";
      const connection = link.connections.get(channel) ?? open(link, channel);
      return connection.send(frame) === "accepted" ? "sent" : "full";
    },
    isConnected: (nodeId) => links.has(nodeId),
    duplicateIdProblem,
    close: () => {
      reconnecting.stop();
      table.close();
    },
  };
}

/** Connects to nodes that should be linked and are not: at once, then at intervals. */
function createReconnecting(
  { clock, reconnectIntervalMs }: PeersOptions,
  isMissing: (node: DiscoveryNode) => boolean,
  connect: (address: string) => Promise<DiscoveryNode>,
): { setNodes(nodes: readonly DiscoveryNode[]): void; stop(): void } {
  let known: readonly DiscoveryNode[] = [];
  let cancel = (): void => undefined;
  const look = (): void => {
    cancel();
    const missing = known.filter(isMissing);
    for (const node of missing) void connect(node.transportAddress).catch(ignoreUnreachable);
    if (missing.length > 0) cancel = clock.setTimer(reconnectIntervalMs, look);
  };
  return {
    setNodes(nodes) {
      known = nodes;
      look();
    },
    stop: () => cancel(),
  };
}

/** The links, by node id. */
interface LinkTable {
  readonly links: Map<NodeId, Link>;
  readonly isClosed: boolean;
  /** Closes all connections of the link and notifies the listeners, once. */
  lose(link: Link, reason: string): void;
  /** Takes a frame that arrived on a connection of the link. */
  take(link: Link, bytes: Uint8Array): void;
  onLost(listener: (nodeId: NodeId, reason: string) => void): void;
  /** Closes all links without notifying listeners. */
  close(): void;
}

function createLinkTable({ onAnswer }: PeersOptions): LinkTable {
  const links = new Map<NodeId, Link>();
  const listeners = new Set<(nodeId: NodeId, reason: string) => void>();
  let isClosed = false;

  const lose = (link: Link, reason: string): void => {
    if (links.get(link.node.id) !== link) return;
    links.delete(link.node.id);
    for (const connection of link.connections.values()) connection.close();
    if (isClosed) return;
    for (const listener of listeners) listener(link.node.id, reason);
  };

  return {
    links,
    get isClosed() {
      return isClosed;
    },
    lose,
    /** A frame that cannot be decoded ends the link. */
    take(link, bytes) {
      let frame: Frame;
      try {
        frame = decodeFrame(bytes);
      } catch (error) {
        lose(link, wordsOf(error));
        return;
      }
      if (!isAnswer(frame, link)) {
        lose(link, `a frame [${frame.kind}] that is no answer of [${link.node.id}]`);
        return;
      }
      onAnswer(frame, bytes);
    },
    onLost: (listener) => void listeners.add(listener),
    close() {
      isClosed = true;
      for (const link of [...links.values()]) lose(link, "");
    },
  };
}

function openConnectionTo(
  options: PeersOptions,
  address: string,
  channel: ChannelClass,
  events: OutboundEvents,
): OutboundConnection {
  const { network, clock, trust, localNode, clusterName } = options;
  const remote = options.isRemote === true ? { isRemote: true } : {};
  return openOutbound(
    {
      ...{ network, clock, trust, channel },
      timeoutMs: options.connectTimeoutMs,
      greeting: { clusterName, node: localNode, ...remote },
    },
    address,
    events,
  );
}

/** Types of problems of a peer that is not the expected one; connections that fail otherwise are retried silently. */
const untrustedTypes: ReadonlySet<string> = new Set([
  "security_exception",
  "illegal_argument_exception",
]);

/** A connection of this node carries answers alone, and only those of the node it leads to. */
function isAnswer({ kind, from }: Frame, { node }: Link): boolean {
  return answerKinds.has(kind) && from === node.id;
}

/** Kinds of frames that go to the endpoint of the requester. */
export const answerKinds: ReadonlySet<FrameKind> = new Set([
  "response",
  "response-part",
  "error",
  "request-credit",
]);

/**
 * A rejection handler for links that cannot be opened: the next round retries, and fault detection decides about the
 * node. Bugs are rethrown.
 */
export function ignoreUnreachable(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}

function cannotConnect(address: string, why: string, causedBy?: Problem): OperationError {
  const reason = `[${address}] ${why}`;
  const problem: Problem = { type: "connect_transport_exception", reason, status: 500 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}
