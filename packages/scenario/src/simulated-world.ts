/**
 * World of a plan in the simulation: nodes by name, clients that send REST requests, rules applied to the simulator's
 * models.
 */
import { dispatch } from "@orrery/rest";
import type { Simulation } from "@orrery/simulator";
import { concatBytes, emptyBytes, utf8Decode, utf8Encode, type Json } from "@orrery/stdx";
import { applyToSimulation } from "./simulated-rules.ts";
import type { NodePlan, Plan } from "./plan.ts";
import { createRoster, type Roster } from "./roster.ts";
import { selectNodes } from "./selectors.ts";
import { figuresOf, historiesIn, workIn } from "./simulated-insight.ts";
import { viewOf } from "./view.ts";
import { createWatchers, type Watchers } from "./watchers.ts";
import {
  LONG_WAIT_MS,
  type Client,
  type ClientAnswer,
  type ClientRequest,
  type Wait,
  type World,
} from "./world.ts";

/** Latency between a client and a node, in each direction. */
const CLIENT_LATENCY_MS = { low: 1, high: 5 };

/**
 * World of a plan in a simulation. `watchers` are those that the caller gave to the simulation as `onEvent` (`hear`).
 * `httpAddressOf` is the address under which a node is published to clients; messages between nodes contain it.
 */
export function createSimulatedWorld(
  simulation: Simulation,
  plan: Plan,
  watchers: Watchers = createWatchers(),
  httpAddressOf: (node: string) => string = (node) => `${node}:9200`,
): World {
  const { queue } = simulation;
  const roster = createRoster(plan);
  const choice = simulation.random("selectors");
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      queue.schedule(ms, resolve);
    });
  const waits = createWaits(() => queue.nowMs);
  const world: World = {
    name: "sim",
    nodes: roster.names,
    clusterOf: roster.clusterOf,
    transportAddress: (node) => node,
    running: (cluster) =>
      roster.names(cluster).filter((node) => simulation.cluster(node) !== undefined),
    isUp: (node) => simulation.isUp(node),
    select: (selector) =>
      selectNodes(selector, {
        world,
        pick: (from) => choice.pick(from),
        shuffle: (from) => choice.shuffle(from),
        firstCluster: roster.firstCluster,
        isExpected: roster.isExpected,
        zoneOf: (node) => roster.planOf(node)?.zone,
        rolesOf: (node) => roster.planOf(node)?.roles,
      }),
    view: async (node) => {
      const state = simulation.cluster(node)?.state();
      return state === undefined ? undefined : viewOf(state);
    },
    nowMs: () => queue.nowMs,
    sleep,
    random: simulation.random,
    record: (event) => simulation.record("", event),
    watch: watchers.watch,
    watchNews: watchers.watchNews,
    request: createRequester(simulation, sleep, waits),
    waits: waits.all,
    start: async (node) => {
      const planned = roster.planOf(node);
      if (planned === undefined || simulation.isUp(node)) return;
      void simulation.start(configOf(planned, node, { roster, httpAddress: httpAddressOf(node) }));
    },
    stop: async (node) => {
      if (simulation.isUp(node)) await simulation.stop(node);
    },
    crash: async (node, unsynced) => simulation.crash(node, unsynced),
    wipe: async (node) => simulation.wipe(node),
    add: async (cluster, node) => roster.add(cluster, node),
    remove: async (node) => roster.remove(node),
    applyRule: async (rule) => applyToSimulation(simulation, rule),
    histories: (cluster, index) => historiesIn(simulation, world.running(cluster), index),
    ownAnswer: async (node, uri) => {
      const cluster = simulation.cluster(node);
      if (cluster === undefined) return undefined;
      const response = await dispatch(requestOf({ method: "GET", uri }), cluster);
      return { status: response.status, body: parse(textOf(response.body)) };
    },
    figures: () => figuresOf(simulation, roster.names()),
    underWay: () => workIn(simulation, roster.names(), waits.all()),
  };
  return world;
}

function configOf(
  planned: NodePlan,
  node: string,
  { roster, httpAddress }: { readonly roster: Roster; readonly httpAddress: string },
) {
  const cluster = roster.clusterPlanOf(node);
  const seeds = roster.names(cluster.name);
  const { zone, roles } = planned;
  return {
    name: node,
    clusterName: cluster.name,
    httpAddress,
    hostAddress: "127.0.0.1",
    hostName: node,
    settings: {
      "discovery.seed_hosts": seeds,
      "cluster.initial_cluster_manager_nodes": [firstManager(cluster.nodes)],
      ...(zone === undefined ? {} : { "node.attr.zone": zone }),
      ...(roles === undefined ? {} : { "node.roles": roles }),
      ...cluster.settings,
      ...planned.settings,
    },
  };
}

/** First node that may be elected; it bootstraps the cluster. */
export function firstManager(nodes: readonly NodePlan[]): string {
  const first = nodes.find(({ roles }) => roles?.includes("cluster_manager") ?? true);
  return first?.name ?? "";
}

interface Waits {
  /** Settles as the answer does; `undefined` means that the node went down. */
  follow(wait: Wait, answer: Promise<ClientAnswer | undefined>): Promise<ClientAnswer | undefined>;
  readonly all: () => readonly Wait[];
}

/** Table of pending requests. Completed ones are kept only if they took long. */
function createWaits(nowMs: () => number): Waits {
  const open = new Set<Wait>();
  const long: Wait[] = [];
  return {
    follow: async (wait, answer) => {
      open.add(wait);
      const answered = await answer.finally(() => open.delete(wait));
      const answeredMs = nowMs();
      if (answered !== undefined && answeredMs - wait.sentMs >= LONG_WAIT_MS)
        long.push({ ...wait, answeredMs });
      return answered;
    },
    all: () => [...long, ...open],
  };
}

function createRequester(
  simulation: Simulation,
  sleep: (ms: number) => Promise<void>,
  waits: Waits,
): World["request"] {
  const latency = simulation.random("client-latency");
  const travel = (): Promise<void> =>
    sleep(latency.int(CLIENT_LATENCY_MS.low, CLIENT_LATENCY_MS.high));

  const send = async (
    node: string,
    request: Omit<ClientRequest, "timeoutMs">,
  ): Promise<ClientAnswer | undefined> => {
    await travel();
    const cluster = simulation.cluster(node);
    // A node that is down refuses the connection, so nothing was executed.
    if (cluster === undefined) return { status: 503, body: "connection refused", isRefused: true };
    if (!simulation.isReady(node)) {
      const isThere = simulation.turn(node).then(() => true);
      if (!(await simulation.untilDown(node, isThere))) return undefined;
    }
    const answered = dispatch(requestOf(request), cluster);
    // A node that goes down closes its connections: the outcome of the request is unknown.
    const response = await simulation.untilDown(node, answered);
    if (response === undefined) return undefined;
    await travel();
    return { status: response.status, body: parse(textOf(response.body)) };
  };

  return async (client: Client, node, what) => {
    const id = client.next;
    client.next += 1;
    const operation = `${what.method} ${what.uri}`;
    simulation.record("", { kind: "client-request", client: client.name, id, operation });
    const { queue } = simulation;
    const answer = await new Promise<ClientAnswer | undefined>((resolve, reject) => {
      const cancelTimeout = queue.schedule(what.timeoutMs, () => resolve(undefined));
      const wait = { client: client.name, request: id, node, operation, sentMs: queue.nowMs };
      waits.follow(wait, send(node, what)).then((answered) => {
        cancelTimeout();
        resolve(answered);
      }, reject);
    });
    const status = answer?.status ?? 0;
    const outcome = answer === undefined ? "unknown" : status < 300 ? "ok" : "failed";
    simulation.record("", { kind: "client-response", client: client.name, id, status, outcome });
    return answer;
  };
}

function requestOf({ method, uri, body }: Omit<ClientRequest, "timeoutMs">) {
  const type = uri.includes("_bulk") ? "application/x-ndjson" : "application/json";
  return {
    method,
    uri,
    headers: body === undefined ? {} : { "content-type": type },
    body: body === undefined ? emptyBytes : utf8Encode(body),
  };
}

function textOf(pieces: readonly Uint8Array[]): string {
  const [only] = pieces;
  return utf8Decode(only !== undefined && pieces.length === 1 ? only : concatBytes(pieces));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
