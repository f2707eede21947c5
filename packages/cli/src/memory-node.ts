/** Node in this process: in-memory network, inline shard workers, and no files unless a data folder is named. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  createFaultState,
  createNodeLifetime,
  blobsEndingWithNode,
  clockEndingWithNode,
  storeEndingWithNode,
  rotDisk,
  withBlobFaults,
  withClockFaults,
  withDiskFaults,
  withNetworkFaults,
  withPowerLoss,
  withStoreFaults,
  type ActiveRule,
  type FaultState,
  type Unsynced,
} from "@orrery/faults";
import {
  createClock,
  createNodeHost,
  type NodeHostOptions,
  type TrustSecrets,
} from "@orrery/host-node";
import type { Disk, Host, Network, NodeStore, TraceEvent } from "@orrery/ports";
import { viewOf } from "@orrery/scenario";
import { createRandom, lookup } from "@orrery/stdx";
import { createMemoryDisk, createMemoryNodeStore } from "@orrery/storage";
import { createMemoryHub, type MemoryHub } from "@orrery/transport-memory";
import type { NodePlan } from "./cluster-plan.ts";
import { withPaths, writePlan, type DataFolder } from "./data-folder.ts";
import { sumOfHits, type FaultOptions, type ManagedNode, type NodeFaults } from "./managed-node.ts";
import { serveNode, untilGreen, untilJoined, type ServedNode } from "./serve-node.ts";
import { shardWorkers } from "./shard-workers.ts";
import { openNodeTelemetry } from "./telemetry.ts";
import { EndedError, UsageError } from "./usage.ts";
import { wallMs } from "./wall-time.ts";

export interface MemoryNodeOptions {
  readonly hub: MemoryHub;
  /** Secrets, equal for all nodes of the cluster. */
  readonly secrets: TrustSecrets;
  /** Data folder; `undefined`: the node keeps its data in memory, as long as this process lives. */
  readonly folder: DataFolder | undefined;
  /** Number of nodes of the complete cluster. */
  readonly nodes: number;
  readonly faults?: FaultOptions;
}

interface Member {
  readonly plan: NodePlan;
  /** Data that survives a stop without a folder. */
  storage: MemoryStorage | undefined;
  host: Host | undefined;
  node: ServedNode | undefined;
  /** Served node, also while it is starting. */
  served: Promise<ServedNode> | undefined;
  readonly injection: FaultInjection;
}

interface MemoryStorage {
  readonly disk: Disk;
  readonly store: NodeStore;
}

/** Fault injection into the node; `state` belongs to its current incarnation. */
interface FaultInjection {
  state: FaultState;
  rules: readonly ActiveRule[];
  hitsBefore: ReadonlyMap<string, number>;
  /** Callbacks waiting for the end of a pause; `undefined` while not paused. */
  paused: (() => void)[] | undefined;
  /** Cuts the power of the current incarnation. */
  powerOff: ((unsynced: Unsynced) => void) | undefined;
}

/** Makes the hub that connects the nodes of this process in memory. */
export function createHub(): MemoryHub {
  // A long recovery in one process must leave turns to the other nodes.
  return createMemoryHub({ schedule: setImmediate });
}

export function createMemoryNode(plan: NodePlan, options: MemoryNodeOptions): ManagedNode {
  const { folder, nodes } = options;
  const member: Member = {
    plan,
    storage: folder === undefined ? newMemoryStorage() : undefined,
    host: undefined,
    node: undefined,
    served: undefined,
    injection: {
      state: createFaultState(),
      rules: [],
      hitsBefore: new Map(),
      paused: undefined,
      powerOff: undefined,
    },
  };
  return {
    plan,
    pid: process.pid,
    get status() {
      if (member.served === undefined) return "down";
      return member.injection.paused === undefined ? "up" : "paused";
    },
    get isServing() {
      return member.node !== undefined && member.injection.paused === undefined;
    },
    start: async (awaited) => {
      const served = serve(member, options);
      member.served = served;
      const { cluster } = await served.catch((error: unknown) => {
        if (member.served === served) throw error;
        throw new EndedError(`${plan.name} was ended before it was ${awaited}`);
      });
      // The node may have ended while it was starting.
      if (member.served === served) member.node = await served;
      if (awaited === "serving") return;
      await (awaited === "green" ? untilGreen(cluster, nodes) : untilJoined(cluster));
    },
    stop: () => stop(member),
    kill: async () => {
      if (options.faults !== undefined) return cutOff(member, "kept");
      await member.host?.network.close();
      return stop(member);
    },
    faults: options.faults && faultsOf(member, folder),
  };
}

async function serve(member: Member, options: MemoryNodeOptions): Promise<ServedNode> {
  const { plan, storage } = member;
  const path = options.folder === undefined ? "" : join(options.folder.path, plan.name);
  const network = options.hub.network(plan.name);
  const decorators = options.faults && decorate(member, network, options.faults);
  const telemetry = await openNodeTelemetry(plan);
  const host = createNodeHost({
    name: plan.name,
    folder: path,
    network,
    secrets: options.secrets,
    settings: { "node.shard_workers": "0", ...plan.settings },
    spans: telemetry?.spans,
    ...shardWorkers,
    ...storage,
    ...decorators,
  });
  if (path !== "") writePlan(path, plan);
  member.host = host;
  return serveNode(host, withPaths(plan, path), {
    telemetry,
    whenReady: () => untilResumed(member),
  });
}

async function stop(member: Member): Promise<void> {
  const { served } = member;
  resume(member);
  member.served = undefined;
  member.node = undefined;
  // A node that failed to start needs no stop; its error was reported to the caller of `start`.
  const running = await served?.catch(() => undefined);
  await running?.stop();
}

/** Decorators of one incarnation of the node. */
function decorate(
  { plan, injection }: Member,
  network: Network,
  { names, onTrace, isDetailed }: FaultOptions,
): Pick<NodeHostOptions, "network" | "around" | "trace"> {
  const self = plan.name;
  injection.hitsBefore = sumOfHits(injection.hitsBefore, injection.state.hits);
  const state = createFaultState(injection.rules);
  injection.state = state;
  const random = createRandom(`${self}:faults`);
  const nameOf = (address: string): string => lookup(names(), address) ?? address;
  const told = onTrace && ((event: TraceEvent) => onTrace(self, event, wallMs()));
  const trace = isDetailed === true ? told : undefined;
  const clock = createClock();
  return {
    network: withNetworkFaults(network, { self, state, random, clock, nameOf, trace }),
    around: ({ disk, store, blobs }) => {
      rotDisk(disk, { self, state, random });
      const lifetime = createNodeLifetime();
      const powerLoss = withPowerLoss(disk, { self, state, random });
      injection.powerOff = (unsynced) => {
        lifetime.end();
        powerLoss.cutPower(unsynced);
        store.close();
      };
      return {
        clock: clockEndingWithNode(withClockFaults(clock, { self, state, trace }), lifetime),
        disk: withDiskFaults(powerLoss.disk, { self, state, clock, random, trace }),
        blobs: withBlobFaults(blobsEndingWithNode(blobs, lifetime), {
          state,
          clock,
          random,
          trace,
        }),
        store: storeEndingWithNode(withStoreFaults(store, { self, state, clock }), lifetime),
      };
    },
    ...(told === undefined ? {} : { trace: told }),
  };
}

/** Ends an incarnation at once: none of its events occurs any more, and its addresses are free. */
async function cutOff(member: Member, unsynced: Unsynced): Promise<void> {
  const { served, node, injection } = member;
  if (served === undefined) return;
  member.served = undefined;
  member.node = undefined;
  injection.powerOff?.(unsynced);
  resume(member);
  await member.host?.network.close();
  // A node that was still starting closes its server as soon as it answers.
  if (node === undefined) void served.then((started) => started.hangUp()).catch(() => undefined);
  await node?.hangUp();
}

function faultsOf(member: Member, folder: DataFolder | undefined): NodeFaults {
  const { plan, injection } = member;
  const apply = (): void => injection.state.set(rulesOf(member));
  return {
    pause: async () => {
      if (member.served === undefined)
        throw new UsageError(`${plan.name} is down: it cannot be paused`);
      injection.paused ??= [];
      apply();
    },
    resume: async () => resume(member),
    setRules: async (rules) => {
      injection.rules = rules;
      apply();
    },
    get hits() {
      return sumOfHits(injection.hitsBefore, injection.state.hits);
    },
    powerOff: (unsynced) => cutOff(member, unsynced),
    view: async () => {
      if (injection.paused !== undefined) return undefined;
      return member.node && viewOf(member.node.cluster.state());
    },
    wipe: async () => {
      if (member.served !== undefined)
        throw new UsageError(`${plan.name} runs: it must be down to lose its data`);
      if (folder === undefined) member.storage = newMemoryStorage();
      else rmSync(join(folder.path, plan.name), { recursive: true, force: true });
    },
  };
}

/** Rules of the node; a pause is one of them, as the node shares its process. */
function rulesOf({ plan, injection }: Member): readonly ActiveRule[] {
  const { rules, paused } = injection;
  return paused === undefined ? rules : [...rules, { id: "", kind: "pause", node: plan.name }];
}

/** Resolves when the node is not paused. */
function untilResumed({ injection }: Member): Promise<void> {
  const { paused } = injection;
  if (paused === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    paused.push(resolve);
  });
}

function resume(member: Member): void {
  const { injection } = member;
  const waiting = injection.paused ?? [];
  injection.paused = undefined;
  injection.state.set(rulesOf(member));
  for (const resolve of waiting) resolve();
}

function newMemoryStorage(): MemoryStorage {
  return { disk: createMemoryDisk(), store: createMemoryNodeStore() };
}
