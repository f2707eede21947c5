/**
 * Finds other nodes while this one has no elected cluster manager: asks those it can reach which nodes they know.
 *
 * Seeds are `discovery.seed_hosts`, plus the nodes of the last state this node had. Nodes that ask are asked in return, so
 * two nodes find each other when one of them knows the other's address. `discovery-step.ts` decides; this file connects, asks and
 * answers, and holds the timers. Follows the product's `PeerFinder`.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { CancelTimer, Clock, Transport } from "@orrery/ports";
import { actions, decodeNode, encodeNode, PeersRequest, PeersResponse } from "@orrery/protocol";
import { unreachable, type NodeId } from "@orrery/stdx";
import {
  discoveryStep,
  firstDiscovery,
  type DiscoveryEffect,
  type DiscoveryEvent,
  type Peer,
} from "./discovery-step.ts";
import { isProblem, type Links } from "./links.ts";

export interface Discovery {
  /** Connected nodes that have answered, by id. */
  readonly peers: ReadonlyMap<NodeId, Peer>;
  /** Every seed has answered, or could not be reached, at least once. */
  isSurveyed(): boolean;
  /** Looks for nodes, at once, until `rest`. */
  activate(): void;
  deactivate(): void;
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
  let state = firstDiscovery(localNode, options.seedAddresses);
  let cancelRound: CancelTimer = () => undefined;
  let cancelSurvey: CancelTimer = () => undefined;

  const handle = (event: DiscoveryEvent): void => {
    const step = discoveryStep(state, event);
    ({ state } = step);
    step.effects.forEach(carryOut);
  };

  const roundInput = () => ({
    lastKnown: options.lastKnown(),
    intervalMsMost: options.findPeersIntervalMs(),
  });

  const carryOut = (effect: DiscoveryEffect): void => {
    switch (effect.kind) {
      case "probe":
        void probe(effect.address);
        break;
      case "connect":
        void links.connect(effect.address);
        break;
      case "set-round":
        cancelRound = clock.setTimer(effect.delayMs, () =>
          handle({ kind: "round-due", ...roundInput() }),
        );
        break;
      case "cancel-round":
        cancelRound();
        break;
      case "set-survey":
        cancelSurvey = clock.setTimer(options.requestTimeoutMs, () =>
          handle({ kind: "survey-overdue" }),
        );
        break;
      case "cancel-survey":
        cancelSurvey();
        break;
      case "report-surveyed":
        options.surveyed();
        break;
      case "report-peer":
        options.found(effect.peer);
        break;
      default:
        unreachable(effect);
    }
  };

  const probe = async (address: string): Promise<void> => {
    const node = await links.connect(address);
    if (!isProblem(node) && node.id !== localNode.id) {
      const answer = await askPeer(options, node).catch(() => undefined);
      if (answer !== undefined) handle({ kind: "answered", ...answer });
    }
    handle({ kind: "probed", address });
  };

  links.onDisconnected(({ id: nodeId }) => handle({ kind: "disconnected", nodeId }));
  transport.handle(actions.requestPeers, async (payload) => {
    const request = PeersRequest.decode(payload);
    const by = decodeNode(request.node);
    const known = request.knownNodes.map(decodeNode);
    handle({ kind: "asked", by, isConnected: links.connected.has(by.id), known });
    return describeSelf(options);
  });

  return {
    get peers() {
      return state.peers;
    },
    isSurveyed: () => state.untried.size === 0,
    activate() {
      if (!state.isActive) handle({ kind: "activate", ...roundInput() });
    },
    deactivate: () => handle({ kind: "deactivate" }),
    visit: ({ transportAddress: address }) => handle({ kind: "visit", address }),
  };
}

async function askPeer(
  { links, localNode, transport, requestTimeoutMs: timeoutMs }: DiscoveryOptions,
  node: DiscoveryNode,
): Promise<{ readonly peer: Peer; readonly known: readonly DiscoveryNode[] }> {
  const request = PeersRequest.encode({
    node: encodeNode(localNode),
    knownNodes: [...links.connected.values()].map(encodeNode),
  }).finish();
  const payload = await transport.request(node.id, actions.requestPeers, request, { timeoutMs });
  const response = PeersResponse.decode(payload);
  const { hasCluster, isLogLost, clusterUuid, term } = response;
  const managerNode = response.managerNode === null ? undefined : decodeNode(response.managerNode);
  return {
    peer: { node, hasCluster, isLogLost, clusterUuid, term, managerNode },
    known: response.knownNodes.map(decodeNode),
  };
}

function describeSelf({ links, localNode, describe }: DiscoveryOptions): Uint8Array {
  const { managerNode, ...self } = describe();
  return PeersResponse.encode({
    ...self,
    node: encodeNode(localNode),
    managerNode: managerNode === undefined ? null : encodeNode(managerNode),
    knownNodes: [...links.connected.values()].map(encodeNode),
  }).finish();
}
