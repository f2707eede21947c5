/**
 * Driver of discovery (`PeerFinder`): while no elected cluster manager is known, it requests from every node within
 * reach which nodes, and which cluster manager, it knows.
 *
 * `discovery-step.ts` decides; this file connects, requests, answers requests, and holds the two timers. A node that
 * requests is probed in return, so two nodes find each other when one of them has the other's address as a seed.
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

/** Discovery of one node. Its handler answers requests from its creation on, active or not. */
export interface Discovery {
  /** Connected nodes that have answered, by id. */
  readonly peers: ReadonlyMap<NodeId, Peer>;
  /** Whether every seed was probed once, or the survey ran out of time. */
  isSurveyed(): boolean;
  /** Starts a first round at once; nothing when already active. */
  activate(): void;
  /** Cancels the timers. Probes under way end by themselves. */
  deactivate(): void;
  /** Probes a node that announced itself as elected, at once while active. */
  visit(node: DiscoveryNode): void;
}

export interface DiscoveryOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly links: Links;
  readonly localNode: DiscoveryNode;
  readonly seedAddresses: readonly string[];
  /** Longest pause between two rounds; longer while the zone of this node is decommissioned. */
  readonly findPeersIntervalMs: () => number;
  readonly requestTimeoutMs: number;
  /** Nodes of the last applied state. */
  readonly lastKnown: () => readonly DiscoveryNode[];
  /** This node's answer to a request for peers. */
  readonly describe: () => Omit<Peer, "node">;
  /** Called for each answer of a peer. */
  readonly found: (peer: Peer) => void;
  /** Called once, when the survey ends. */
  readonly surveyed: () => void;
}

/** Inactive discovery; registers the handler of `request-peers`. */
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

  /** Connects and requests the peer's nodes. A failure of either is no error: the address is probed again in the next round. */
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
