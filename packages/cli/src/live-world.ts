/**
 * World of a scenario, or of the control endpoint, in real time: nodes in processes or in this process, requests over
 * HTTP, faults by signals and by decorators of the ports.
 */
import type { ActiveRule } from "@orrery/faults";
import type { Rule, TraceEvent } from "@orrery/ports";
import {
  capabilities,
  selectNodes,
  type AppliedRule,
  type NodePlan,
  type Watchers,
  type Roster,
  type World,
  type WorldName,
} from "@orrery/scenario";
import { createRandom, fail, type Random } from "@orrery/stdx";
import { transportName } from "./data-folder.ts";
import { createClient } from "./live-client.ts";
import type { ManagedNode, NodeFaults } from "./managed-node.ts";
import { rotRepositories } from "./rot-repositories.ts";
import { EndedError, UsageError } from "./usage.ts";

export interface LiveWorldOptions {
  readonly name: WorldName;
  readonly seed: string;
  readonly roster: Roster;
  /** As `World.patienceMs`. */
  readonly patienceMs?: number;
  readonly nodes: Map<string, ManagedNode>;
  /** Creates an unplanned node that the roster already contains. */
  readonly newNode: (node: NodePlan) => Promise<ManagedNode>;
  /** Called when a node, which is down, has been removed. */
  readonly onRemoved?: (node: string) => void;
  readonly record: (node: string, event: TraceEvent) => void;
  readonly watchers: Watchers;
  /** Folders that may contain repositories. */
  readonly repositories: () => readonly string[];
  /** Path of a repository location in this world. */
  readonly locationOf?: (location: string) => string;
  /** Called when a node could not start, or ended unexpectedly. */
  readonly onTrouble: (error: unknown) => void;
}

export interface LiveWorld extends World {
  /** Lifts all rules. */
  heal(): Promise<void>;
  /** Ends all pending waits and requests. */
  end(): void;
}

/** Time by which reported hits may be outdated. */
const NEWS_MS = 60;

export function createLiveWorld(options: LiveWorldOptions): LiveWorld {
  const { name, roster, nodes, record, watchers } = options;
  const startedMs = performance.now();
  const random = (purpose: string): Random => createRandom(`${options.seed}:${purpose}`);
  const choice = random("selectors");
  const time = createTime();
  const activeRules = createActiveRules(nodes, time.sleep);
  const nodeOf = (node: string): ManagedNode => {
    const found = nodes.get(node);
    if (found === undefined) throw new UsageError(`there is no node [${node}]`);
    return found;
  };

  const world: LiveWorld = {
    name,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
    nodes: roster.names,
    clusterOf: roster.clusterOf,
    transportAddress: (node) => transportName(nodeOf(node).plan),
    running: (cluster) =>
      roster.names(cluster).filter((node) => nodes.get(node)?.isServing === true),
    isUp: (node) => nodeOf(node).status !== "down",
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
    view: async (node) => (nodeOf(node).isServing ? nodeOf(node).faults?.view() : undefined),
    nowMs: () => performance.now() - startedMs,
    sleep: time.sleep,
    random,
    record: (event) => record("", event),
    watch: watchers.watch,
    watchNews: watchers.watchNews,
    request: createClient(nodeOf, (event) => record("", event), time),
    start: async (node) => {
      const found = nodeOf(node);
      if (found.status !== "down" || roster.planOf(node) === undefined) return;
      // A start that was interrupted by a stop is no error.
      found.start("serving").catch((error: unknown) => {
        if (!(error instanceof EndedError)) options.onTrouble(error);
      });
    },
    stop: (node) => nodeOf(node).stop(),
    crash: async (node, unsynced = "drawn") => {
      const found = nodeOf(node);
      if (found.status === "down") return;
      await faultsOf(found).powerOff(unsynced);
      record(node, { kind: "node-crashed", node });
    },
    wipe: (node) => faultsOf(nodeOf(node)).wipe(),
    add: async (cluster, node) => {
      roster.add(cluster, node);
      try {
        nodes.set(node.name, await options.newNode(node));
      } catch (error) {
        roster.remove(node.name);
        throw error;
      }
      await activeRules.tell();
    },
    remove: async (node) => {
      await nodeOf(node).stop();
      roster.remove(node);
      options.onRemoved?.(node);
    },
    applyRule: async (given) => {
      const rule = placed(given, options.locationOf);
      if (!capabilities[name].has(rule.kind))
        return fail({
          type: "illegal_argument_exception",
          reason: `the world [${name}] cannot do [${rule.kind}]`,
          status: 400,
        });
      if (rule.kind === "pause") return pause(nodeOf(rule.node));
      if (rule.kind !== "repository-corrupt") return activeRules.add(rule);
      // Repositories are shared, so the rule is applied once, not by each node.
      const hits = rotRepositories(options.repositories(), rule, random("repositories"));
      return { hits: async () => hits, end: async () => undefined };
    },
    heal: async () => {
      await activeRules.clear();
      await Promise.all(faulty(nodes).map((faults) => faults.resume()));
    },
    end: time.end,
  };
  return world;
}

function placed(rule: Rule, locationOf: (location: string) => string = (same) => same): Rule {
  return "location" in rule ? { ...rule, location: locationOf(rule.location) } : rule;
}

/** Fault injection of a node; throws if its ports are not decorated. */
export function faultsOf({ faults, plan }: ManagedNode): NodeFaults {
  if (faults === undefined) throw new UsageError(`${plan.name} runs without faults`);
  return faults;
}

function faulty(nodes: ReadonlyMap<string, ManagedNode>): readonly NodeFaults[] {
  return [...nodes.values()].flatMap(({ faults }) => faults ?? []);
}

async function pause(node: ManagedNode): Promise<AppliedRule> {
  const isUp = node.status === "up";
  if (isUp) await faultsOf(node).pause();
  return {
    hits: async () => Number(isUp),
    end: async () => {
      if (isUp) await faultsOf(node).resume();
    },
  };
}

/** Active rules, distributed to every node. */
function createActiveRules(
  nodes: ReadonlyMap<string, ManagedNode>,
  sleep: (ms: number) => Promise<void>,
) {
  let rules: readonly ActiveRule[] = [];
  let last = 0;

  const tell = async (): Promise<void> => {
    await Promise.all(faulty(nodes).map((faults) => faults.setRules(rules)));
  };
  const count = (id: string): number => {
    let sum = 0;
    for (const { faults } of nodes.values()) sum += faults?.hits.get(id) ?? 0;
    return sum;
  };

  return {
    tell,
    add: async (rule: Rule): Promise<AppliedRule> => {
      last += 1;
      const id = `${rule.kind}-${last}`;
      rules = [...rules, { ...rule, id }];
      await tell();
      return {
        hits: async () => {
          await sleep(NEWS_MS);
          return count(id);
        },
        end: async () => {
          // A clock jump is permanent, so its rule is not removed.
          if (rule.kind === "clock-jump") return;
          rules = rules.filter((one) => one.id !== id);
          await tell();
        },
      };
    },
    clear: async (): Promise<void> => {
      rules = rules.filter(({ kind }) => kind === "clock-jump");
      await tell();
    },
  };
}

export interface LiveTime {
  sleep(ms: number): Promise<void>;
  /** Signal that aborts all waits. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Sleeps of a world that has ended never resolve, and keep no process running. */
function createTime(): LiveTime {
  const timers = new Set<NodeJS.Timeout>();
  const over = new AbortController();
  return {
    signal: over.signal,
    sleep: (ms) =>
      new Promise((resolve) => {
        if (over.signal.aborted) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
    end: () => {
      over.abort();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
