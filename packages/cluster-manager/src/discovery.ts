/**
 * Finds other nodes while this one has no elected cluster manager: asks whoever it can reach whom they know.
 *
 * Seeds are `discovery.seed_hosts`, plus the nodes of the last state this node had. Who asks is asked in return, so
 * two nodes find each other when one of them knows the other's address. Rounds follow each other fast at first, then
 * every `discovery.find_peers_interval`. Follows the product's `PeerFinder`.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { CancelTimer, Clock, Transport } from "@orrery/ports";
import { actions, decodeNode, encodeNode, PeersRequest, PeersResponse } from "@orrery/protocol";
import type { NodeId } from "@orrery/stdx";
import { isProblem, type Links } from "./links.ts";

const firstRoundMs = 10;
/** Nobody makes this node look in more places. */
const addressesMost = 1024;

/** What a node said of itself when it was last asked. */
export interface Peer {
  readonly node: DiscoveryNode;
  readonly hasCluster: boolean;
  /** It lost some of what it acknowledged: it does not vote. */
  readonly isLogLost: boolean;
  readonly clusterUuid: string;
  readonly term: number;
  readonly managerNode: DiscoveryNode | undefined;
}

export interface Discovery {
  /** Connected nodes that have answered, by id. */
  readonly peers: ReadonlyMap<NodeId, Peer>;
  /** Every seed has answered, or could not be reached, at least once. */
  isSurveyed(): boolean;
  /** Looks for nodes, at once, until `rest`. */
  seek(): void;
  rest(): void;
  /** Somebody said this node is worth asking now. */
  visit(node: DiscoveryNode): void;
}

export interface DiscoveryOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly links: Links;
  readonly localNode: DiscoveryNode;
  readonly seedAddresses: readonly string[];
  /** Between two rounds, at most. */
  readonly findPeersIntervalMs: () => number;
  readonly requestTimeoutMs: number;
  /** Nodes of the last state, and other places to try. */
  readonly lastKnown: () => readonly DiscoveryNode[];
  /** What this node answers when it is asked. */
  readonly describe: () => Omit<Peer, "node">;
  /** A peer answered. */
  readonly found: (peer: Peer) => void;
  /** `isSurveyed` is true now. */
  readonly surveyed: () => void;
}

export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { clock, transport, links, localNode } = options;
  const peers = new Map<NodeId, Peer>();
  const addresses = new Set(options.seedAddresses);
  const probing = new Set<string>();
  const untried = new Set(options.seedAddresses);
  let cancelSurvey: CancelTimer | undefined;
  let isSeeking = false;
  let intervalMs = firstRoundMs;
  let cancelRound: CancelTimer = () => {};

  links.onDisconnected(({ id }) => peers.delete(id));

  const learn = (node: DiscoveryNode): void => {
    if (node.id === localNode.id || addresses.has(node.transportAddress)) return;
    if (addresses.size >= addressesMost) return;
    addresses.add(node.transportAddress);
    if (isSeeking) void probe(node.transportAddress);
  };

  const ask = async (node: DiscoveryNode): Promise<void> => {
    const request = PeersRequest.encode({
      node: encodeNode(localNode),
      knownNodes: [...links.connected.values()].map(encodeNode),
    }).finish();
    const { requestTimeoutMs: timeoutMs } = options;
    const payload = await transport.request(node.id, actions.requestPeers, request, { timeoutMs });
    const response = PeersResponse.decode(payload);
    const { hasCluster, isLogLost, clusterUuid, term, managerNode } = response;
    const peer: Peer = {
      node,
      hasCluster,
      isLogLost,
      clusterUuid,
      term,
      managerNode: managerNode === "" ? undefined : decodeNode(managerNode),
    };
    peers.set(node.id, peer);
    response.knownNodes.map(decodeNode).forEach(learn);
    if (peer.managerNode !== undefined) learn(peer.managerNode);
    options.found(peer);
  };

  const endSurvey = (): void => {
    cancelSurvey?.();
    untried.clear();
    options.surveyed();
  };

  const tried = (address: string): void => {
    if (untried.delete(address) && untried.size === 0) endSurvey();
  };

  /** A place that nobody answers from is tried again in the next round, which is all there is to do about it. */
  const probe = async (address: string): Promise<void> => {
    if (address === localNode.transportAddress) tried(address);
    if (probing.has(address) || address === localNode.transportAddress) return;
    probing.add(address);
    const node = await links.connect(address);
    if (!isProblem(node) && node.id !== localNode.id) await ask(node).catch(() => {});
    probing.delete(address);
    tried(address);
  };

  const round = (): void => {
    if (!isSeeking) return;
    for (const node of options.lastKnown()) addresses.add(node.transportAddress);
    for (const address of [...addresses]) void probe(address);
    cancelRound = clock.setTimer(intervalMs, round);
    intervalMs = Math.min(intervalMs * 2, options.findPeersIntervalMs());
  };

  transport.handle(actions.requestPeers, async (payload) => {
    const request = PeersRequest.decode(payload);
    const asking = decodeNode(request.node);
    const known = request.knownNodes.map(decodeNode);
    learn(asking);
    // It has just come, or come back: no need to wait for the next round.
    if (isSeeking && !peers.has(asking.id)) void probe(asking.transportAddress);
    known.forEach(learn);
    // A node that others still ask while it rests may be one this node has lost: look at it again.
    if (!isSeeking && !links.connected.has(asking.id)) void links.connect(asking.transportAddress);
    const { hasCluster, isLogLost, clusterUuid, term, managerNode } = options.describe();
    return PeersResponse.encode({
      node: encodeNode(localNode),
      managerNode: managerNode === undefined ? "" : encodeNode(managerNode),
      knownNodes: [...links.connected.values()].map(encodeNode),
      hasCluster,
      isLogLost,
      clusterUuid,
      term,
    }).finish();
  });

  return {
    peers,
    isSurveyed: () => untried.size === 0,
    seek() {
      if (isSeeking) return;
      isSeeking = true;
      // A place that swallows what is sent to it holds nobody up for longer than an answer may take.
      if (untried.size > 0)
        cancelSurvey ??= clock.setTimer(options.requestTimeoutMs, () => {
          if (untried.size > 0) endSurvey();
        });
      intervalMs = firstRoundMs;
      round();
    },
    rest() {
      isSeeking = false;
      cancelRound();
      cancelSurvey?.();
      cancelSurvey = undefined;
    },
    visit(node) {
      addresses.add(node.transportAddress);
      if (isSeeking) void probe(node.transportAddress);
    },
  };
}
