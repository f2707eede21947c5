/**
 * Repair of a composed sketch: unknown names are replaced by names that it has, times are limited to its duration, and
 * permanent losses to what a cluster survives.
 */
import { greatest, isJsonObject, least } from "@orrery/stdx";
import { faults as faultRows, rowOf } from "../faults/table.ts";
import type { Fault } from "../faults/fault.ts";
import type { Action, ClusterPlan, IndexPlan, TimedFault, Trigger } from "../plan.ts";
import type { Workload } from "../workloads/workload.ts";
import { actions } from "./actions/table.ts";
import type { Casualty } from "./scene.ts";
import type { Block, Sketch } from "./sketch.ts";
import { dataNodeCount, voterCount } from "./topology.ts";

/** Sketch with valid names, times and losses. */
export function repaired(given: Sketch): Sketch {
  const { disturbMs } = given;
  const leaving = losesNode(given) ? 1 : 0;
  const indices = given.indices.map((index) => fitting(index, given.clusters, leaving));
  const named = renamed({ ...given, indices });
  const taken = new Set<Casualty>();
  const isSmall = given.clusters.some((cluster) => voterCount(cluster) < 3);
  /** A node excluded from voting counts as a lost voter. */
  const isExcluded = given.blocks.some(({ kind }) => kind === "voting-exclusions");
  /**
   * True if the fault is allowed: at most one voter of three or more is lost, and losses accumulate over all faults.
   */
  const mayHappen = (fault: Fault): boolean => {
    if (!fits(fault, given.clusters)) return false;
    const { casualties = [] } = rowOf(fault);
    const isTooMuch =
      casualties.includes("voter") &&
      (isSmall || isExcluded || taken.has("voter") || votersOfZone(fault, given.clusters) > 1);
    if (!isTooMuch) for (const casualty of casualties) taken.add(casualty);
    return !isTooMuch;
  };
  return {
    ...named,
    faults: named.faults
      .filter(({ fault }) => mayHappen(fault))
      .map((timed) => withinTime(timed, disturbMs)),
    blocks: named.blocks.flatMap((block) => {
      if (block.kind !== "fault" && actions[block.kind].fits?.(named) === false) return [];
      const trigger = clamped(onceWhereLossy(block), disturbMs);
      const steps = block.steps
        .filter((step) => step.kind !== "fault" || mayHappen(step.fault))
        .map((step) =>
          stepWithin(holdable(step, given.clusters, leaving), disturbMs - startOf(trigger)),
        );
      return steps.length === 0 || isIdle(steps) ? [] : [{ ...block, steps, trigger }];
    }),
    workload: named.workload.map((clients) =>
      clientsFitting(clientsWithin(clients, disturbMs), named.clusters, leaving),
    ),
  };
}

/** Largest number of voters in the zone that a fault affects; 0 for a fault of one node. */
function votersOfZone(fault: Fault, clusters: readonly ClusterPlan[]): number {
  const [, zone] = /^zone:(\w+)/.exec("node" in fault ? fault.node : "") ?? [];
  if (zone === undefined) return 0;
  const counts = clusters.map(({ nodes, ...cluster }) =>
    voterCount({ ...cluster, nodes: nodes.filter((node) => node.zone === zone) }),
  );
  return greatest(counts);
}

/** Limits the duration of a fault in a block to the remaining time. */
function stepWithin(step: Action, leftMs: number): Action {
  if (step.kind !== "fault" || step.forMs === undefined) return step;
  return { ...step, forMs: Math.max(SHORTEST_MS, Math.min(step.forMs, leftMs)) };
}

function isIdle(steps: readonly Action[]): boolean {
  return steps.every(({ kind }) => kind === "wait" || kind === "end");
}

/** True if a node is removed permanently and not replaced. */
function losesNode({ faults, blocks }: Sketch): boolean {
  const steps = blocks.flatMap((block) => block.steps);
  const injected = steps.flatMap((step) => (step.kind === "fault" ? [step.fault] : []));
  return [...faults.map(({ fault }) => fault), ...injected].some(
    ({ kind }) => kind === "remove-node",
  );
}

/** Limits the replicas of an index to its cluster; `leaving`: number of nodes that hold no copies at the end. */
function fitting(index: IndexPlan, clusters: readonly ClusterPlan[], leaving: number): IndexPlan {
  const cluster = clusters.find(({ name }) => name === index.cluster) ?? clusters[0];
  const replicas = Math.min(index.replicas, mostReplicas(clusters, leaving));
  return { ...index, cluster: cluster?.name ?? "", replicas };
}

/** Limits the replicas of indices that clients create. */
function clientsFitting(
  clients: Workload,
  clusters: readonly ClusterPlan[],
  leaving: number,
): Workload {
  if (clients.kind !== "new-indices") return clients;
  return { ...clients, replicas: Math.min(clients.replicas, mostReplicas(clusters, leaving)) };
}

/**
 * Largest number of replicas that every cluster can hold: an index of another cluster may follow, with the same number.
 */
function mostReplicas(clusters: readonly ClusterPlan[], leaving: number): number {
  return Math.max(0, least(clusters.map(dataNodeCount)) - 1 - leaving);
}

/**
 * Limits the replicas that a step sets, in a plan of several clusters: an index that stops following keeps its number,
 * and no step at the end reduces it. In a plan of one cluster a step at the end does.
 */
function holdable(step: Action, clusters: readonly ClusterPlan[], leaving: number): Action {
  if (step.kind !== "request" || clusters.length === 1) return step;
  const { body } = step.step;
  const index = isJsonObject(body) ? body["index"] : undefined;
  if (!isJsonObject(index)) return step;
  const asked = index["number_of_replicas"];
  if (typeof asked !== "number") return step;
  const fewer = { ...index, number_of_replicas: Math.min(asked, mostReplicas(clusters, leaving)) };
  return { ...step, step: { ...step.step, body: { index: fewer } } };
}

/** False for a fault that needs more nodes than there are. */
function fits(fault: Fault, clusters: readonly ClusterPlan[]): boolean {
  const sizes = clusters.map(({ nodes }) => nodes.length);
  const about = { size: greatest(sizes), nodes: [] };
  if (fault.kind === "majority-ring" && least(sizes) < 4) return false;
  return rowOf(fault).complaint?.(fault, about) === undefined;
}

/** Replaces the names that a part brought from another sketch. */
function renamed(sketch: Sketch): Sketch {
  const { clusters, indices, faults, blocks, workload } = sketch;
  const nodes = clusters.flatMap((cluster) => cluster.nodes.map(({ name }) => name));
  const zones = [
    ...new Set(clusters.flatMap((cluster) => cluster.nodes.flatMap(({ zone }) => zone ?? []))),
  ];
  const clusterNames = clusters.map(({ name }) => name);
  const shards = new Map(indices.map(({ name, shards: count }) => [name, count]));
  const oneOf = (names: readonly string[], given: string): string =>
    names.includes(given) ? given : (names[hashOf(given) % Math.max(1, names.length)] ?? given);
  const index = (given: string): string => oneOf([...shards.keys()], given);
  const shard = (name: string, number: string): number =>
    Number(number) % (shards.get(index(name)) ?? 1);
  const text = (given: string): string =>
    given
      .replaceAll(/\b(?:node|lead|copy)-\d+\b/g, (name) => oneOf(nodes, name))
      .replaceAll(/@(main|lead|copy)\b/g, (_all, name: string) =>
        at(oneOf(clusterNames, name), clusterNames),
      )
      .replaceAll(
        /\b(books|films)\/(\d+)/g,
        (_all, name: string, number: string) => `${index(name)}/${shard(name, number)}`,
      )
      .replaceAll(/\b(?:books|films)\b/g, index)
      .replaceAll(/^zone:(\w+)/g, (_all, zone: string) =>
        zones.length === 0 ? "any" : `zone:${oneOf(zones, zone)}`,
      );
  const walk = <Value>(value: Value, key = ""): Value => {
    if (typeof value === "string") {
      if (key === "cluster") return oneOf(clusterNames, value) as Value;
      return (key === "zone" && zones.length > 0 ? oneOf(zones, value) : text(value)) as Value;
    }
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item)) as Value;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, item]): [string, unknown] => [
      name,
      walk(item as unknown, name),
    ]);
    return Object.fromEntries(entries) as Value;
  };
  return { ...sketch, faults: walk(faults), blocks: walk(blocks), workload: walk(workload) };
}

function at(cluster: string, [first]: readonly string[]): string {
  return cluster === first ? "" : `@${cluster}`;
}

function hashOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return sum;
}

const SHORTEST_MS = 10;

function withinTime({ trigger, forMs, fault }: TimedFault, disturbMs: number): TimedFault {
  const isOnce = (rowOf(fault).casualties ?? []).length > 0 || fault.kind === "add-node";
  const when = clamped(isOnce ? once(trigger) : trigger, disturbMs);
  if (forMs === undefined || faultRows[fault.kind].isInstant === true)
    return { trigger: when, fault };
  const leftMs = disturbMs - (when.kind === "within" ? when.toMs : startOf(when));
  const lastsMs = Math.max(SHORTEST_MS, Math.min(forMs, leftMs));
  return { trigger: startingBefore(when, disturbMs - lastsMs), forMs: lastsMs, fault };
}

/**
 * Trigger with the same moments, for a fault that may start repeatedly or late: its end leaves time for the duration.
 */
function startingBefore(trigger: Trigger, latestMs: number): Trigger {
  if (trigger.kind !== "every" && trigger.kind !== "when") return trigger;
  return { ...trigger, toMs: Math.max(trigger.fromMs, latestMs) };
}

function onceWhereLossy({ trigger, steps }: Block): Trigger {
  return steps.length > 1 || steps.some(({ kind }) => kind === "fault") ? once(trigger) : trigger;
}

function once(trigger: Trigger): Trigger {
  return trigger.kind === "every" ? { kind: "at", atMs: trigger.fromMs } : trigger;
}

function startOf(trigger: Trigger): number {
  if (trigger.kind === "at") return trigger.atMs;
  return trigger.kind === "then" ? 0 : trigger.fromMs;
}

function clamped(trigger: Trigger, disturbMs: number): Trigger {
  const most = (ms: number): number =>
    Math.max(0, Math.min(Math.round(ms), disturbMs - SHORTEST_MS));
  switch (trigger.kind) {
    case "at":
      return { ...trigger, atMs: most(trigger.atMs) };
    case "within": {
      const fromMs = most(trigger.fromMs);
      return { ...trigger, fromMs, toMs: Math.max(fromMs, most(trigger.toMs)) };
    }
    case "every":
      return { ...trigger, fromMs: most(trigger.fromMs), toMs: disturbMs };
    case "when":
      return { ...trigger, fromMs: most(trigger.fromMs), toMs: disturbMs };
    case "then":
      return trigger;
  }
}

function clientsWithin<Clients extends Workload>(clients: Clients, disturbMs: number): Clients {
  const fromMs = Math.min(clients.fromMs, disturbMs - SHORTEST_MS);
  const forMs = Math.min(clients.forMs ?? disturbMs, disturbMs - fromMs);
  return { ...clients, fromMs, forMs, everyMs: Math.min(clients.everyMs, disturbMs) };
}
