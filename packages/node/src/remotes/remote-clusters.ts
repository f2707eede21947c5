/**
 * Remote clusters, of which this node is a client (`RemoteClusterService`, `SniffConnectionStrategy`,
 * `ProxyConnectionStrategy`): links follow `cluster.remote.*`, requests go to any linked node.
 *
 * In mode `sniff` a seed lists the cluster's nodes, and a few of them are linked; in mode `proxy` the one address is.
 * A lost link is reconnected once at once, then when a request needs it.
 */
import {
  decodeState,
  isDataNode,
  remoteClustersOf,
  type ClusterState,
  type DiscoveryNode,
  type RemoteClusterSettings,
} from "@orrery/cluster-state";
import type { Cancellation, Clock, Log, Transport } from "@orrery/ports";
import { actions, NodeRequest, wireJson } from "@orrery/protocol";
import { OperationError, type NodeId, type Problem } from "@orrery/stdx";
import type { Peers } from "../peers.ts";

/** A remote cluster in the settings, with the number of its nodes that are linked. */
export interface RemoteInfo extends RemoteClusterSettings {
  /** Number of its nodes that are linked now. */
  readonly connections: number;
}

export interface RemoteRequestOptions {
  readonly timeoutMs?: number;
  readonly cancellation?: Cancellation;
}

/** The remote clusters of a node. */
export interface RemoteClusters {
  /** All configured remote clusters, also those without a linked node. */
  info(): readonly RemoteInfo[];
  /**
   * Sends to any node of the remote cluster; connects first if none is linked.
   * @throws OperationError `no_such_remote_cluster_exception` (404), `no_seed_node_left_exception`,
   *   `illegal_argument_exception` on a node without the role `remote_cluster_client`, or the request's problem.
   */
  request(
    alias: string,
    action: string,
    payload: Uint8Array,
    options?: RemoteRequestOptions,
  ): Promise<Uint8Array>;
  /** The remote cluster's nodes, and those of its indices whose name or alias matches a pattern. */
  state(alias: string, patterns: readonly string[]): Promise<ClusterState>;
}

/** The parts of a node that remote clusters need. */
export interface RemoteClustersDeps {
  readonly peers: Peers;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly localNode: DiscoveryNode;
  /** The applied state, over the node's own settings. */
  readonly state: () => ClusterState;
}

/** A configured remote cluster. */
interface Remote {
  settings: RemoteClusterSettings;
  readonly nodes: Map<NodeId, DiscoveryNode>;
  /** Counter for the round robin over its nodes. */
  next: number;
  /** The attempt to connect that runs; requests share it. */
  connecting: Promise<void> | undefined;
}

const STATE_TIMEOUT_MS = 30_000;

const notRemoteClient: Problem = {
  type: "illegal_argument_exception",
  reason: "this node does not have the remote_cluster_client role",
  status: 400,
};

/** The remote clusters, and the callback for applied states. */
export interface RemoteClusterClient extends RemoteClusters {
  /** A state was applied: settings may have changed. */
  applied(): void;
}

/** The remote clusters of a node. Links are opened after the first applied state. */
export function createRemoteClusters(deps: RemoteClustersDeps): RemoteClusterClient {
  const { peers, transport, clock, localNode } = deps;
  const remotes = new Map<string, Remote>();
  const isClient = localNode.roles.includes("remote_cluster_client");
  let seen: readonly unknown[] = [];

  const link = async (remote: Remote, address: string): Promise<DiscoveryNode> => {
    const node = await peers.connect(address);
    remote.nodes.set(node.id, node);
    return node;
  };

  const sniff = async (remote: Remote, seed: DiscoveryNode): Promise<void> => {
    const payload = NodeRequest.encode({ parameters: wireJson({ patterns: [] }) }).finish();
    const timeoutMs = STATE_TIMEOUT_MS;
    const answer = await transport.request(seed.id, actions.clusterState, payload, { timeoutMs });
    const found = [...decodeState(answer).nodes.values()].filter(isGateway);
    if (!found.some(({ id }) => id === seed.id) && found.length > 0) remote.nodes.delete(seed.id);
    for (const { transportAddress } of found) {
      if (remote.nodes.size >= remote.settings.maxConnections) return;
      await link(remote, transportAddress).catch(ignoreUnreachable);
    }
  };

  const connect = async (remote: Remote): Promise<void> => {
    const { settings } = remote;
    let problem: Problem | undefined;
    for (const address of settings.addresses) {
      try {
        const node = await within(clock, settings, link(remote, address));
        if (settings.mode === "sniff") await sniff(remote, node);
        return;
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        problem = error.problem;
      }
    }
    if (remote.nodes.size === 0) throw new OperationError(noSeedLeft(settings.alias, problem));
  };

  const ensureConnected = (remote: Remote): Promise<void> => {
    remote.connecting ??= connect(remote).finally(() => {
      remote.connecting = undefined;
    });
    return remote.connecting;
  };

  const connectSoon = (remote: Remote): void => {
    void ensureConnected(remote).catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
      deps.log("warn", `remote cluster [${remote.settings.alias}]: ${error.message}`);
    });
  };

  peers.onDisconnected((nodeId) => {
    for (const remote of remotes.values()) if (remote.nodes.delete(nodeId)) connectSoon(remote);
  });

  const remoteOf = (alias: string): Remote => {
    if (!isClient) throw new OperationError(notRemoteClient);
    const remote = remotes.get(alias);
    if (remote !== undefined) return remote;
    throw new OperationError(noSuchRemote(alias));
  };

  const request: RemoteClusters["request"] = async (alias, action, payload, options) => {
    const remote = remoteOf(alias);
    if (remote.nodes.size === 0) await ensureConnected(remote);
    const nodes = [...remote.nodes.keys()];
    const nodeId = nodes[remote.next % Math.max(1, nodes.length)];
    remote.next += 1;
    if (nodeId === undefined) throw new OperationError(noSeedLeft(alias, undefined));
    return transport.request(nodeId, action, payload, options);
  };

  const drop = (remote: Remote): void => {
    const kept = new Set(
      [...remotes.values()].flatMap((other) => (other === remote ? [] : [...other.nodes.keys()])),
    );
    const ids = [...remote.nodes.keys()];
    remote.nodes.clear();
    for (const id of ids) if (!kept.has(id)) peers.disconnect(id);
  };

  return {
    info: () =>
      [...remotes.values()].map(({ settings, nodes }) => ({
        ...settings,
        connections: nodes.size,
      })),
    request,
    state: async (alias, patterns) => {
      const payload = NodeRequest.encode({ parameters: wireJson({ patterns }) }).finish();
      const timeoutMs = STATE_TIMEOUT_MS;
      return decodeState(await request(alias, actions.clusterState, payload, { timeoutMs }));
    },
    applied: () => {
      const state = deps.state();
      const { persistentSettings, transientSettings } = state.metadata;
      const isSeen = seen[0] === persistentSettings && seen[1] === transientSettings;
      if (!isClient || isSeen) return;
      seen = [persistentSettings, transientSettings];
      follow(remotes, remoteClustersOf(state), { drop, connectSoon });
    },
  };
}

/** Makes the remote clusters agree with the settings; links whose settings stay are kept. */
function follow(
  remotes: Map<string, Remote>,
  wanted: readonly RemoteClusterSettings[],
  { drop, connectSoon }: Record<"drop" | "connectSoon", (remote: Remote) => void>,
): void {
  for (const [alias, remote] of [...remotes]) {
    if (wanted.some((settings) => settings.alias === alias)) continue;
    remotes.delete(alias);
    drop(remote);
  }
  for (const settings of wanted) {
    const known = remotes.get(settings.alias);
    if (known !== undefined && isSame(known.settings, settings)) continue;
    if (known !== undefined) {
      const areOthers = !areSameLinks(known.settings, settings);
      known.settings = settings;
      if (!areOthers) continue;
      drop(known);
      connectSoon(known);
      continue;
    }
    const remote: Remote = { settings, nodes: new Map(), next: 0, connecting: undefined };
    remotes.set(settings.alias, remote);
    connectSoon(remote);
  }
}

/** Dedicated cluster managers are not linked. */
function isGateway(node: DiscoveryNode): boolean {
  return (
    !node.roles.includes("cluster_manager") || isDataNode(node) || node.roles.includes("ingest")
  );
}

/** Rejects after the initial connect time-out; the attempt goes on. */
function within<T>(
  clock: Clock,
  { initialConnectTimeoutMs, alias }: RemoteClusterSettings,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const reason = `connecting to remote cluster [${alias}] took longer than [${initialConnectTimeoutMs}ms]`;
    const cancel = clock.setTimer(initialConnectTimeoutMs, () =>
      reject(new OperationError({ type: "connect_transport_exception", reason, status: 500 })),
    );
    void work.then(resolve, reject).finally(cancel);
  });
}

function isSame(a: RemoteClusterSettings, b: RemoteClusterSettings): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether links may stay; otherwise all are replaced, as in the product. */
function areSameLinks(a: RemoteClusterSettings, b: RemoteClusterSettings): boolean {
  const linksOf = ({ mode, addresses, maxConnections }: RemoteClusterSettings): string =>
    JSON.stringify([mode, addresses, maxConnections]);
  return linksOf(a) === linksOf(b);
}

function noSuchRemote(alias: string): Problem {
  const reason = `no such remote cluster: [${alias}]`;
  return { type: "no_such_remote_cluster_exception", reason, status: 404 };
}

function noSeedLeft(alias: string, causedBy: Problem | undefined): Problem {
  const problem: Problem = {
    type: "no_seed_node_left_exception",
    reason: `no seed node left for cluster: [${alias}]`,
    status: 500,
    isRetryable: true,
  };
  return causedBy === undefined ? problem : { ...problem, causedBy };
}

function ignoreUnreachable(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}
