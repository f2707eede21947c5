/**
 * Cluster in virtual time: one event queue, one network, a disk and a store for each node, all drawn from one seed.
 *
 * An incarnation of a node ends with `crash` or `stop`: no event scheduled for it runs afterwards, and port calls of
 * its remaining promises have no effect. Its disk and store keep what the models let survive for the next `start`.
 */
import {
  coreProduct,
  startNode,
  startShardWorker,
  type Cluster,
  type Node,
  type NodeConfig,
  type Product,
} from "@orrery/node";
import type { Clock, Host, ProcessInfo, ProcessStats, TraceEvent, Work } from "@orrery/ports";
import { AssertionError, closePrototypes, createRandom, type Random } from "@orrery/stdx";
import { createBlobModel, type BlobModel } from "./blob-model.ts";
import { createClockModel, wallMs } from "./clock-model.ts";
import { createDiskModel, type DiskModel } from "./disk-model.ts";
import { createEventQueue, type EventQueue } from "./event-queue.ts";
import { gatedBlobs, gatedClock, gatedDisk, gatedNetwork } from "./gated-ports.ts";
import { behind, createGate, type Gate, type Passage } from "./gate.ts";
import { createNetworkModel, type NetworkModel } from "./network-model.ts";
import { createRecorder, type RecordedEvent, type Recorder } from "./recorder.ts";
import { createStoreModel, type StoreModel } from "./store-model.ts";
import { createWallClock, type WallClock } from "./wall-clock.ts";
import { createTrustModel } from "./trust-model.ts";
import { createWorkerModel, type WorkerModel } from "./worker-model.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly onLine?: (line: string) => void;
  readonly onEvent?: (event: RecordedEvent) => void;
  /** True for event kinds that `onEvent` receives; all kinds if `undefined`. */
  readonly isHeard?: (kind: TraceEvent["kind"]) => boolean;
  /** Product of every node; the core product without plugins if `undefined`. */
  readonly product?: Product;
}

export interface Simulation {
  readonly queue: EventQueue;
  readonly network: NetworkModel;
  readonly recorder: Recorder;
  /** Random stream for a purpose: draws from one do not change another. */
  random(purpose: string): Random;
  /** Clock outside of nodes, for clients and faults. */
  readonly clock: Clock;
  record(node: string, event: TraceEvent): void;
  start(config: NodeConfig): Promise<void>;
  /** Power loss of a node. `lost`: nothing that was not synced survives. */
  crash(name: string, unsynced?: "drawn" | "lost"): void;
  /** Removes all data of a node, which must be down. */
  wipe(name: string): void;
  /** Orderly stop; resolves when the node is down, also if a crash overtakes the stop. */
  stop(name: string): Promise<void>;
  /** True from the begin of `start` until the incarnation ends. */
  isUp(name: string): boolean;
  /** Settles as the promise does; resolves with `undefined` if this incarnation ends first. */
  untilDown<T>(name: string, what: Promise<T>): Promise<T | undefined>;
  /** Handle of a running node; `undefined` until it has started, and while it is down. */
  cluster(name: string): Cluster | undefined;
  /** Work in progress on a node and its shard workers, each item with a unique name; empty while it is down. */
  work(name: string): readonly Work[];
  /** Number of cluster state listeners of a node; 0 while it is down. */
  stateListeners(name: string): number;
  disk(name: string): DiskModel;
  store(name: string): StoreModel;
  /** Gate of a node, or of one of its threads: thread 0 is the main thread, the others are shard workers. */
  gate(name: string, thread?: number): Gate;
  /** Ends a shard worker of a running node; false if there is none. */
  killWorker(name: string, worker: number): boolean;
  wall(name: string): WallClock;
  /** True if events for the node's main thread run at once. */
  isReady(name: string): boolean;
  /** Resolves when the node's main thread reaches an event that arrives now: at once unless it is paused or slow. */
  turn(name: string): Promise<void>;
  /** Blob stores of the repositories, shared by all nodes. */
  readonly blobs: BlobModel;
  /** Ends every node, so that no event of the run remains. */
  end(): void;
}

interface Machine {
  readonly disk: DiskModel;
  readonly store: StoreModel;
  readonly gate: Gate;
  /** Gates of its threads by number, each behind the gate of the whole node. */
  readonly threads: Map<number, Gate>;
  readonly wall: WallClock;
  workers: WorkerModel | undefined;
  incarnation: number;
  isUp: boolean;
  node: Node | undefined;
  /** Orderly stop in progress of this incarnation. */
  stopping: Promise<unknown> | undefined;
  readonly onDown: Set<() => void>;
}

/** Ends the machine's incarnation: no event scheduled for it runs any more. */
function lose(machine: Machine): void {
  machine.incarnation += 1;
  machine.isUp = false;
  machine.node = undefined;
  machine.stopping = undefined;
  machine.workers = undefined;
  machine.gate.clear();
  for (const gate of machine.threads.values()) gate.clear();
  const down = [...machine.onDown];
  machine.onDown.clear();
  for (const hear of down) hear();
}

/** Settles as the promise does; resolves with `undefined` if the machine's incarnation ends first. */
function untilDown<T>({ onDown }: Machine, what: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // One microtask later, so that the caller that takes the node down continues first.
    const hear = (): void => queueMicrotask(() => resolve(undefined));
    onDown.add(hear);
    // The listener of a completed request must be removed: a node handles millions of requests.
    const over =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        onDown.delete(hear);
        settle(value);
      };
    what.then(over(resolve), over(reject));
  });
}

/** Work in progress on a machine; names carry the thread number, so that equal names of two threads differ. */
function workOf({ node, workers }: Machine): readonly Work[] {
  const threads = [
    [MAIN_THREAD, node?.work() ?? []] as const,
    ...(node === undefined ? [] : (workers?.work() ?? [])),
  ];
  return threads.flatMap(([thread, works]) =>
    works.map(({ kind, name }) => ({ kind, name: `${name} in thread ${thread}` })),
  );
}

const SYNC_MS = { low: 1, high: 4 };

/** Number of the main thread, which has no gate of its own. */
const MAIN_THREAD = 0;

/** Heartbeat interval of a shard worker in its own thread. */
const BEAT_MS = 100;

export function createSimulation(options: SimulationOptions): Simulation {
  closePrototypes();
  const { product = coreProduct } = options;
  const random = (purpose: string): Random => createRandom(`${options.seed}:${purpose}`);
  const queue = createEventQueue(random("order"));
  const recorder = createRecorder({ ...options, now: () => Math.round(queue.nowMs * 1000) / 1000 });
  const record = (node: string, event: TraceEvent): void => recorder.record(node, event);
  const network = createNetworkModel({ queue, random: random("network"), record });
  const machines = new Map<string, Machine>();
  const clock = createClockModel(queue, random("clock"));
  const blobs = createBlobModel({
    types: [...product.shards.repositoryTypes.keys()],
    random: random("blobs"),
    later: (delayMs, action) => void queue.schedule(delayMs, action),
  });

  const world: World = { product, seed: options.seed, random, queue, network, record, blobs };

  const machineOf = (name: string): Machine => {
    const machine = machines.get(name) ?? createMachine(world, name);
    machines.set(name, machine);
    return machine;
  };

  return {
    queue,
    network,
    recorder,
    random,
    clock,
    record,
    start: async (config) => {
      const machine = machineOf(config.name);
      if (machine.isUp) throw new AssertionError(`${config.name} runs already`);
      machine.isUp = true;
      machine.incarnation += 1;
      const { incarnation } = machine;
      try {
        const node = await startNode(hostOf(world, config, machine), config, product);
        if (machine.incarnation === incarnation) machine.node = node;
      } catch (error) {
        if (machine.incarnation === incarnation) {
          lose(machine);
          network.crash(config.name);
        }
        throw error;
      }
    },
    crash: (name, unsynced = "drawn") => {
      const machine = machineOf(name);
      if (!machine.isUp) return;
      lose(machine);
      network.crash(name);
      machine.disk.crash(unsynced);
      machine.store.crash(unsynced);
      record(name, { kind: "node-crashed", node: name });
    },
    stop: async (name) => {
      const machine = machineOf(name);
      const { node, incarnation } = machine;
      machine.stopping ??= node?.stop();
      machine.node = undefined;
      // A crash may overtake the orderly stop: the node's ports then never respond, and its own `stop` never resolves.
      if (machine.stopping !== undefined) await untilDown(machine, machine.stopping);
      if (machine.incarnation !== incarnation) return;
      lose(machine);
      network.crash(name);
    },
    wipe: (name) => {
      const machine = machineOf(name);
      if (machine.isUp) throw new AssertionError(`${name} runs: its disk is in use`);
      machine.disk.wipe();
      machine.store.wipe();
    },
    isUp: (name) => machineOf(name).isUp,
    untilDown: (name, what) => untilDown(machineOf(name), what),
    cluster: (name) => machineOf(name).node?.cluster,
    work: (name) => workOf(machineOf(name)),
    stateListeners: (name) => machineOf(name).node?.stateListeners ?? 0,
    disk: (name) => machineOf(name).disk,
    store: (name) => machineOf(name).store,
    gate: (name, thread) => {
      const machine = machineOf(name);
      return thread === undefined ? machine.gate : threadOf(queue, machine, thread);
    },
    killWorker: (name, worker) => machineOf(name).workers?.kill(worker) ?? false,
    wall: (name) => machineOf(name).wall,
    isReady: (name) => passageOf(queue, machineOf(name), MAIN_THREAD).isOpen,
    turn: async (name) => {
      const main = passageOf(queue, machineOf(name), MAIN_THREAD);
      if (!main.isOpen) await new Promise<void>((resolve) => main.pass(resolve));
    },
    blobs,
    end: () => {
      for (const machine of machines.values()) machine.incarnation += 1;
    },
  };
}

/** State shared by all nodes of a run. */
interface World {
  readonly product: Product;
  readonly seed: number;
  readonly random: (purpose: string) => Random;
  readonly queue: EventQueue;
  readonly network: NetworkModel;
  readonly record: (node: string, event: TraceEvent) => void;
  readonly blobs: BlobModel;
}

function createMachine({ random, queue, record }: World, name: string): Machine {
  const syncTime = random(`${name}:sync`);
  const gate = createGate(queue);
  const threads = new Map([[MAIN_THREAD, createGate(queue)]]);
  const later = (action: () => void, moreMs: number): void => {
    const takesMs = syncTime.int(SYNC_MS.low * 10, SYNC_MS.high * 10) / 10;
    queue.schedule(takesMs + moreMs, () => gate.pass(action));
  };
  const inTime = inOrder(queue, syncTime);
  return {
    disk: createDiskModel({
      random: random(`${name}:disk`),
      later,
      record: (event) => record(name, event),
    }),
    store: createStoreModel(random(`${name}:store`), (action, moreMs) =>
      inTime(() => gate.pass(() => threads.get(MAIN_THREAD)?.pass(action)), moreMs),
    ),
    gate,
    threads,
    workers: undefined,
    wall: createWallClock(() => queue.nowMs),
    incarnation: 0,
    isUp: false,
    node: undefined,
    stopping: undefined,
    onDown: new Set(),
  };
}

function threadOf(queue: EventQueue, machine: Machine, thread: number): Gate {
  const gate = machine.threads.get(thread) ?? createGate(queue);
  machine.threads.set(thread, gate);
  return gate;
}

function passageOf(queue: EventQueue, machine: Machine, thread: number): Passage {
  return behind(machine.gate, threadOf(queue, machine, thread));
}

/** One incarnation of a machine, as its ports see it. */
interface Incarnation {
  readonly name: string;
  readonly machine: Machine;
  readonly alive: () => boolean;
  readonly stream: (purpose: string) => Random;
  readonly clock: Clock;
  readonly traced: (event: TraceEvent) => void;
}

/** Host port of a machine's current incarnation. */
function hostOf(world: World, { name, settings }: NodeConfig, machine: Machine): Host {
  const { queue, random, network, record, blobs } = world;
  const { incarnation, gate, wall } = machine;
  const alive = (): boolean => machine.incarnation === incarnation;
  const streams = new Map<string, Random>();
  const stream = (purpose: string): Random => {
    const made = streams.get(purpose) ?? random(`${name}:${incarnation}:${purpose}`);
    streams.set(purpose, made);
    return made;
  };
  const clock = createClockModel(queue, stream("clock"), {
    alive,
    fired: (delayMs) => record(name, { kind: "timer-fired", delayMs }),
    gate,
    wall: wall.nowMs,
  });
  const traced = (event: TraceEvent): void => record(name, event);
  const life: Incarnation = { name, machine, alive, stream, clock, traced };
  const workers = workersOf(world, life, numberOfThreads(settings["node.shard_workers"]));
  machine.workers = workers;
  const main = threadOf(queue, machine, MAIN_THREAD);
  const passage = (): Passage => passageOf(queue, machine, MAIN_THREAD);
  return {
    clock: gatedClock(clock, main),
    random: stream,
    network: gatedNetwork(network.network(name, alive), passage()),
    disk: gatedDisk(machine.disk.disk(alive), main),
    blobs: gatedBlobs(blobs.stores(alive, traced), passage()),
    store: machine.store.store(alive),
    workers,
    trust: createTrustModel(String(world.seed), stream("trust")),
    log: (level, message) => {
      if (alive()) record(name, { kind: "log", level, message });
    },
    trace: (event) => {
      if (!alive()) return;
      record(name, event);
      // A real node quarantines an entry that it cannot apply; in a simulation such an entry is a bug to report.
      if (event.kind === "log-entry-quarantined") throw new AssertionError(event.reason);
    },
    process: processInfo(name, queue),
  };
}

/**
 * Shard workers of an incarnation. `threads` undefined: the default number of workers, with the main thread's
 * heartbeat.
 */
function workersOf(world: World, life: Incarnation, threads: number | undefined): WorkerModel {
  const { queue, blobs } = world;
  const { machine, alive, stream } = life;
  const { gate } = machine;
  const hearts = new Map<number, number>();
  const heart = (worker: number): number => {
    const isStuck = passageOf(queue, machine, worker).isPaused;
    const beat = isStuck ? (hearts.get(worker) ?? 1) : 1 + Math.floor(queue.nowMs / BEAT_MS);
    hearts.set(worker, beat);
    return beat;
  };
  const soon = (action: () => void): void => {
    const act = (): void => {
      if (alive()) action();
    };
    queue.schedule(0, () => gate.pass(act));
  };
  return createWorkerModel({
    count: Math.max(1, threads ?? 1),
    world: (worker, isAlive) => {
      const own = threadOf(queue, machine, worker);
      const lives = (): boolean => alive() && isAlive();
      return {
        clock: gatedClock(life.clock, own),
        random: (purpose) => stream(`worker${worker === 1 ? "" : `-${worker}`}:${purpose}`),
        disk: gatedDisk(machine.disk.disk(lives), own),
        blobs: gatedBlobs(blobs.stores(lives, life.traced), behind(gate, own)),
      };
    },
    run: (workerWorld) => startShardWorker(workerWorld, world.product.shards),
    soon: inTurn(soon),
    main: threadOf(queue, machine, MAIN_THREAD),
    gate: (worker) => threadOf(queue, machine, worker),
    ...(threads === undefined || threads === 0 ? {} : { beats: heart }),
  });
}

/** Minimum interval between two events of one device or stream: events of the same time would be shuffled. */
const LATER_MS = 0.001;

/** Serial execution of a device: each operation completes after the one before it. */
function inOrder(queue: EventQueue, random: Random): (action: () => void, moreMs: number) => void {
  let freeAtMs = 0;
  return (action, moreMs) => {
    const takesMs = moreMs + random.int(SYNC_MS.low * 10, SYNC_MS.high * 10) / 10;
    freeAtMs = Math.max(freeAtMs + LATER_MS, queue.nowMs + takesMs);
    queue.schedule(freeAtMs - queue.nowMs, action);
  };
}

/**
 * Serial execution of actions scheduled with `soon`: events of the same time are shuffled by the seed, so each event
 * runs the first action of a list.
 */
function inTurn(soon: (action: () => void) => void): (action: () => void) => void {
  const waiting: (() => void)[] = [];
  return (action) => {
    waiting.push(action);
    soon(() => waiting.shift()?.());
  };
}

function numberOfThreads(setting: unknown): number | undefined {
  return setting === undefined ? undefined : Number(setting);
}

const NO_STATS: ProcessStats = {
  heapUsedBytes: 64 << 20,
  heapCommittedBytes: 128 << 20,
  heapMaxBytes: 512 << 20,
  residentBytes: 128 << 20,
  externalBytes: 0,
  systemMemoryTotalBytes: 4 * 1024 ** 3,
  systemMemoryFreeBytes: 2 * 1024 ** 3,
  swapTotalBytes: 0,
  swapFreeBytes: 0,
  cpuTotalMs: 0,
  cpuPercent: 0,
  systemCpuPercent: 0,
  loadAverage: [0, 0, 0],
  openFileDescriptors: 64,
  maxFileDescriptors: 65_536,
  uptimeMs: 0,
  eventLoopDelayMs: 0,
};

function processInfo(name: string, queue: EventQueue): ProcessInfo {
  const startedAt = queue.nowMs;
  return {
    pid: 1,
    startedAtMs: wallMs(startedAt),
    os: {
      name: "Simulation",
      prettyName: "Simulation",
      arch: "virtual",
      version: "1",
      availableProcessors: 1,
    },
    runtime: { name: "Simulation", version: "1", vendor: "Orrery" },
    hostname: name,
    dataPath: `/${name}`,
    stats: () => ({ ...NO_STATS, uptimeMs: queue.nowMs - startedAt }),
  };
}
