/**
 * The router: delivers frames to the node's own endpoint, a shard worker, another node, or back on the connection on
 * which they came. Frames to the local node do not use the network; they are delivered in a later microtask, encoded
 * like all others.
 */
import type { ClusterState, DiscoveryNode, Settings } from "@orrery/cluster-state";
import {
  createEndpoint,
  decodeFrame,
  encodeFrame,
  guardedHandler,
  isSeveralShards,
  rareLog,
  tracedHandler,
  type ChannelClass,
  type Endpoint,
  type Frame,
  type FrameHeader,
  type Handler,
  type Host,
  type Tracer,
} from "@orrery/ports";
import { actionOfEach } from "@orrery/protocol";
import { partsOf } from "@orrery/shard-worker";
import { formatDuration, stackOf, utf8Encode, type NodeId, type Problem } from "@orrery/stdx";
import { createInbound, type Inbound } from "./inbound.ts";
import type { Greeting } from "./handshake.ts";
import { answerKinds, createPeers, ignoreUnreachable, type Peers } from "./peers.ts";
import type { Product } from "./product.ts";
import { createSendingRules } from "./sending-rules.ts";
import { createShardPool, type LostCopy, type ShardPool } from "./shard-pool.ts";
import { spreadOverWorkers } from "./spread-over-workers.ts";

/** The number in place of a connection's: the requester is on this node. */
const LOCAL = 0;

/** The parts that a router connects. */
export interface RouterOptions {
  readonly host: Host;
  readonly localNode: DiscoveryNode;
  readonly clusterName: string;
  readonly settings: Settings;
  /** Processors of the machine, by which thread pools are sized. */
  readonly processors: number;
  readonly product: Pick<Product, "actions" | "actionGuards" | "shards">;
  readonly connectTimeoutMs: number;
  readonly reconnectIntervalMs: number;
  readonly stallTimeoutMs: number;
  /** Absent on a node that traces no requests. */
  readonly tracer?: Tracer | undefined;
  readonly onWorkerApplied: (state: ClusterState) => void;
  readonly onWorkerDeath: (lost: readonly LostCopy[], reason: string) => void;
}

/** The router and the endpoints that it serves. */
export interface Router {
  readonly endpoint: Endpoint;
  readonly peers: Peers;
  /** Links to nodes of remote clusters. */
  readonly remotePeers: Peers;
  readonly shards: ShardPool;
  readonly inbound: Inbound;
  /** Closes all connections; no local frame is delivered afterwards. */
  close(): void;
}

/** The paths of frames through this node. */
interface Paths {
  deliver(frame: Frame, bytes: Uint8Array, connection: number): void;
  deliverAnswer(frame: Frame, bytes: Uint8Array): void;
  refuse(frame: FrameHeader, connection: number, problem: Problem): void;
  post(
    to: NodeId,
    channel: ChannelClass,
    frame: Uint8Array,
    header: FrameHeader,
  ): "sent" | "full" | "not-connected";
  answer(connection: number, bytes: Uint8Array, header: FrameHeader): void;
  /** Logs the behaviour of a peer, at a limited rate. */
  tell(line: string): void;
}

/** The receivers of frames. */
interface Destinations extends Omit<Router, "close"> {
  readonly isClosed: () => boolean;
}

/** Creates endpoint, links and shard workers, which refer to one another, and connects them. */
export function createRouter(options: RouterOptions): Router {
  let isClosed = false;
  const paths = createPaths(options, () => places);
  const shards = shardPoolOf(options, paths, () => inbound);
  const endpoint = endpointOf(options, paths);
  const { peers, remotePeers } = peersOf(options, paths, (nodeId, reason) => {
    endpoint.disconnected(nodeId, reason);
    shards.disconnected(nodeId, reason);
  });
  const inbound = inboundOf(options, paths, { endpoint, shards, peers });
  spreadOverWorkers(endpoint, (shard) => shards.workerOf(shard));
  const places: Destinations = {
    ...{ endpoint, peers, remotePeers, shards, inbound },
    isClosed: () => isClosed,
  };

  return {
    ...{ endpoint, peers, remotePeers, shards, inbound },
    close: () => {
      isClosed = true;
      peers.close();
      remotePeers.close();
      inbound.close();
    },
  };
}

function createPaths({ host, localNode }: RouterOptions, to: () => Destinations): Paths {
  const deliver: Paths["deliver"] = (frame, bytes, connection) => {
    if (to().isClosed()) return;
    if (answerKinds.has(frame.kind)) deliverAnswer(frame, bytes);
    else if (frame.shard === "") to().endpoint.receive(frame, connection);
    else deliverToShard(frame, bytes, connection);
  };

  const deliverAnswer: Paths["deliverAnswer"] = (frame, bytes) => {
    if (frame.endpoint === 0) to().endpoint.receive(frame, LOCAL);
    else to().shards.deliverTo(frame.endpoint, LOCAL, bytes);
  };

  /**
   * A frame for several shards: as it came to the one worker that has them all and room for it, else to the node's
   * endpoint, which spreads it over workers.
   */
  const deliverToShards = (header: FrameHeader, bytes: Uint8Array, connection: number): void => {
    const { endpoint: own, shards } = to();
    const isWhole = header.kind === "request" && (header.part ?? 0) === 0;
    if (isWhole && shards.canTake(header) && shards.deliver(header, connection, bytes)) return;
    own.receive(decodeFrame(bytes), connection);
    // Frames that belong to an earlier request go to both the endpoint and the workers: only one of them has that
    // request.
    const isRequest = header.kind === "request" || header.kind === "request-part";
    if (!isRequest) shards.deliver(header, connection, bytes.slice());
  };

  const deliverToShard = (header: FrameHeader, bytes: Uint8Array, connection: number): void => {
    if (isSeveralShards(header.shard)) return deliverToShards(header, bytes, connection);
    if (to().shards.deliver(header, connection, bytes)) return;
    const reason = "no such shard";
    const type = "shard_not_found_exception";
    refuse(header, connection, { type, reason, status: 404, isRetryable: true });
  };

  /**
   * A frame that this node's endpoint reads is decoded as if it came over the network; one that is passed on is not
   * read.
   */
  const deliverLocally = (bytes: Uint8Array, header: FrameHeader): void => {
    void Promise.resolve().then(() => {
      const isForShard = header.shard !== "" && !answerKinds.has(header.kind);
      if (!isForShard) deliver(decodeFrame(bytes), bytes, LOCAL);
      else if (!to().isClosed()) deliverToShard(header, bytes, LOCAL);
    });
  };

  const refuse: Paths["refuse"] = (frame, connection, problem) => {
    if (frame.kind !== "request") return;
    const { action, correlationId, endpoint: asker, from } = frame;
    const header = {
      kind: "error",
      action,
      correlationId,
      endpoint: asker,
      from: localNode.id,
      to: from,
      shard: "",
      timeoutMs: 0,
    } as const;
    answer(connection, encodeFrame(header, utf8Encode(JSON.stringify(problem))), header);
  };

  const answer: Paths["answer"] = (connection, bytes, header) => {
    if (connection === LOCAL) deliverLocally(bytes, header);
    else to().inbound.answer(connection, bytes);
  };

  return {
    ...{ deliver, deliverAnswer, refuse, answer },
    tell: rareLog(host.log, host.clock),
    post: (nodeId, channel, frame, header) => {
      const { peers, remotePeers } = to();
      if (nodeId === localNode.id) {
        deliverLocally(frame, header);
        return "sent";
      }
      const result = peers.post(nodeId, channel, frame);
      // A node of a remote cluster.
      return result === "not-connected" ? remotePeers.post(nodeId, channel, frame) : result;
    },
  };
}

function endpointOf(
  { host, localNode, product, tracer }: RouterOptions,
  { post, answer }: Paths,
): Endpoint {
  const attributes = { node_id: localNode.id };
  const traced = (action: string, handler: Handler): Handler =>
    tracer === undefined ? handler : tracedHandler(tracer, action, () => attributes, handler);
  const tellDropped = rareLog(host.log, host.clock);
  const tellUnforeseen = rareLog(host.log, host.clock, { level: "error", isStack: true });
  return createEndpoint({
    localNodeId: localNode.id,
    endpoint: 0,
    clock: host.clock,
    post,
    answer,
    guard: (action, handler) => {
      // Of requests for several shards each part is guarded, at its shard.
      if (actionOfEach.has(action)) return traced(action, handler);
      const permission = product.actions.get(action)?.permission ?? action;
      const guardedAction = { action, permission, indicesOf: noIndices };
      return traced(action, guardedHandler(product.actionGuards, guardedAction, handler));
    },
    tracer,
    onUnforeseen: ({ action, from }, thrown) =>
      tellUnforeseen(`failed to answer [${action}] from [${from}]: ${stackOf(thrown)}`),
    // In a promise that nothing catches: it ends the process, or fails the simulation.
    onFailedAssertion: (error) => {
      throw error;
    },
    onUnreadable: ({ action, from }, reason) =>
      tellDropped(`dropped a message [${action}] from [${from}]: ${reason}`),
  });
}

function shardPoolOf(options: RouterOptions, paths: Paths, inbound: () => Inbound): ShardPool {
  const { host, localNode } = options;
  const shards = createShardPool({
    host,
    nodeId: localNode.id,
    nodeName: localNode.name,
    settings: options.settings,
    processors: options.processors,
    parts: partsOf(options.product.shards, host.blobs),
    stallTimeoutMs: options.stallTimeoutMs,
    tracer: options.tracer,
    onSend: (worker, { to, channel, frame }) => {
      const header = decodeFrame(frame);
      const result = paths.post(to as NodeId, channel as ChannelClass, frame, header);
      if (result !== "sent") shards.refused(worker, header.correlationId, result);
    },
    // The frame came from a worker in a message of its own, so it may be delivered at once.
    onAnswer: (connection, bytes, frame) => {
      if (connection === LOCAL) paths.deliver(frame, bytes, LOCAL);
      else inbound().answer(connection, bytes);
    },
    onUnanswered: (request, connection, { reason: why, isSuspect }) => {
      if (isSuspect)
        paths.refuse(request, connection, stuckWorker(localNode.name, options.stallTimeoutMs));
      else {
        const reason = `shard worker ended: ${why}`;
        const problem = { type: "already_closed_exception", reason, status: 500 };
        paths.refuse(request, connection, { ...problem, isRetryable: true });
      }
    },
    onRejected: paths.refuse,
    onApplied: options.onWorkerApplied,
    onDeath: options.onWorkerDeath,
  });
  return shards;
}

/**
 * Links to nodes of this cluster and of remote ones; `lost` is called once for a node that no link leads to any more.
 */
function peersOf(
  options: RouterOptions,
  { deliverAnswer, tell }: Paths,
  lost: (nodeId: NodeId, reason: string) => void,
): Pick<Router, "peers" | "remotePeers"> {
  const { host, localNode } = options;
  const linking = {
    network: host.network,
    clock: host.clock,
    localNode,
    clusterName: options.clusterName,
    connectTimeoutMs: options.connectTimeoutMs,
    reconnectIntervalMs: options.reconnectIntervalMs,
    onAnswer: deliverAnswer,
    trust: host.trust,
    onUntrusted: (address: string, problem: Problem) =>
      tell(`no link to [${address}]: ${problem.reason}`),
  };
  const peers = createPeers(linking);
  const remotePeers = createPeers({ ...linking, isRemote: true });
  peers.onDisconnected(lost);
  remotePeers.onDisconnected((nodeId, reason) => {
    // A cluster may be its own remote: its requests then use the link between its nodes.
    if (!peers.isConnected(nodeId)) lost(nodeId, reason);
  });
  return { peers, remotePeers };
}

function inboundOf(
  { host, localNode, clusterName, product }: RouterOptions,
  paths: Paths,
  { endpoint, shards, peers }: Pick<Router, "endpoint" | "shards" | "peers">,
): Inbound {
  const { tell } = paths;
  const sendingRules = createSendingRules(product.actions);
  const greeting: Greeting = { clusterName, node: localNode };
  return createInbound(
    {
      clock: host.clock,
      trust: host.trust,
      greeting,
      screen: ({ node, isRemote }) =>
        isRemote === true ? undefined : peers.duplicateIdProblem(node),
    },
    {
      deliver: paths.deliver,
      refusal: (frame, peer) => sendingRules.refusal(frame, peer),
      refuse: (frame, problem, connection, { node }) => {
        tell(`refused [${frame.kind}] [${frame.action}] of [${node.name}]: ${problem.reason}`);
        paths.refuse(frame, connection, problem);
      },
      expelled: (remote, why) => tell(`closed the connection of [${remote}]: ${why}`),
      greeted: ({ node, isRemote = false }) => {
        // A node that connects will be sent requests, too.
        if (!isRemote) void peers.connect(node.transportAddress).catch(ignoreUnreachable);
      },
      closed: (connection, reason) => {
        endpoint.closed(connection, reason);
        shards.closed(connection, reason);
      },
    },
  );
}

/** Guards of an index's requests are at its shards. */
function noIndices(): readonly string[] {
  return [];
}

/**
 * The problem of a request in which a worker may be stuck. No retry is allowed: on another copy the request would
 * stop that worker, too.
 */
function stuckWorker(node: string, busyMs: number): Problem {
  const reason = `cancelled: the shards of node [${node}] were busy for [${formatDuration(busyMs)}] without a pause, and were started again`;
  return { type: "task_cancelled_exception", reason, status: 500 };
}
