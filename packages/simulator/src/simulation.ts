/**
 * A cluster in virtual time: one event queue, one network, a disk and a store per node, all drawn from one seed.
 *
 * A node's incarnation ends with `crash` or `stop`: nothing scheduled for it happens afterwards, and what promises that went
 * on at that moment still ask of a port is not done. Its disk and store stay, as far as the models let a crash keep them, for
 * the next `start`.
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
  /** Whether `onEvent` hears events of this kind; all of them when it is not said. */
  readonly isHeard?: (kind: TraceEvent["kind"]) => boolean;
  /** Of every node. */
  readonly product?: Product;
}

export interface Simulation {
  readonly queue: EventQueue;
  readonly network: NetworkModel;
  readonly recorder: Recorder;
  /** A stream of its own for each purpose. */
  random(purpose: string): Random;
  /** Time outside of nodes: for clients and faults. */
  readonly clock: Clock;
  record(node: string, event: TraceEvent): void;
  start(config: NodeConfig): Promise<void>;
  /** Power off. `lost`: nothing that was not synced survives. */
  crash(name: string, unsynced?: "drawn" | "lost"): void;
  /** Its disk and store are as new; the node must be down. */
  wipe(name: string): void;
  /** The orderly end; resolves when the node is down, also by a crash that overtakes it. */
  stop(name: string): Promise<void>;
  /** From the start of its start to its end. */
  isUp(name: string): boolean;
  /** Ends as `what` does; with `undefined` when this incarnation ends before. */
  untilDown<T>(name: string, what: Promise<T>): Promise<T | undefined>;
  /** `undefined` until the node has started, and while it is down. */
  cluster(name: string): Cluster | undefined;
  /** What a node and its shard workers have begun and not ended, each with a name of its own; nothing while it is down. */
  work(name: string): readonly Work[];
  /** How many functions a node calls for each cluster state; 0 while it is down. */
  stateListeners(name: string): number;
  disk(name: string): DiskModel;
  store(name: string): StoreModel;
  /** Pauses and slows a node, or one of its threads: 0 is the main one, the others are its shard workers. */
  gate(name: string, thread?: number): Gate;
  /** Ends a shard worker of a node that runs; whether there was one. */
  killWorker(name: string, worker: number): boolean;
  wall(name: string): WallClock;
  /** Events for the node's main thread happen at once. */
  isReady(name: string): boolean;
  /** Ends once the node gets to what comes now: at once unless it is paused or slow. */
  turn(name: string): Promise<void>;
  /** The place of repositories, shared by all nodes. */
  readonly blobs: BlobModel;
  /** Stops everything, so that nothing of the run goes on. */
  end(): void;
}

interface Machine {
  readonly disk: DiskModel;
  readonly store: StoreModel;
  readonly gate: Gate;
  /** Of its threads, by number, each behind the gate of the whole node. */
  readonly threads: Map<number, Gate>;
  readonly wall: WallClock;
  workers: WorkerModel | undefined;
  incarnation: number;
  isUp: boolean;
  node: Node | undefined;
  /** Of this incarnation: its orderly end is under way. */
  stopping: Promise<unknown> | undefined;
  readonly onDown: Set<() => void>;
}

/** Its incarnation is over: nothing scheduled for it happens any more. */
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

/** Ends as `what` does; with `undefined` when this incarnation ends before. */
function untilDown<T>({ onDown }: Machine, what: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    // The caller that takes the node down goes on first.
    const hear = (): void => queueMicrotask(() => resolve(undefined));
    onDown.add(hear);
    // Nothing of a request is kept when it is over: a node lives through millions.
    const over =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        onDown.delete(hear);
        settle(value);
      };
    what.then(over(resolve), over(reject));
  });
}

/** Numbers of different threads are told apart. */
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

/** The gate of a node's threads that is not a shard worker's. */
const MAIN_THREAD = 0;

/** How often a shard worker in a thread of its own shows that it takes turns. */
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
    random: random("blobs"),
    later: (delayMs, action) => void queue.schedule(delayMs, action),
  });

  const machineOf = (name: string): Machine => {
    const known = machines.get(name);
    if (known) return known;
    const syncTime = random(`${name}:sync`);
    const gate = createGate(queue);
    const threads = new Map([[MAIN_THREAD, createGate(queue)]]);
    const later = (action: () => void, moreMs: number): void => {
      const takesMs = syncTime.int(SYNC_MS.low * 10, SYNC_MS.high * 10) / 10;
      queue.schedule(takesMs + moreMs, () => gate.pass(action));
    };
    const inTime = inOrder(queue, syncTime);
    const machine: Machine = {
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
    machines.set(name, machine);
    return machine;
  };

  const threadOf = (machine: Machine, thread: number): Gate => {
    const gate = machine.threads.get(thread) ?? createGate(queue);
    machine.threads.set(thread, gate);
    return gate;
  };

  const passageOf = (machine: Machine, thread: number): Passage =>
    behind(machine.gate, threadOf(machine, thread));

  const hostOf = ({ name, settings }: NodeConfig, machine: Machine): Host => {
    const { incarnation } = machine;
    const alive = (): boolean => machine.incarnation === incarnation;
    const streams = new Map<string, Random>();
    const stream = (purpose: string): Random => {
      const made = streams.get(purpose) ?? random(`${name}:${incarnation}:${purpose}`);
      streams.set(purpose, made);
      return made;
    };
    const { gate, wall } = machine;
    const nodeClock = createClockModel(queue, stream("clock"), {
      alive,
      fired: (delayMs) => record(name, { kind: "timer-fired", delayMs }),
      gate,
      wall: wall.nowMs,
    });
    const soon = (action: () => void): void => {
      const act = (): void => {
        if (alive()) action();
      };
      queue.schedule(0, () => gate.pass(act));
    };
    const main = threadOf(machine, MAIN_THREAD);
    const traced = (event: TraceEvent): void => record(name, event);
    /** `undefined`: as many as a node has when nobody says how many, with the main thread's own heart. */
    const threads = numberOfThreads(settings["node.shard_workers"]);
    const heart = (worker: number): number => {
      const isStuck = passageOf(machine, worker).isPaused;
      const beat = isStuck ? (hearts.get(worker) ?? 1) : 1 + Math.floor(queue.nowMs / BEAT_MS);
      hearts.set(worker, beat);
      return beat;
    };
    const hearts = new Map<number, number>();
    machine.workers = createWorkerModel({
      count: Math.max(1, threads ?? 1),
      world: (worker, isAlive) => {
        const own = threadOf(machine, worker);
        const lives = (): boolean => alive() && isAlive();
        return {
          clock: gatedClock(nodeClock, own),
          random: (purpose) => stream(`worker${worker === 1 ? "" : `-${worker}`}:${purpose}`),
          disk: gatedDisk(machine.disk.disk(lives), own),
          blobs: gatedBlobs(blobs.stores(lives, traced), behind(gate, own)),
        };
      },
      run: (world) => startShardWorker(world, product),
      soon: inTurn(soon),
      main,
      gate: (worker) => threadOf(machine, worker),
      ...(threads === undefined || threads === 0 ? {} : { beats: heart }),
    });
    return {
      clock: gatedClock(nodeClock, main),
      random: stream,
      network: gatedNetwork(network.network(name, alive), passageOf(machine, MAIN_THREAD)),
      disk: gatedDisk(machine.disk.disk(alive), main),
      blobs: gatedBlobs(blobs.stores(alive, traced), passageOf(machine, MAIN_THREAD)),
      store: machine.store.store(alive),
      workers: machine.workers,
      trust: createTrustModel(String(options.seed), stream("trust")),
      log: (level, message) => {
        if (alive()) record(name, { kind: "log", level, message });
      },
      trace: (event) => {
        if (!alive()) return;
        record(name, event);
        // A node survives an entry that cannot be applied; a program that makes such entries is wrong.
        if (event.kind === "log-entry-quarantined") throw new AssertionError(event.reason);
      },
      process: processInfo(name, queue),
    };
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
        const node = await startNode(hostOf(config, machine), config, product);
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
      // A crash overtakes the orderly end: no port answers the node any more, and its `stop` never resolves.
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
      return thread === undefined ? machine.gate : threadOf(machine, thread);
    },
    killWorker: (name, worker) => machineOf(name).workers?.kill(worker) ?? false,
    wall: (name) => machineOf(name).wall,
    isReady: (name) => passageOf(machineOf(name), MAIN_THREAD).isOpen,
    turn: async (name) => {
      const main = passageOf(machineOf(name), MAIN_THREAD);
      if (!main.isOpen) await new Promise<void>((resolve) => main.pass(resolve));
    },
    blobs,
    end: () => {
      for (const machine of machines.values()) machine.incarnation += 1;
    },
  };
}

/** Keeps two events of one device or stream apart: equal times are shuffled. */
const LATER_MS = 0.001;

/** Work of one device: each piece ends after the one before it. */
function inOrder(queue: EventQueue, random: Random): (action: () => void, moreMs: number) => void {
  let freeAtMs = 0;
  return (action, moreMs) => {
    const takesMs = moreMs + random.int(SYNC_MS.low * 10, SYNC_MS.high * 10) / 10;
    freeAtMs = Math.max(freeAtMs + LATER_MS, queue.nowMs + takesMs);
    queue.schedule(freeAtMs - queue.nowMs, action);
  };
}

/** Equal times are shuffled by the seed; what must keep its order is taken from a list, one item an event. */
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
