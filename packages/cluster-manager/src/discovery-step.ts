/**
 * Decisions of discovery, as a step function over plain data (`PeerFinder`): which addresses a node probes, and when.
 * Connections, requests and timers are effects, carried out in their order.
 *
 * Addresses are the seeds, the nodes of the last state, and nodes that peers report (until 1024 are known). While
 * discovery is active, each is probed in rounds, never twice at a time: at once, after 10 ms, then after doubled pauses
 * up to `discovery.find_peers_interval`. A node that an answer or a request reveals is probed immediately.
 *
 * The survey ends when every seed was probed once, or after `discovery.request_peers_timeout`. Bootstrap waits for it:
 * a node must not found a cluster beside one that its seeds know.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import { unreachable, type NodeId } from "@orrery/stdx";

const firstRoundMs = 10;
/** Limit of addresses learnt from peers, so that a faulty peer cannot make this node connect to arbitrarily many places. */
const addressesMost = 1024;

/** Answer of a peer to the last `request-peers`. */
export interface Peer {
  readonly node: DiscoveryNode;
  /** Whether it belongs to a cluster, even one whose other nodes it does not reach. */
  readonly hasCluster: boolean;
  /** Whether it lost part of what it acknowledged, and therefore does not vote. */
  readonly isLogLost: boolean;
  /** Empty until its cluster's uuid is committed. */
  readonly clusterUuid: string;
  readonly term: number;
  /** The elected cluster manager that it knows of. */
  readonly managerNode: DiscoveryNode | undefined;
}

/** State of discovery; kept from `deactivate` to the next `activate`. */
export interface DiscoveryState {
  readonly localNode: DiscoveryNode;
  readonly isActive: boolean;
  /** Pause before the round after the next one. */
  readonly intervalMs: number;
  /** All addresses to probe. */
  readonly addresses: ReadonlySet<string>;
  /** Addresses with a probe under way. */
  readonly probing: ReadonlySet<string>;
  /** Seeds that were not probed yet; empty once the survey has ended. */
  readonly untried: ReadonlySet<string>;
  /** Whether the timer that ends the survey is set. */
  readonly isSurveyTimed: boolean;
  /** Connected nodes that have answered, by id. */
  readonly peers: ReadonlyMap<NodeId, Peer>;
}

/** Inputs of discovery. */
export type DiscoveryEvent =
  | ({ readonly kind: "activate" } & RoundInput)
  | { readonly kind: "deactivate" }
  | ({ readonly kind: "round-due" } & RoundInput)
  | { readonly kind: "survey-overdue" }
  | { readonly kind: "visit"; readonly address: string }
  /** A peer requested the nodes that this one knows, and sent those that it knows itself. */
  | {
      readonly kind: "asked";
      readonly by: DiscoveryNode;
      readonly isConnected: boolean;
      readonly known: readonly DiscoveryNode[];
    }
  | {
      readonly kind: "answered";
      readonly peer: Peer;
      readonly known: readonly DiscoveryNode[];
    }
  /** A probe ended, with an answer or without. */
  | { readonly kind: "probed"; readonly address: string }
  | { readonly kind: "disconnected"; readonly nodeId: NodeId };

/** Inputs that each round reads anew. */
interface RoundInput {
  /** Nodes of the last applied state. */
  readonly lastKnown: readonly DiscoveryNode[];
  /** Longest pause between two rounds, in milliseconds. */
  readonly intervalMsMost: number;
}

/** Outputs of discovery. */
export type DiscoveryEffect =
  /** Connects and requests the peer's nodes; ends with the event `probed` in any case. */
  | { readonly kind: "probe"; readonly address: string }
  | { readonly kind: "connect"; readonly address: string }
  | { readonly kind: "set-round"; readonly delayMs: number }
  | { readonly kind: "cancel-round" }
  | { readonly kind: "set-survey" }
  | { readonly kind: "cancel-survey" }
  | { readonly kind: "report-surveyed" }
  | { readonly kind: "report-peer"; readonly peer: Peer };

/** The next state, and the effects to carry out in their order. */
export interface DiscoveryStep {
  readonly state: DiscoveryState;
  readonly effects: readonly DiscoveryEffect[];
}

/** The inactive state of a node that has probed nothing. */
export function firstDiscovery(
  localNode: DiscoveryNode,
  seedAddresses: readonly string[],
): DiscoveryState {
  return {
    localNode,
    isActive: false,
    intervalMs: firstRoundMs,
    addresses: new Set(seedAddresses),
    probing: new Set(),
    untried: new Set(seedAddresses),
    isSurveyTimed: false,
    peers: new Map(),
  };
}

/** Handles one event. Events that do not apply to the state, such as a late timer, change nothing. */
export function discoveryStep(state: DiscoveryState, event: DiscoveryEvent): DiscoveryStep {
  switch (event.kind) {
    case "activate":
      return state.isActive ? stay(state) : activate(state, event);
    case "deactivate":
      return deactivate(state);
    case "round-due":
      return state.isActive ? round(stay(state), event) : stay(state);
    case "survey-overdue":
      return state.untried.size === 0 ? stay(state) : endSurvey(stay(state));
    case "visit": {
      const step = stay({ ...state, addresses: new Set(state.addresses).add(event.address) });
      return state.isActive ? probeAll(step, [event.address]) : step;
    }
    case "asked":
      return asked(state, event);
    case "answered":
      return answered(state, event);
    case "probed": {
      const probing = new Set(state.probing);
      probing.delete(event.address);
      return tried(stay({ ...state, probing }), event.address);
    }
    case "disconnected": {
      if (!state.peers.has(event.nodeId)) return stay(state);
      const peers = new Map(state.peers);
      peers.delete(event.nodeId);
      return stay({ ...state, peers });
    }
    default:
      return unreachable(event);
  }
}

function activate(before: DiscoveryState, input: RoundInput): DiscoveryStep {
  const state = { ...before, isActive: true, intervalMs: firstRoundMs };
  // A seed that accepts connections and never answers delays bootstrap by one request timeout at most.
  if (state.untried.size === 0 || state.isSurveyTimed) return round(stay(state), input);
  return round(
    { state: { ...state, isSurveyTimed: true }, effects: [{ kind: "set-survey" }] },
    input,
  );
}

const deactivateEffects: readonly DiscoveryEffect[] = [
  { kind: "cancel-round" },
  { kind: "cancel-survey" },
];

function deactivate(before: DiscoveryState): DiscoveryStep {
  if (!before.isActive && !before.isSurveyTimed)
    return { state: before, effects: deactivateEffects };
  return {
    state: { ...before, isActive: false, isSurveyTimed: false },
    effects: deactivateEffects,
  };
}

/** Probes every address that is not being probed, and sets the timer of the next round. */
function round({ state, effects }: DiscoveryStep, input: RoundInput): DiscoveryStep {
  const addresses = new Set(state.addresses);
  for (const { transportAddress } of input.lastKnown) addresses.add(transportAddress);
  const delayMs = state.intervalMs;
  const intervalMs = Math.min(delayMs * 2, input.intervalMsMost);
  const probed = probeAll({ state: { ...state, addresses, intervalMs }, effects }, addresses);
  return withEffect(probed, { kind: "set-round", delayMs });
}

function asked(
  before: DiscoveryState,
  { by, isConnected, known }: DiscoveryEvent & { readonly kind: "asked" },
): DiscoveryStep {
  const { isActive, peers } = before;
  let step = learn(stay(before), [by]);
  // The requesting node has just started or reconnected: it is probed now, not in the next round.
  if (isActive && !peers.has(by.id)) step = probeAll(step, [by.transportAddress]);
  step = learn(step, known);
  // A node that still discovers while this one is in a cluster may be a member whose connection is lost here: a new
  // connection tells whether it is the same process.
  if (isActive || isConnected) return step;
  return withEffect(step, { kind: "connect", address: by.transportAddress });
}

function answered(
  before: DiscoveryState,
  { peer, known }: DiscoveryEvent & { readonly kind: "answered" },
): DiscoveryStep {
  const { managerNode } = peer;
  const peers = new Map(before.peers).set(peer.node.id, peer);
  const all = managerNode === undefined ? known : [...known, managerNode];
  return withEffect(learn(stay({ ...before, peers }), all), { kind: "report-peer", peer });
}

/** Adds the addresses of nodes, and probes the new ones while discovery is active. */
function learn(step: DiscoveryStep, nodes: readonly DiscoveryNode[]): DiscoveryStep {
  const { localNode, isActive } = step.state;
  const addresses = new Set(step.state.addresses);
  const learnt = nodes.flatMap(({ id, transportAddress }) => {
    if (id === localNode.id || addresses.has(transportAddress)) return [];
    if (addresses.size >= addressesMost) return [];
    addresses.add(transportAddress);
    return [transportAddress];
  });
  if (learnt.length === 0) return step;
  const known = { ...step, state: { ...step.state, addresses } };
  return isActive ? probeAll(known, learnt) : known;
}

/** Probes the addresses that are not being probed. The own address counts as probed. */
function probeAll(before: DiscoveryStep, addresses: Iterable<string>): DiscoveryStep {
  const probing = new Set(before.state.probing);
  const own = before.state.localNode.transportAddress;
  let step: DiscoveryStep = before;
  let effects: DiscoveryEffect[] = [...before.effects];
  for (const address of addresses) {
    if (address === own) {
      step = tried({ ...step, effects }, address);
      effects = [...step.effects];
    } else if (!probing.has(address)) {
      probing.add(address);
      effects.push({ kind: "probe", address });
    }
  }
  return { state: { ...step.state, probing }, effects };
}

/** Notes that a seed was probed; the last one ends the survey. */
function tried(step: DiscoveryStep, address: string): DiscoveryStep {
  if (!step.state.untried.has(address)) return step;
  const untried = new Set(step.state.untried);
  untried.delete(address);
  const next = { ...step, state: { ...step.state, untried } };
  return untried.size === 0 ? endSurvey(next) : next;
}

function endSurvey({ state, effects }: DiscoveryStep): DiscoveryStep {
  return {
    state: { ...state, untried: new Set() },
    effects: [...effects, { kind: "cancel-survey" }, { kind: "report-surveyed" }],
  };
}

function withEffect({ state, effects }: DiscoveryStep, effect: DiscoveryEffect): DiscoveryStep {
  return { state, effects: [...effects, effect] };
}

function stay(state: DiscoveryState): DiscoveryStep {
  return { state, effects: [] };
}
