/**
 * Links to other nodes: a handshake tells who is behind an address, then one connection a channel class, opened when first
 * needed. A link is up or lost as a whole: when one of its connections closes, all do.
 */
import type { PeerConnector } from "@orrery/cluster-manager";
import { nodeProblem, type DiscoveryNode } from "@orrery/cluster-state";
import {
  decodeFrame,
  encodeFrame,
  readProblem,
  type ChannelClass,
  type Clock,
  type Connection,
  type Frame,
  type FrameKind,
  type Network,
} from "@orrery/ports";
import {
  OperationError,
  problemOf,
  utf8Decode,
  utf8Encode,
  type NodeId,
  type Problem,
} from "@orrery/stdx";

export const handshakeAction = "internal:transport/handshake";

export interface PeersOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  readonly connectTimeoutMs: number;
  readonly reconnectIntervalMs: number;
  /** The links lead to other clusters: whoever answers may be of any. */
  readonly isRemote?: boolean;
  /** A frame that came back on a connection this node opened. */
  readonly onAnswer: (frame: Frame, bytes: Uint8Array) => void;
}

export interface Peers extends PeerConnector {
  post(to: NodeId, channel: ChannelClass, frame: Uint8Array): "sent" | "full" | "not-connected";
  isConnected(nodeId: NodeId): boolean;
  close(): void;
}

export interface Greeting {
  readonly clusterName: string;
  readonly node: DiscoveryNode;
  /** Its sender is a client of this cluster, not a node of it. */
  readonly isRemote?: boolean;
}

interface Link {
  readonly node: DiscoveryNode;
  readonly connections: Map<ChannelClass, Connection>;
}

export function createPeers(options: PeersOptions): Peers {
  const { network, localNode } = options;
  const links = new Map<NodeId, Link>();
  const connecting = new Map<string, Promise<DiscoveryNode>>();
  const listeners = new Set<(nodeId: NodeId, reason: string) => void>();
  let known: readonly DiscoveryNode[] = [];
  let cancelReconnect = (): void => undefined;
  let isClosed = false;

  const lose = (link: Link, reason: string): void => {
    if (links.get(link.node.id) !== link) return;
    links.delete(link.node.id);
    for (const connection of link.connections.values()) connection.close();
    if (isClosed) return;
    for (const listener of listeners) listener(link.node.id, reason);
  };

  /** A frame that cannot be read says that the other end cannot be talked to. */
  const take = (link: Link, bytes: Uint8Array): void => {
    let frame: Frame;
    try {
      frame = decodeFrame(bytes);
    } catch (error) {
      lose(link, problemOf(error).reason ?? "unreadable frame");
      return;
    }
    if (!isAnswer(frame, link)) {
      lose(link, `a frame [${frame.kind}] that is no answer of [${link.node.id}]`);
      return;
    }
    options.onAnswer(frame, bytes);
  };

  const open = (link: Link, channel: ChannelClass): Connection => {
    const connection = network.connect(link.node.transportAddress, channel, {
      onFrame: (bytes) => take(link, bytes),
      onClose: (reason) => lose(link, reason),
    });
    link.connections.set(channel, connection);
    return connection;
  };

  const greet = async (address: string): Promise<DiscoveryNode> => {
    const { node, connection, events } = await shakeHands(options, address);
    if (events.endedWith !== undefined) throw cannotConnect(address, events.endedWith);
    const before = links.get(node.id);
    if (node.id === localNode.id || before?.node.ephemeralId === node.ephemeralId || isClosed) {
      connection.close();
      return node;
    }
    if (before) lose(before, "node restarted");
    const link: Link = { node, connections: new Map([["reg", connection]]) };
    events.onFrame = (bytes) => take(link, bytes);
    events.onClose = (reason) => lose(link, reason);
    links.set(node.id, link);
    return node;
  };

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

  const keepConnected = (): void => {
    cancelReconnect();
    const missing = known.filter(({ id }) => id !== localNode.id && !links.has(id));
    for (const node of missing) void connect(node.transportAddress).catch(ignoreUnreachable);
    if (missing.length > 0)
      cancelReconnect = options.clock.setTimer(options.reconnectIntervalMs, keepConnected);
  };

  return {
    connect,
    onDisconnected: (listener) => void listeners.add(listener),
    setNodes: (nodes) => {
      known = nodes;
      keepConnected();
    },
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
    close: () => {
      isClosed = true;
      cancelReconnect();
      for (const link of [...links.values()]) lose(link, "");
    },
  };
}

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

interface HandshakeEvents {
  onFrame: (frame: Uint8Array) => void;
  onClose: (reason: string) => void;
  /** The connection ended before the link took over. */
  endedWith?: string;
}

function shakeHands(
  { network, clock, localNode, clusterName, connectTimeoutMs, isRemote = false }: PeersOptions,
  address: string,
): Promise<{ node: DiscoveryNode; connection: Connection; events: HandshakeEvents }> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: string, causedBy?: Problem): void => {
      cancelTimer();
      events.onClose = () => undefined;
      connection.close();
      reject(cannotConnect(address, reason, causedBy));
    };
    // The link takes these over once it is known who answers.
    const events: HandshakeEvents = {
      onClose: (reason) => refuse(`connect failed: ${reason}`),
      onFrame: (bytes) => {
        const answer = readGreeting(bytes);
        if (answer.kind === "refused") return refuse(`handshake failed`, answer.problem);
        if (!isRemote && answer.greeting.clusterName !== clusterName) {
          const { clusterName: remote } = answer.greeting;
          return refuse(
            `handshake failed: remote cluster name [${remote}] does not match local cluster name [${clusterName}]`,
          );
        }
        cancelTimer();
        // Until the link takes over nothing else is expected; a connection that ends now is no link.
        events.onFrame = () => undefined;
        events.onClose = (why) => {
          events.endedWith = why;
        };
        return resolve({ node: answer.greeting.node, connection, events });
      },
    };
    const cancelTimer = clock.setTimer(connectTimeoutMs, () =>
      refuse(`connect_timeout[${connectTimeoutMs}ms]`),
    );
    let connection: Connection;
    try {
      connection = network.connect(address, "reg", {
        onFrame: (frame) => events.onFrame(frame),
        onClose: (reason) => events.onClose(reason),
      });
    } catch (error) {
      // An address that somebody told, and that is none.
      cancelTimer();
      reject(cannotConnect(address, "connect failed", problemOf(error)));
      return;
    }
    const greeting = { clusterName, node: localNode, ...(isRemote ? { isRemote } : {}) };
    connection.send(greetingFrame("request", greeting));
  });
}

function cannotConnect(address: string, why: string, causedBy?: Problem): OperationError {
  const reason = `[${address}] ${why}`;
  const problem: Problem = { type: "connect_transport_exception", reason, status: 500 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

export function greetingFrame(kind: "request" | "response", greeting: Greeting): Uint8Array {
  const payload = utf8Encode(JSON.stringify(greeting));
  const from = greeting.node.id;
  return encodeFrame(
    {
      kind,
      correlationId: 0,
      from,
      to: "",
      endpoint: 0,
      action: handshakeAction,
      shard: "",
      timeoutMs: 0,
    },
    payload,
  );
}

/** Throws `OperationError` when the payload is no greeting. */
export function decodeGreeting(payload: Uint8Array): Greeting {
  const content = parseJson(payload) as Partial<Greeting> | null;
  const { clusterName, node, isRemote } = content ?? {};
  const isNamed = typeof clusterName === "string" && clusterName !== "";
  if (!isNamed || nodeProblem(node) !== undefined || isRemote === false) {
    throw new OperationError({
      type: "stream_corrupted_exception",
      reason: "a handshake that names no cluster or no node",
      status: 400,
    });
  }
  return content as Greeting;
}

function parseJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(utf8Decode(payload));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

type Answer =
  | { readonly kind: "greeting"; readonly greeting: Greeting }
  | { readonly kind: "refused"; readonly problem: Problem };

function readGreeting(bytes: Uint8Array): Answer {
  try {
    const frame: Frame = decodeFrame(bytes);
    return frame.kind === "error"
      ? { kind: "refused", problem: readProblem(utf8Decode(frame.payload)) }
      : { kind: "greeting", greeting: decodeGreeting(frame.payload) };
  } catch (error) {
    return { kind: "refused", problem: problemOf(error) };
  }
}
