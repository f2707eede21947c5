/**
 * Connected nodes (`NodeConnectionsService`), each with its process: the handshake carries the ephemeral id, which
 * distinguishes a restarted node from its former process. Connections to nodes of the state are restored after a loss,
 * first after 20 ms, then after doubled pauses up to `cluster.nodes.reconnect_interval`.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { CancelTimer, Clock } from "@orrery/ports";
import { problemOf, type NodeId, type Problem } from "@orrery/stdx";
import type { PeerConnector } from "./types.ts";

/** Connections of one node. */
export interface Links {
  /** Connected nodes by id, in the order in which they were connected; never the local node. */
  readonly connected: ReadonlyMap<NodeId, DiscoveryNode>;
  /** Whether the connection was lost and not restored: messages that still arrive from the node were sent before. */
  isLost(nodeId: NodeId): boolean;
  /** Connects and returns the node at the address, the local one included, or the problem. Never rejects. */
  connect(address: string): Promise<DiscoveryNode | Problem>;
  /**
   * Sets the nodes that stay connected: those of the cluster state. Connections to nodes that left the state are closed,
   * unless another process of the node is connected by now. A closed connection rejects requests that wait for its answers.
   */
  keep(nodes: Iterable<DiscoveryNode>): void;
  /** Called for a node that was not connected, and for a new process of a connected one. */
  onConnected(listener: (node: DiscoveryNode) => void): void;
  onDisconnected(listener: (node: DiscoveryNode, reason: string) => void): void;
  stop(): void;
}

const firstRetryMs = 20;

export interface LinksOptions {
  readonly clock: Clock;
  readonly localId: NodeId;
  readonly peers: PeerConnector;
  /** `cluster.nodes.reconnect_interval`, the longest pause between two attempts. */
  readonly reconnectMs: () => number;
}

/** Links of a node without a connection. They follow the connector's losses from now on. */
export function createLinks({ clock, localId, peers, reconnectMs }: LinksOptions): Links {
  const connected = new Map<NodeId, DiscoveryNode>();
  const kept = new Map<NodeId, DiscoveryNode>();
  const lost = new Set<NodeId>();
  const retries = new Map<NodeId, CancelTimer>();
  const connectedListeners: ((node: DiscoveryNode) => void)[] = [];
  const lostListeners: ((node: DiscoveryNode, reason: string) => void)[] = [];
  let isStopped = false;

  peers.onDisconnected((nodeId, reason) => {
    const node = connected.get(nodeId);
    connected.delete(nodeId);
    // Before the listeners: messages of the node that are still queued must already count as late.
    lost.add(nodeId);
    if (isStopped) return;
    if (node !== undefined) lostListeners.forEach((listener) => listener(node, reason));
    if (kept.has(nodeId)) retry(nodeId, firstRetryMs);
  });

  const connect = async (address: string): Promise<DiscoveryNode | Problem> => {
    let node: DiscoveryNode;
    try {
      node = await peers.connect(address);
    } catch (error) {
      return problemOf(error);
    }
    if (isStopped || node.id === localId) return node;
    const known = connected.get(node.id);
    connected.set(node.id, node);
    lost.delete(node.id);
    if (known?.ephemeralId !== node.ephemeralId) {
      connectedListeners.forEach((listener) => listener(node));
    }
    return node;
  };

  const retry = (nodeId: NodeId, delayMs: number): void => {
    retries.get(nodeId)?.();
    const cancel = clock.setTimer(delayMs, () => {
      retries.delete(nodeId);
      const node = kept.get(nodeId);
      if (isStopped || node === undefined || connected.has(nodeId)) return;
      void connect(node.transportAddress).then(() => {
        if (isStopped || connected.has(nodeId) || !kept.has(nodeId)) return;
        retry(nodeId, Math.min(Math.max(delayMs, firstRetryMs) * 2, reconnectMs()));
      });
    });
    retries.set(nodeId, cancel);
  };

  return {
    connected,
    isLost: (nodeId) => lost.has(nodeId),
    connect,
    keep(nodes) {
      const before = new Map(kept);
      kept.clear();
      for (const node of nodes) if (node.id !== localId) kept.set(node.id, node);
      peers.setNodes([...kept.values()]);
      for (const nodeId of kept.keys()) {
        if (!connected.has(nodeId) && !retries.has(nodeId)) retry(nodeId, 0);
      }
      for (const { id, ephemeralId } of before.values()) {
        // A connection to another process of the node stays: that process may be about to join.
        if (!kept.has(id) && connected.get(id)?.ephemeralId === ephemeralId) peers.disconnect(id);
      }
    },
    onConnected: (listener) => void connectedListeners.push(listener),
    onDisconnected: (listener) => void lostListeners.push(listener),
    stop() {
      isStopped = true;
      for (const cancel of retries.values()) cancel();
      retries.clear();
    },
  };
}

/** Whether the result of `connect` is a problem. */
export function isProblem(answer: DiscoveryNode | Problem): answer is Problem {
  return !("ephemeralId" in answer);
}
