/**
 * Decides where a node looks for others, and when: a step function over plain data (`PeerFinder`). Connections, requests and timers are
 * effects, to be carried out in their order.
 *
 * Addresses to try are the seeds, the nodes of the last state, and what peers tell, up to 1024 of those. Each is tried once at a time,
 * in rounds: the first after 10 ms, then twice as long up to `discovery.find_peers_interval`. The seeds are surveyed when each was tried
 * once, or when a request to one would have run out of time.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import { unreachable, type NodeId } from "@orrery/stdx";

const firstRoundMs = 10;
/** No peer makes this node look in more places. */
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

export interface DiscoveryState {
  readonly localNode: DiscoveryNode;
  readonly isActive: boolean;
  /** Until the round after the next. */
  readonly intervalMs: number;
  readonly addresses: ReadonlySet<string>;
  /** Addresses that are being tried. */
  readonly probing: ReadonlySet<string>;
  /** Seeds that have not been tried yet; none once they are surveyed. */
  readonly untried: ReadonlySet<string>;
  /** The survey has its deadline. */
  readonly isSurveyTimed: boolean;
  /** Connected nodes that have answered, by id. */
  readonly peers: ReadonlyMap<NodeId, Peer>;
}

export type DiscoveryEvent =
  | ({ readonly kind: "activate" } & RoundInput)
  | { readonly kind: "deactivate" }
  | ({ readonly kind: "round-due" } & RoundInput)
  | { readonly kind: "survey-overdue" }
  | { readonly kind: "visit"; readonly address: string }
  /** A node asked this one whom it knows. */
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
  /** The address was tried, with an answer or without. */
  | { readonly kind: "probed"; readonly address: string }
  | { readonly kind: "disconnected"; readonly nodeId: NodeId };

interface RoundInput {
  /** Nodes of the last state. */
  readonly lastKnown: readonly DiscoveryNode[];
  /** Between two rounds, at most. */
  readonly intervalMsMost: number;
}

export type DiscoveryEffect =
  /** Connect, and ask who is there whom it knows; `probed` in any case. */
  | { readonly kind: "probe"; readonly address: string }
  | { readonly kind: "connect"; readonly address: string }
  | { readonly kind: "set-round"; readonly delayMs: number }
  | { readonly kind: "cancel-round" }
  | { readonly kind: "set-survey" }
  | { readonly kind: "cancel-survey" }
  | { readonly kind: "report-surveyed" }
  | { readonly kind: "report-peer"; readonly peer: Peer };

export interface DiscoveryStep {
  readonly state: DiscoveryState;
  readonly effects: readonly DiscoveryEffect[];
}

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
  // A place that swallows what is sent to it holds nobody up for longer than an answer may take.
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

/** Addresses that nobody answers from are tried again in the next round. */
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
  // It has just come, or come back: no need to wait for the next round.
  if (isActive && !peers.has(by.id)) step = probeAll(step, [by.transportAddress]);
  step = learn(step, known);
  // A node that others still ask while it rests may be one this node has lost: look at it again.
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
