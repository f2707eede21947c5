/**
 * Links to other nodes: a handshake tells who is behind an address, then one connection a channel class, opened when first
 * needed. A link is up or lost as a whole: when one of its connections closes, all do.
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
import { openLine, type Line, type LineEvents } from "./line.ts";

export interface PeersOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  readonly connectTimeoutMs: number;
  readonly reconnectIntervalMs: number;
  /** The links lead to other clusters: whoever answers may be of any. */
  readonly isRemote?: boolean;
  /** A frame that came back on a connection this node opened. */
  readonly onAnswer: (frame: Frame, bytes: Uint8Array) => void;
  /** Whoever answers there is not believed, or does not believe this node. */
  readonly onDistrust: (address: string, problem: Problem) => void;
}

export interface Peers extends PeerConnector {
  post(to: NodeId, channel: ChannelClass, frame: Uint8Array): "sent" | "full" | "not-connected";
  isConnected(nodeId: NodeId): boolean;
  /**
   * Why this node is not believed to be who it says: another process of that id is linked from another address, or is this one. A
   * process that took the place of an earlier one has its address, or comes when that one's links are lost.
   */
  twinProblem(node: DiscoveryNode): Problem | undefined;
  close(): void;
}

interface Link {
  readonly node: DiscoveryNode;
  readonly connections: Map<ChannelClass, Line>;
}

export function createPeers(options: PeersOptions): Peers {
  const { localNode } = options;
  const table = createLinkTable(options);
  const { links, lose, take } = table;
  const connecting = new Map<string, Promise<DiscoveryNode>>();

  const lineTo = (address: string, channel: ChannelClass, events: LineEvents): Line =>
    openLineTo(options, address, channel, events);

  const distrust = (address: string, problem: Problem): void => {
    if (distrusting.has(problem.type)) options.onDistrust(address, problem);
  };

  const twinProblem = (node: DiscoveryNode): Problem | undefined => {
    const existing = node.id === localNode.id ? localNode : links.get(node.id)?.node;
    const isTwin =
      existing !== undefined &&
      existing.ephemeralId !== node.ephemeralId &&
      existing.transportAddress !== node.transportAddress;
    return isTwin ? sameIdProblem(node, existing) : undefined;
  };

  const open = (link: Link, channel: ChannelClass): Line => {
    const { id, ephemeralId, transportAddress } = link.node;
    const line = lineTo(transportAddress, channel, {
      onBelieved: ({ node }) => {
        if (node.id !== id || node.ephemeralId !== ephemeralId)
          lose(link, `[${transportAddress}] is another node now`);
      },
      onFrame: (bytes) => take(link, bytes),
      onClose: (reason, problem) => {
        if (problem !== undefined) distrust(transportAddress, problem);
        lose(link, reason);
      },
    });
    link.connections.set(channel, line);
    return line;
  };

  const greet = (address: string): Promise<DiscoveryNode> =>
    new Promise((resolve, reject) => {
      let link: Link | undefined;
      const line = lineTo(address, "reg", {
        onBelieved: ({ node }) => {
          const problem = twinProblem(node);
          if (problem !== undefined) {
            line.close();
            distrust(address, problem);
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
            line.close();
            return;
          }
          if (before) lose(before, "node restarted");
          link = { node, connections: new Map([["reg", line]]) };
          links.set(node.id, link);
        },
        onFrame: (bytes) => {
          if (link !== undefined) take(link, bytes);
        },
        onClose: (reason, problem, isTold) => {
          if (problem !== undefined) distrust(address, problem);
          if (link !== undefined) lose(link, reason);
          else reject(cannotConnect(address, reason, isTold === true ? problem : undefined));
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
    twinProblem,
    close: () => {
      reconnecting.stop();
      table.close();
    },
  };
}

/** Connects to the nodes that are to be linked and are not, at once and then again and again. */
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

interface LinkTable {
  readonly links: Map<NodeId, Link>;
  readonly isClosed: boolean;
  /** Closes all connections of the link, and tells the listeners, once. */
  lose(link: Link, reason: string): void;
  /** A frame that came on a connection of the link. */
  take(link: Link, bytes: Uint8Array): void;
  onLost(listener: (nodeId: NodeId, reason: string) => void): void;
  /** No listener is told any more. */
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
    /** A frame that cannot be read says that the other end cannot be talked to. */
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

function openLineTo(
  options: PeersOptions,
  address: string,
  channel: ChannelClass,
  events: LineEvents,
): Line {
  const { network, clock, trust, localNode, clusterName } = options;
  const remote = options.isRemote === true ? { isRemote: true } : {};
  return openLine(
    {
      ...{ network, clock, trust, channel },
      timeoutMs: options.connectTimeoutMs,
      greeting: { clusterName, node: localNode, ...remote },
    },
    address,
    events,
  );
}

/** Of an end that is not who it should be; anything else is tried again without a word. */
const distrusting: ReadonlySet<string> = new Set([
  "security_exception",
  "illegal_argument_exception",
]);

/** On a connection that this node opened only answers come, and only of the node it leads to. */
function isAnswer({ kind, from }: Frame, { node }: Link): boolean {
  return answerKinds.has(kind) && from === node.id;
}

/** Frames for the endpoint that asked. */
export const answerKinds: ReadonlySet<FrameKind> = new Set([
  "response",
  "response-part",
  "error",
  "request-credit",
]);

/** The next round tries again, and fault detection judges. */
export function ignoreUnreachable(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}

function cannotConnect(address: string, why: string, causedBy?: Problem): OperationError {
  const reason = `[${address}] ${why}`;
  const problem: Problem = { type: "connect_transport_exception", reason, status: 500 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}
