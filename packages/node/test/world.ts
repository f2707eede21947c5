/** Nodes as far as their links go: routers over a simulated network, with shard workers that a test scripts. */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type {
  Clock,
  Host,
  LogLevel,
  Network,
  ShardWorkerEvents,
  Trust,
  WorkerMessage,
} from "@orrery/ports";
import {
  createEventQueue,
  createNetworkModel,
  createTrustModel,
  type NetworkModel,
} from "@orrery/simulator";
import { createRandom, type NodeId } from "@orrery/stdx";
import { createBlobStores, createMemoryDisk, createMemoryNodeStore } from "@orrery/storage";
import { coreProduct } from "../src/product.ts";
import { createRouter, type Router } from "../src/router.ts";
import type { LostCopy } from "../src/shard-pool.ts";

export interface ScriptedWorker {
  readonly posted: WorkerMessage[];
  readonly events: ShardWorkerEvents;
  isTerminated: boolean;
  /** How often it has taken a turn; a test that raises it says that the worker is not stuck. */
  beats: number;
}

export interface TestNode {
  readonly name: string;
  readonly id: NodeId;
  readonly router: Router;
  readonly network: Network;
  readonly workers: ScriptedWorker[];
  readonly deaths: { readonly lost: readonly LostCopy[]; readonly reason: string }[];
  readonly logs: string[];
  /** Nodes whose links were lost, with the reason. */
  readonly disconnections: string[];
}

export interface StartOptions {
  readonly roles?: DiscoveryNode["roles"];
  /** Of another node: a copy of its folder has it. */
  readonly id?: NodeId;
  readonly secret?: string;
  readonly clusterName?: string;
  readonly workers?: number;
  /** Of shard workers; default: nobody watches them. */
  readonly stallTimeoutMs?: number;
}

export interface TestWorld {
  readonly model: NetworkModel;
  readonly clock: Clock;
  readonly network: (name: string) => Network;
  start(name: string, options?: StartOptions): Promise<TestNode>;
  /** What the promise ends with, as a value. */
  outcome<T>(promise: Promise<T>): Promise<T | Error>;
  run(ms: number): Promise<void>;
}

export function createTestWorld(seed = 1): TestWorld {
  const queue = createEventQueue(createRandom(`${seed}:order`));
  const random = createRandom(`${seed}:network`);
  const model = createNetworkModel({ queue, random, record: () => undefined });
  const clock: Clock = {
    nowMs: () => Math.floor(queue.nowMs),
    monotonicMs: () => queue.nowMs,
    setTimer: (delayMs, callback) => queue.schedule(delayMs, callback),
  };
  const network = (name: string): Network => model.network(name);
  return {
    model,
    clock,
    network,
    async start(name, options = {}) {
      const { clusterName = "orrery", workers: workerCount = 1, stallTimeoutMs = 0 } = options;
      const { roles, secret = "s" } = options;
      const incarnation = random.int(0, 1_000_000);
      const workers: ScriptedWorker[] = [];
      const deaths: TestNode["deaths"] = [];
      const logs: string[] = [];
      const host: Host = {
        clock,
        network: network(name),
        random: (purpose) => createRandom(`${seed}:${name}:${purpose}`),
        disk: createMemoryDisk(),
        blobs: createBlobStores(),
        store: createMemoryNodeStore(),
        workers: scriptedWorkers(workers, workerCount),
        log: (level: LogLevel, message) => void logs.push(`${level}: ${message}`),
        trust: createTrustModel(secret, createRandom(`${seed}:${name}:trust:${incarnation}`)),
        trace: () => undefined,
        process: undefined as never,
      };
      let router: Router | undefined;
      await host.network.listen((connection) => {
        if (router === undefined) throw new Error("connected before it was made");
        return router.inbound.accept(connection);
      });
      const localNode = {
        ...discoveryNode(name, incarnation),
        ...(roles && { roles }),
        ...(options.id !== undefined && { id: options.id }),
      };
      router = createRouter({
        host,
        localNode,
        clusterName,
        settings: {},
        processors: 1,
        product: coreProduct,
        connectTimeoutMs: 3000,
        reconnectIntervalMs: 10_000,
        stallTimeoutMs,
        onWorkerApplied: () => undefined,
        onWorkerDeath: (lost, reason) => void deaths.push({ lost, reason }),
      });
      const disconnections: string[] = [];
      router.peers.onDisconnected(
        (nodeId, reason) => void disconnections.push(`${nodeId}: ${reason}`),
      );
      return {
        name,
        id: localNode.id,
        router,
        network: host.network,
        workers,
        deaths,
        logs,
        disconnections,
      };
    },
    async outcome(promise) {
      let isOver = false;
      const ended = promise
        .catch((error: unknown) => error as Error)
        .finally(() => {
          isOver = true;
        });
      await queue.run(queue.nowMs + 120_000, () => isOver);
      if (!isOver) throw new Error("did not end within 120 s of virtual time");
      return ended;
    },
    run: (ms) => queue.run(queue.nowMs + ms),
  };
}

/** No two draw the same nonces. */
let trusts = 0;

/** Of a node that has this secret, or of somebody who has found it. */
export function trustOf(secret: string): Trust {
  trusts += 1;
  return createTrustModel(secret, createRandom(`${secret}:nonces:${trusts}`));
}

export function discoveryNode(name: string, incarnation: number): DiscoveryNode {
  return {
    id: `${name}-id` as NodeId,
    name,
    ephemeralId: `${name}-${incarnation}`,
    hostName: name,
    hostAddress: "127.0.0.1",
    transportAddress: name,
    httpAddress: undefined,
    roles: ["data"],
    attributes: {},
    version: "3.8.0",
  };
}

/** As a thread takes a message: bytes that fill their buffer are transferred, so that no one else can read them. */
function taken(message: WorkerMessage): WorkerMessage {
  if (message.kind !== "frame") return message;
  const { buffer, byteLength } = message.frame;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return structuredClone(message, { transfer: isWhole ? [buffer] : [] });
}

function scriptedWorkers(workers: ScriptedWorker[], count: number): Host["workers"] {
  return {
    count,
    start: (_worker, events) => {
      const worker: ScriptedWorker = { posted: [], events, isTerminated: false, beats: 0 };
      workers.push(worker);
      return {
        post: (message) => void worker.posted.push(taken(message)),
        beats: () => worker.beats,
        terminate: () => {
          worker.isTerminated = true;
        },
      };
    },
  };
}
