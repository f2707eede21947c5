/** Nodes of a live run: each cluster of the plan on free ports of this machine, with decorated ports. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TraceEvent } from "@orrery/ports";
import {
  firstManager,
  type NodePlan as PlannedNode,
  type Plan,
  type Roster,
} from "@orrery/scenario";
import type { NodePlan } from "./cluster-plan.ts";
import { transportName } from "./data-folder.ts";
import { isFree } from "./free-port.ts";
import type { LiveWorldName } from "./live-run.ts";
import type { FaultOptions, ManagedNode } from "./managed-node.ts";
import { secretsIn } from "./secrets.ts";
import { UsageError } from "./usage.ts";

export interface LiveNodes {
  readonly all: Map<string, ManagedNode>;
  /** Creates a node that the roster already contains. */
  readonly add: (node: PlannedNode) => Promise<ManagedNode>;
  /** Kills all nodes. */
  readonly end: () => Promise<void>;
}

export interface LiveNodesOptions {
  readonly plan: Plan;
  readonly roster: Roster;
  readonly name: LiveWorldName;
  /** Temporary folder of the run. */
  readonly folder: string;
  readonly onTrace: (node: string, event: TraceEvent, wallMs: number) => void;
  /** Messages, timers and syncs are traced. */
  readonly isDetailed: boolean;
  /** Called when a node ends unexpectedly. */
  readonly onTrouble: (error: unknown) => void;
}

type Make = (plan: NodePlan, nodes: number, faults: FaultOptions) => ManagedNode;

export async function createLiveNodes(options: LiveNodesOptions): Promise<LiveNodes> {
  const { roster, name, onTrace, isDetailed } = options;
  const ports = createPorts();
  const planned = new Map<string, NodePlan>();
  const all = new Map<string, ManagedNode>();
  const make = await maker(options);
  const names = (): Readonly<Record<string, string>> =>
    Object.fromEntries([...planned.values()].map((plan) => [transportName(plan), plan.name]));

  /** Ports are reserved first, as each node's settings name the addresses of all others. */
  const reserve = async (node: string): Promise<void> => {
    const [httpPort, transportPort] = [await ports.next(), await ports.next()];
    planned.set(node, {
      ...{ name: node, transport: name, httpPort, settings: {} },
      transportPort: name === "memory" ? undefined : transportPort,
    });
  };
  const create = (node: PlannedNode): ManagedNode => {
    const reserved = planned.get(node.name);
    if (reserved === undefined) throw new UsageError(`there is no node [${node.name}]`);
    const plan: NodePlan = { ...reserved, settings: settingsOf(node, planned, options) };
    planned.set(node.name, plan);
    const nodes = roster.names(roster.clusterOf(node.name)).length;
    const made = make(plan, nodes, { names, onTrace, isDetailed });
    all.set(node.name, made);
    return made;
  };

  for (const node of roster.names()) await reserve(node);
  for (const { nodes } of options.plan.clusters) for (const node of nodes) create(node);
  return {
    all,
    add: async (node) => {
      await reserve(node.name);
      return create(node);
    },
    end: async () => {
      await Promise.all([...all.values()].map((node) => node.kill()));
    },
  };
}

/** Path of a location in the plan, below the folder that stands for the plan's `path.repo`. */
export function locationIn(folder: string, { clusters }: Plan, location: string): string {
  const roots = clusters.flatMap(({ settings }) => settings["path.repo"] ?? []);
  const root = roots.find((one) => location === one || location.startsWith(`${one}/`));
  return root === undefined ? location : repositoriesIn(folder) + location.slice(root.length);
}

/** Folder of a live run that stands for the plan's `path.repo`. */
export function repositoriesIn(folder: string): string {
  return join(folder, "repositories");
}

function settingsOf(
  node: PlannedNode,
  planned: ReadonlyMap<string, NodePlan>,
  { roster, folder }: LiveNodesOptions,
): NodePlan["settings"] {
  const cluster = roster.clusterPlanOf(node.name);
  const seeds = roster.names(cluster.name).flatMap((name) => {
    const plan = planned.get(name);
    return plan === undefined ? [] : [transportName(plan)];
  });
  const { zone, roles } = node;
  const given = { ...cluster.settings, ...node.settings };
  return {
    "cluster.name": cluster.name,
    "discovery.seed_hosts": seeds,
    "cluster.initial_cluster_manager_nodes": [firstManager(cluster.nodes)],
    ...(zone === undefined ? {} : { "node.attr.zone": zone }),
    ...(roles === undefined ? {} : { "node.roles": roles }),
    ...given,
    // The plan's `path.repo` is replaced by a folder of the run.
    ...(given["path.repo"] === undefined ? {} : { "path.repo": repositoriesIn(folder) }),
  };
}

/** Factory for nodes, loaded on demand by kind. */
async function maker({ name, folder, onTrouble }: LiveNodesOptions): Promise<Make> {
  mkdirSync(repositoriesIn(folder));
  if (name === "memory") {
    const { createHub, createMemoryNode } = await import("./memory-node.ts");
    const hub = createHub();
    const secrets = secretsIn(undefined);
    return (plan, nodes, faults) =>
      createMemoryNode(plan, { hub, secrets, folder: undefined, nodes, faults });
  }
  secretsIn(folder);
  const { createProcessNode } = await import("./process-node.ts");
  return (plan, nodes, faults) => {
    mkdirSync(join(folder, plan.name), { recursive: true });
    return createProcessNode(plan, {
      ...{ nodes, faults, folder: { path: folder, isTemporary: true } },
      onDeath: ({ name: dead }, how) => onTrouble(new UsageError(`${dead} ended with ${how}`)),
    });
  };
}

/** First port: below the range of ephemeral ports, so that a stopped node keeps its port. */
const FIRST_PORT = 10_240;
const LAST_PORT = 18_000;

function createPorts() {
  const count = LAST_PORT - FIRST_PORT;
  // Concurrent runs start their search at different ports.
  let at = (process.pid * 61) % count;
  return {
    next: async (): Promise<number> => {
      for (let tries = 0; tries < count; tries += 1) {
        at = (at + 1) % count;
        if (await isFree(FIRST_PORT + at)) return FIRST_PORT + at;
      }
      throw new UsageError("no port of this machine is free");
    },
  };
}
