/**
 * A small world for cluster managers: virtual time, a network with faults, stores that lose what was not written in time.
 *
 * Each event is followed by a drain of the microtask queue; one seed gives one run.
 */
import {
  createEndpoint,
  decodeFrame,
  type Clock,
  type DiskUsage,
  type Endpoint,
  type Host,
  type NodeStore,
  type StoreBatch,
  type StoredEntry,
  type TraceEvent,
} from "@orrery/ports";
import { createRandom, newUuid, OperationError, type NodeId, type Random } from "@orrery/stdx";
import {
  coreRules,
  copiesOn,
  type ClusterState,
  type DiscoveryNode,
  type NodeRole,
} from "@orrery/cluster-state";
import {
  actions,
  ShardStartedRequest,
  StoredShardRequest,
  StoredShardResponse,
} from "@orrery/protocol";
import { composeRepositoryTypes, coreRepositoryTypes } from "@orrery/repository";
import { createClusterManager, type ClusterManager } from "../src/index.ts";

interface Event {
  readonly atMs: number;
  readonly seq: number;
  readonly run: () => void;
}

export interface Process {
  readonly name: string;
  readonly node: DiscoveryNode;
  readonly manager: ClusterManager;
  readonly endpoint: Endpoint;
  readonly refusals: string[];
  /** Allocation ids of the copies it has, or is getting. */
  readonly recovered: Set<string>;
  isAlive: boolean;
}

export interface World {
  readonly random: Random;
  readonly trace: { readonly node: string; readonly event: TraceEvent }[];
  readonly nowMs: () => number;
  start(name: string, settings?: Record<string, string | string[]>, roles?: NodeRole[]): Process;
  /** Like kill -9: peers see their connections close. */
  kill(process: Process): void;
  /** What a killed process of this name had on its disk is gone. */
  loseDisk(name: string): void;
  /** Frames between the two groups vanish; with `close` their connections break too. */
  partition(inside: readonly Process[], how: "close" | "blackhole"): void;
  heal(): void;
  /** The next request for this action to the process of this name vanishes. */
  loseNext(name: string, action: string): void;
  run(forMs: number): Promise<void>;
  until(reached: () => boolean, withinMs: number): Promise<void>;
  /** Lets the promise settle, with the virtual time it needs. */
  settle<T>(promise: Promise<T>, withinMs?: number): Promise<T>;
  processes(): Process[];
  /** From now on this much of the disk of this name is used, from 0 to 1. */
  fillDisk(name: string, usedShare: number): void;
  /** Sets the wall clock of the machine of this name: so much ahead of the others, or behind. */
  setClock(name: string, aheadMs: number): void;
  /** Whether the state of shards on the disk of this name can be read. */
  setReadable(name: string, isReadable: boolean): void;
  /** From now on nothing more can be written to the store on the disk of this name. */
  failStore(name: string): void;
  /** From now on every write to the store on the disk of this name takes so much longer. */
  slowStore(name: string, byMs: number): void;
  /** The store on the disk of this name lost some of what it held, and knows it. */
  loseLog(name: string): void;
  /** Keeps what the store on the disk of this name holds now; called, puts it back. */
  backUp(name: string): () => void;
  /** The log entry of this index on the disk of this name is replaced by one that holds this. */
  spoil(name: string, index: number, data: Uint8Array): void;
  /** Writes to the store on the disk of this name. */
  store(name: string, batch: StoreBatch): void;
  /** How many log entries are on the disk of this name. */
  storedEntries(name: string): number;
  elected(): Process | undefined;
}

interface Disk {
  readonly nodeId: NodeId;
  hardState: Uint8Array | undefined;
  snapshot: Uint8Array | undefined;
  entries: StoredEntry[];
  values: Map<string, Uint8Array>;
  loss: string | undefined;
  /** What its shard worker wrote: by `index uuid/shard`. */
  copies: Map<string, { allocationId: string; wasPrimary: boolean }>;
}

export function createWorld(seed: string): World {
  const random = createRandom(seed);
  const trace: { node: string; event: TraceEvent }[] = [];
  const disks = new Map<string, Disk>();
  const usedShares = new Map<string, number>();
  const unreadable = new Set<string>();
  const failing = new Set<Disk>();
  const losses: { readonly name: string; readonly action: string }[] = [];
  const slowStores = new Map<string, number>();
  const clocksAhead = new Map<string, number>();
  const all: Process[] = [];
  const byId = new Map<NodeId, Process>();
  const links = new Set<string>();
  const lastDelivery = new Map<string, number>();
  const lost = new Map<string, (nodeId: NodeId, reason: string) => void>();
  let queue: Event[] = [];
  let nowMs = 0;
  let seq = 0;
  let stuck = 0;
  let isCut = (_a: Process, _b: Process): boolean => false;

  const schedule = (delayMs: number, run: () => void): (() => void) => {
    seq += 1;
    const event = { atMs: nowMs + Math.max(0, delayMs), seq, run };
    let at = queue.length;
    while (at > 0 && (queue[at - 1] as Event).atMs > event.atMs) at -= 1;
    queue.splice(at, 0, event);
    return () => {
      queue = queue.filter((other) => other !== event);
    };
  };
  const latency = (): number => 0.2 + random.float() * 0.8;
  const linkOf = (from: Process, to: Process): string =>
    `${from.node.ephemeralId}>${to.node.ephemeralId}`;

  const loseLink = (from: Process, to: Process, reason: string): void => {
    if (!links.delete(linkOf(from, to))) return;
    schedule(latency(), () => {
      if (!from.isAlive) return;
      from.endpoint.disconnected(to.node.id, reason);
      lost.get(from.node.ephemeralId)?.(to.node.id, reason);
    });
  };

  const deliver = (from: Process, to: Process, frame: Uint8Array, isAnswer: boolean): void => {
    const key = `${linkOf(from, to)}${isAnswer}`;
    const atMs = Math.max(nowMs + latency(), lastDelivery.get(key) ?? 0);
    lastDelivery.set(key, atMs);
    const copy = frame.slice();
    schedule(atMs - nowMs, () => {
      if (!to.isAlive || isCut(from, to)) return;
      const decoded = decodeFrame(copy);
      const loss = losses.findIndex(
        ({ name, action }) => name === to.name && action === decoded.action,
      );
      if (!isAnswer && loss >= 0) losses.splice(loss, 1);
      else to.endpoint.receive(decoded, all.indexOf(from));
    });
  };

  const clockOf = (name: string, isAlive: () => boolean): Clock => ({
    nowMs: () => 1_700_000_000_000 + nowMs + (clocksAhead.get(name) ?? 0),
    monotonicMs: () => nowMs,
    setTimer: (delayMs, callback) => schedule(delayMs, () => isAlive() && callback()),
  });

  const storeOf = (name: string, disk: Disk, isAlive: () => boolean): NodeStore => {
    let lastMs = 0;
    return {
      load: () => ({
        ...disk,
        ...(disk.loss === undefined
          ? { entries: [...disk.entries] }
          : { entries: [], hardState: undefined, snapshot: undefined }),
        values: new Map(disk.values),
        repairs: [],
      }),
      write: (batch) =>
        new Promise((resolve, reject) => {
          const takesMs = 0.3 + random.float() * 1.5 + (slowStores.get(name) ?? 0);
          const atMs = Math.max(nowMs + takesMs, lastMs);
          lastMs = atMs;
          schedule(atMs - nowMs, () => {
            if (!isAlive()) return;
            if (failing.has(disk)) {
              reject(new Error("disk I/O error"));
              return;
            }
            writeTo(disk, batch);
            resolve();
          });
        }),
      close() {},
    };
  };

  /** In the place of a shard worker: a copy that is to be recovered is, a little later. */
  const recoverCopies = (state: ClusterState, process: Process, disk: Disk): void => {
    for (const copy of copiesOn(state, process.node.id)) {
      const { index, shard, allocationId = "", primary } = copy;
      const metadata = state.metadata.indices.get(index);
      if (copy.state !== "INITIALIZING" || metadata === undefined) continue;
      const key = `${metadata.uuid}/${shard}`;
      if (process.recovered.has(allocationId)) continue;
      process.recovered.add(allocationId);
      disk.copies.set(key, { allocationId, wasPrimary: primary });
      const report = ShardStartedRequest.encode({
        index,
        indexUuid: metadata.uuid,
        shard,
        allocationId,
        primaryTerm: metadata.primaryTerms[shard] ?? 0,
        message: "recovered",
      }).finish();
      const tell = (): void => {
        if (!process.isAlive) return;
        const managerId = process.manager.state().managerNodeId;
        if (managerId === undefined) schedule(50, tell);
        else {
          void process.endpoint
            .request(managerId, actions.shardStarted, report, { timeoutMs: 5000 })
            .catch(() => schedule(50, tell));
        }
      };
      schedule(2 + random.float() * 3, tell);
    }
  };

  const start: World["start"] = (name, settings = {}, roles = ["cluster_manager", "data"]) => {
    const disk: Disk = disks.get(name) ?? {
      nodeId: newUuid(random) as NodeId,
      hardState: undefined,
      snapshot: undefined,
      entries: [],
      values: new Map(),
      loss: undefined,
      copies: new Map(),
    };
    disks.set(name, disk);
    const node: DiscoveryNode = {
      id: disk.nodeId,
      name: (settings["node.name"] as string | undefined) ?? name,
      ephemeralId: newUuid(random),
      hostName: name,
      hostAddress: "127.0.0.1",
      transportAddress: `${name}:9300`,
      httpAddress: undefined,
      roles,
      attributes: attributesOf(settings),
      version: "3.8.0",
    };
    const isAlive = (): boolean => process.isAlive;
    const clock = clockOf(name, isAlive);
    const endpoint = createEndpoint({
      localNodeId: node.id,
      endpoint: 0,
      clock,
      post(to, _channel, frame) {
        const target = to === node.id ? process : byId.get(to);
        if (target === undefined) return "not-connected";
        if (target !== process && !links.has(linkOf(process, target))) return "not-connected";
        deliver(process, target, frame, false);
        return "sent";
      },
      answer(reply, frame) {
        const target = all[reply];
        if (target !== undefined) deliver(process, target, frame, true);
      },
    });
    endpoint.handle(actions.storedShard, async (payload) => {
      const { indexUuid, shard } = StoredShardRequest.decode(payload);
      const copy = disk.copies.get(`${indexUuid}/${shard}`);
      if (copy === undefined) return StoredShardResponse.encode({ exists: false }).finish();
      const files = [{ name: "_0.seg", lengthBytes: 100, checksum: "c" }];
      const state = unreadable.has(name)
        ? { allocationId: "", storeException: "i_o_exception: cannot be read" }
        : { ...copy, files };
      return StoredShardResponse.encode({ exists: true, ...state }).finish();
    });
    const host = {
      clock,
      random: (purpose: string) => createRandom(`${seed}/${name}/${node.ephemeralId}/${purpose}`),
      disk: { usage: () => usageOf(usedShares.get(name) ?? 0.1) },
      store: storeOf(name, disk, isAlive),
      log: () => {},
      trace: (event: TraceEvent) => void trace.push({ node: name, event }),
      process: { dataPath: "/data" },
    } as unknown as Host;
    const manager = createClusterManager({
      host,
      transport: endpoint,
      localNode: node,
      settings: { "cluster.name": "test", ...settings },
      rules: coreRules,
      repositoryTypes: composeRepositoryTypes(coreRepositoryTypes),
      peers: {
        connect: (address) =>
          new Promise((resolve, reject) => {
            schedule(latency() * 2, () => {
              const target = all.find((p) => p.isAlive && p.node.transportAddress === address);
              if (target === undefined || isCut(process, target)) {
                const reason = `[${address}] connect failed`;
                reject(
                  new OperationError({ type: "connect_transport_exception", reason, status: 500 }),
                );
                return;
              }
              if (target !== process) links.add(linkOf(process, target));
              resolve(target.node);
            });
          }),
        onDisconnected: (listener) => void lost.set(node.ephemeralId, listener),
        disconnect: (nodeId) => {
          const target = byId.get(nodeId);
          if (target !== undefined) loseLink(process, target, "disconnected by this node");
        },
        setNodes: () => {},
      },
    });
    const process: Process = {
      name,
      node,
      manager,
      endpoint,
      refusals: [],
      recovered: new Set(),
      isAlive: true,
    };
    manager.onJoinRefused((problem) => process.refusals.push(`${problem.type}: ${problem.reason}`));
    manager.onApplied((state) => recoverCopies(state, process, disk));
    all.push(process);
    byId.set(node.id, process);
    manager.start();
    return process;
  };

  const step = async (): Promise<void> => {
    const event = queue.shift();
    if (event === undefined) throw new Error("nothing left to happen");
    stuck = event.atMs === nowMs ? stuck + 1 : 0;
    if (stuck > 10_000) throw new Error("time does not go on");
    nowMs = event.atMs;
    event.run();
    await new Promise((resolve) => setImmediate(resolve));
  };

  const diskOf = (name: string): Disk => {
    const disk = disks.get(name);
    if (disk === undefined) throw new Error(`[${name}] was never started`);
    return disk;
  };

  const world: World = {
    random,
    trace,
    nowMs: () => nowMs,
    start(name, settings, roles) {
      // `onDisconnected` is registered while the process is being made.
      return start(name, settings, roles);
    },
    kill(process) {
      process.isAlive = false;
      for (const other of all) {
        loseLink(process, other, "closed");
        loseLink(other, process, "closed");
      }
    },
    partition(inside, how) {
      isCut = (a, b) => inside.includes(a) !== inside.includes(b);
      if (how === "blackhole") return;
      for (const a of all) {
        for (const b of all) if (isCut(a, b)) loseLink(a, b, "connection reset");
      }
    },
    heal() {
      isCut = () => false;
    },
    loseNext: (name, action) => void losses.push({ name, action }),
    async run(forMs) {
      const endMs = nowMs + forMs;
      while (queue[0] !== undefined && queue[0].atMs <= endMs) await step();
      nowMs = endMs;
    },
    async until(reached, withinMs) {
      const endMs = nowMs + withinMs;
      while (!reached()) {
        if (nowMs > endMs) throw new Error(`not reached within ${withinMs} ms`);
        await step();
      }
    },
    async settle(promise, withinMs = 60_000) {
      let isSettled = false;
      const mark = (): void => {
        isSettled = true;
      };
      promise.then(mark, mark);
      await world.until(() => isSettled, withinMs);
      return promise;
    },
    loseDisk: (name) => void disks.delete(name),
    fillDisk: (name, usedShare) => void usedShares.set(name, usedShare),
    setClock: (name, aheadMs) => void clocksAhead.set(name, aheadMs),
    setReadable: (name, isReadable) =>
      void (isReadable ? unreadable.delete(name) : unreadable.add(name)),
    loseLog(name) {
      diskOf(name).loss = "some of it is gone";
    },
    backUp(name) {
      const disk = diskOf(name);
      const { hardState, snapshot, entries, values, loss } = disk;
      const kept = { hardState, snapshot, entries: [...entries], values: new Map(values), loss };
      return () => void Object.assign(diskOf(name), kept, { values: new Map(kept.values) });
    },
    spoil(name, index, data) {
      const disk = diskOf(name);
      disk.entries = disk.entries.map((entry) =>
        entry.index === index ? { ...entry, bytes: Uint8Array.of(0, ...data) } : entry,
      );
    },
    store: (name, batch) => writeTo(diskOf(name), batch),
    failStore(name) {
      const disk = disks.get(name);
      if (disk !== undefined) failing.add(disk);
    },
    slowStore: (name, byMs) => void slowStores.set(name, byMs),
    storedEntries: (name) => disks.get(name)?.entries.length ?? 0,
    processes: () => all.filter(({ isAlive }) => isAlive),
    elected: () => world.processes().find(({ manager }) => manager.isElected),
  };
  return world;
}

function attributesOf(settings: Record<string, string | string[]>): Record<string, string> {
  const prefix = "node.attr.";
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), String(value)]] : [],
    ),
  );
}

function usageOf(usedShare: number): DiskUsage {
  const totalBytes = 1e12;
  const freeBytes = Math.round(totalBytes * (1 - usedShare));
  return { totalBytes, freeBytes, availableBytes: freeBytes };
}

function writeTo(disk: Disk, batch: StoreBatch): void {
  if (batch.startOver === true) {
    Object.assign(disk, { hardState: undefined, snapshot: undefined, loss: undefined });
    disk.entries = [];
    disk.values.clear();
  }
  if (disk.loss !== undefined) throw new Error(disk.loss);
  disk.hardState = batch.hardState?.slice() ?? disk.hardState;
  disk.snapshot = batch.snapshot?.slice() ?? disk.snapshot;
  if (batch.clearEntries === true) disk.entries = [];
  const first = batch.entries?.[0]?.index;
  if (batch.entries !== undefined && first !== undefined) {
    disk.entries = disk.entries.filter(({ index }) => index < first);
    const last = disk.entries.at(-1)?.index;
    if (last !== undefined && last !== first - 1) throw new Error(`gap: ${last} to ${first}`);
    for (const entry of batch.entries) disk.entries.push({ ...entry, bytes: entry.bytes.slice() });
  }
  const { compactTo } = batch;
  if (compactTo !== undefined) disk.entries = disk.entries.filter(({ index }) => index > compactTo);
  for (const [name, value] of batch.values ?? []) {
    if (value === undefined) disk.values.delete(name);
    else disk.values.set(name, value);
  }
}

/** Every live process shows the same manager, the same nodes, and a recovered state. */
export function isFormed(world: World, size: number): boolean {
  const states = world.processes().map(({ manager }) => manager.state());
  return states.every(
    (state: ClusterState) =>
      state.nodes.size === size &&
      state.managerNodeId !== undefined &&
      state.managerNodeId === states[0]?.managerNodeId &&
      state.blocks.global.length === 0,
  );
}

export const threeNames: string[] = ["a", "b", "c"];

export function threeSettings(): Record<string, string | string[]> {
  return {
    "discovery.seed_hosts": threeNames.map((name) => `${name}:9300`),
    "cluster.initial_cluster_manager_nodes": threeNames,
  };
}

export async function startThree(
  world: World,
  own: Record<string, string> = {},
): Promise<Process[]> {
  const processes = threeNames.map((name) => world.start(name, { ...threeSettings(), ...own }));
  await world.until(() => isFormed(world, 3), 1000);
  // Raft's configuration follows the state by a few round trips.
  await world.run(100);
  return processes;
}
