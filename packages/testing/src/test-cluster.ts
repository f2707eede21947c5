/** Cluster in virtual time with real URLs, as a test uses it: requests, time, faults, snapshot and restore. */
import { ConnectionCut } from "@orrery/http-server";
import {
  createSimulatedWorld,
  inject,
  newClient,
  readFaultRequest,
  type Plan,
  type World,
} from "@orrery/scenario";
import { createSimulation } from "@orrery/simulator";
import { defined, type Json, type JsonObject } from "@orrery/stdx";
import { createClusterLog, type ClusterLog } from "./cluster-logs.ts";
import { createDriver } from "./driver.ts";
import { createNodeEndpoint, type NodeEndpoint, type ServedCluster } from "./node-endpoint.ts";
import { writeImage, takeImage, type ClusterImage } from "./images.ts";
import { planOf, type ClusterOptions } from "./options.ts";
import { seedOf } from "./seed.ts";

/**
 * Cluster of one test. Virtual time advances by itself while a promise of its methods is pending; with the option `time: "real"`
 * it passes as on the machine.
 */
export interface TestCluster {
  /** Seed that replays all draws of this cluster. */
  readonly seed: number;
  /** URLs of `node-1`, `node-2` … */
  readonly urls: readonly string[];
  readonly nodes: readonly string[];
  /** Virtual time in milliseconds; `restore` and `reset` set it back to that of their image. */
  readonly nowMs: number;
  /** Advances virtual time. */
  advance(ms: number): Promise<void>;
  /** Advances virtual time until the claim holds; rejects if it does not within `withinMs` (default 60 s). */
  until(claim: () => boolean | Promise<boolean>, withinMs?: number): Promise<void>;
  /** Sends one request without HTTP, to the first running node unless `how` names one. */
  request(method: string, uri: string, how?: RequestHow): Promise<Answer>;
  /** Cuts a node's power: its unsynced writes are lost, torn or kept. */
  crash(node: string): Promise<void>;
  /** Stops a node in an orderly way. */
  stop(node: string): Promise<void>;
  /** Starts a node; resolves when it has joined the cluster. */
  start(node: string): Promise<void>;
  /** Log lines of the nodes, and their starts, ends and elections, since the test or the restored image began. */
  logs(): readonly string[];
  /**
   * Starts a fault of scenarios, such as `partition` with `{ isolate: "node-1" }`; returns the function that ends it.
   * Rejects if the fault finds no target.
   */
  fault(kind: string, values?: JsonObject): Promise<() => Promise<void>>;
  /**
   * Image of the cluster at rest: waits until every node has joined and no copy initializes or relocates. Rejects if a
   * request is outstanding, or the cluster is not at rest within 60 s of virtual time.
   */
  snapshot(): Promise<ClusterImage>;
  /** Restores an image: nodes boot from it, and virtual time goes on from that of the image. Rejects pending requests. */
  restore(image: ClusterImage): Promise<void>;
  /** Restores the initial state of the cluster. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface RequestHow {
  /** A string is sent as it is, every other value as JSON. */
  readonly body?: Json;
  readonly node?: string;
  readonly timeoutMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

interface Incarnation extends ServedCluster {
  readonly world: World;
  readonly log: ClusterLog;
  /** Number of the incarnation: 0 for an empty start, else one more than that of the restored image. */
  readonly number: number;
}

const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 10;
/** Virtual time after which the last write is durable. */
const QUIET_MS = 200;

export async function createTestCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const plan = planOf(options);
  const seed = seedOf(options);
  const names = plan.clusters[0]?.nodes.map(({ name }) => name) ?? [];
  const endpoints = new Map<string, NodeEndpoint>();
  for (const name of names) endpoints.set(name, await createNodeEndpoint(name, () => incarnation));
  const begin = (number: number): Incarnation =>
    newIncarnation(plan, { seed, number }, { product: options.product, endpoints });
  let incarnation = begin(0);
  let first: ClusterImage | undefined;

  const until = async (
    claim: () => boolean | Promise<boolean>,
    withinMs = PATIENCE_MS,
  ): Promise<void> => {
    const endMs = incarnation.simulation.queue.nowMs + withinMs;
    while (!(await incarnation.driver.drive(Promise.resolve(claim())))) {
      if (incarnation.simulation.queue.nowMs >= endMs)
        throw new Error(`not within ${withinMs} ms of virtual time: ${String(claim)}`);
      await incarnation.driver.advance(LOOK_EVERY_MS);
    }
  };
  /** Starts the nodes and waits until they have joined and this number of copies has started. */
  const boot = async (copies: number): Promise<void> => {
    for (const name of names) await incarnation.world.start(name);
    await until(async () => {
      if ((await busyReason(incarnation, names)) !== undefined) return false;
      return (await startedCopies(incarnation.world, names)) >= copies;
    });
  };
  await boot(0);

  const cluster: TestCluster = {
    seed,
    nodes: names,
    urls: [...endpoints.values()].map(({ url }) => url),
    get nowMs() {
      return incarnation.simulation.queue.nowMs;
    },
    advance: async (ms) => {
      if (!Number.isFinite(ms) || ms < 0)
        throw new RangeError(`time moves by a number of milliseconds from 0 on, not [${ms}]`);
      await incarnation.driver.advance(ms);
    },
    until,
    request: async (method, uri, { body, node, timeoutMs = PATIENCE_MS } = {}) => {
      const { world, driver } = incarnation;
      const asked = node ?? world.running()[0] ?? "";
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const what = { method, uri, timeoutMs, ...(body === undefined ? {} : { body: text }) };
      const answer = await driver.drive(world.request(newClient("test"), asked, what));
      if (answer === undefined)
        throw new Error(`[${method} ${uri}] had no answer from [${asked}] within ${timeoutMs} ms`);
      return { status: answer.status, body: answer.body };
    },
    crash: async (node) => {
      await incarnation.world.crash(known(names, node));
      await endpoints.get(node)?.shut();
    },
    stop: async (node) => {
      await incarnation.driver.drive(incarnation.world.stop(known(names, node)));
      await endpoints.get(node)?.shut();
    },
    start: async (node) => {
      await incarnation.world.start(known(names, node));
      await until(async () => (await incarnation.world.view(node))?.clusterManager !== undefined);
      await endpoints.get(node)?.open();
    },
    logs: () => incarnation.log.lines(),
    fault: async (kind, values = {}) => {
      const { world, driver } = incarnation;
      const fault = readFaultRequest(kind, values, world);
      const injected = await driver.drive(inject(fault, world));
      const description = injected.targets.join(", ");
      world.record({ kind: "fault-started", fault: kind, description });
      const end = async (): Promise<void> => {
        await driver.drive(injected.end());
        world.record({ kind: "fault-ended", fault: kind, description });
      };
      if (injected.targets.length > 0) return end;
      await end();
      throw new Error(`the fault [${kind}] found nothing to harm: nothing is what it names`);
    },
    snapshot: async () => {
      await settle(incarnation, names, until);
      const copies = await startedCopies(incarnation.world, names);
      return {
        ...takeImage(incarnation.simulation, names),
        incarnation: incarnation.number,
        copies,
      };
    },
    restore: async (image) => {
      endIncarnation(incarnation, "the cluster was brought back to a snapshot");
      incarnation = begin(image.incarnation + 1);
      await writeImage(incarnation.simulation, image);
      await boot(image.copies);
      // Nodes boot in virtual time, as nobody looks.
      incarnation.log.clear();
      if (options.time === "real") incarnation.driver.followClock();
      for (const endpoint of endpoints.values()) await endpoint.open();
    },
    reset: async () => {
      if (first !== undefined) await cluster.restore(first);
    },
    close: async () => {
      endIncarnation(incarnation, "the cluster is closed");
      await Promise.all([...endpoints.values()].map((endpoint) => endpoint.shut()));
    },
  };
  first = await cluster.snapshot();
  // The first test must start from a restored image as well, so that all tests start alike.
  await cluster.reset();
  return cluster;
}

/**
 * Ids drawn by one incarnation must not recur in a later one: the cluster would take the new operations for
 * repetitions.
 */
const SEED_STRIDE = 0x1_0000_0000;

function newIncarnation(
  plan: Plan,
  { seed, number }: { readonly seed: number; readonly number: number },
  {
    product,
    endpoints,
  }: {
    readonly product: ClusterOptions["product"];
    readonly endpoints: ReadonlyMap<string, NodeEndpoint>;
  },
): Incarnation {
  const log = createClusterLog();
  const simulation = createSimulation({
    seed: seed + number * SEED_STRIDE,
    onEvent: log.hear,
    isHeard: log.isHeard,
    ...(product === undefined ? {} : { product }),
  });
  return {
    number,
    log,
    simulation,
    driver: createDriver(simulation.queue),
    world: createSimulatedWorld(
      simulation,
      plan,
      undefined,
      (node) => defined(endpoints.get(node), `an endpoint of ${node}`).address,
    ),
  };
}

/** Ends an incarnation and rejects its pending callers. */
function endIncarnation({ simulation, driver }: Incarnation, why: string): void {
  simulation.end();
  driver.end(new ConnectionCut(why));
}

type Until = (claim: () => Promise<boolean>) => Promise<void>;

async function settle(
  incarnation: Incarnation,
  names: readonly string[],
  until: Until,
): Promise<void> {
  if (incarnation.driver.outstanding > 0)
    throw new Error(
      `${incarnation.driver.outstanding} requests are outstanding: the cluster is not at rest`,
    );
  let why: string | undefined;
  try {
    await until(async () => {
      why = await busyReason(incarnation, names);
      return why === undefined;
    });
  } catch {
    throw new Error(`the cluster does not come to rest: ${why ?? "it is busy"}`);
  }
  await incarnation.driver.advance(QUIET_MS);
}

/** Reason why the cluster is not at rest; `undefined` if it is. */
async function busyReason(
  { world, simulation }: Incarnation,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of names) {
    const view = await world.view(name);
    if (view === undefined) return `${name} is down`;
    if (view.clusterManager === undefined) return `${name} knows no elected cluster manager`;
    const blocks = simulation.cluster(name)?.state().blocks.global ?? [];
    if (blocks.length > 0) return `${name} does not know the state of the cluster`;
    if (view.nodes.length !== names.length) return `${name} sees ${view.nodes.length} nodes`;
    const moving = view.shards.find(
      ({ state, node }) =>
        state === "RELOCATING" ||
        state === "INITIALIZING" ||
        (node !== undefined && state === "UNASSIGNED"),
    );
    if (moving !== undefined) return `a copy of ${moving.index}/${moving.shard} is ${moving.state}`;
  }
  return undefined;
}

async function startedCopies(world: World, names: readonly string[]): Promise<number> {
  const view = await world.view(names[0] ?? "");
  return view?.shards.filter(({ state }) => state === "STARTED").length ?? 0;
}

function known(names: readonly string[], node: string): string {
  if (names.includes(node)) return node;
  throw new RangeError(`there is no node [${node}]: expected one of [${names.join(", ")}]`);
}
