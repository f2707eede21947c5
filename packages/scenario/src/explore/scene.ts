/**
 * Scene: clusters and indices of a plan that is being drawn, with a random stream. Rows of faults, workloads and
 * actions draw instances from it; the same stream gives the same plan.
 */
import type { Random } from "@orrery/stdx";
import type { LinkChoice } from "../faults/rule-faults.ts";
import type { ClusterPlan, IndexPlan } from "../plan.ts";
import type { MomentCounts } from "./moments.ts";
import { anyNode, anyOtherNode, electedClusterManager, type NodeSelector } from "../world.ts";

/** Areas of behaviour that a plan concentrates on. */
export const areas = [
  "replication",
  "membership",
  "snapshots",
  "leases",
  "decommission",
  "dangling",
  "administration",
] as const;
export type Area = (typeof areas)[number];

/**
 * Permanent losses that are no failure of the cluster.
 *
 * `copies`: the last good copy of a shard. `rot`: an undetected corruption of a copy. `unsynced`: acknowledged writes
 * that were not synced. `snapshots`: contents of a repository. `leases`: retention leases, without which an index of
 * another cluster cannot go on following. `voter`: a vote; a plan that removes more than one may leave no majority.
 */
export type Casualty = "copies" | "rot" | "unsynced" | "snapshots" | "leases" | "voter";

export interface Scene {
  readonly random: Random;
  readonly area: Area;
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
  /** Time by which faults, clients and administration have ended. */
  readonly disturbMs: number;
  /** Moments that occurred when the parent plan was run. */
  readonly came?: MomentCounts;
  /** True with this probability, in a thousand. */
  chance(perMille: number): boolean;
  /** Duration between the bounds, on a logarithmic scale. */
  ms(low: number, high: number): number;
  perMille(low: number, high: number): number;
  /** Draws a selector, mostly of a role, so that it matches a node whatever happened before. */
  node(): NodeSelector;
  cluster(): ClusterPlan;
  zones(): readonly string[];
  /** Draws an index; a scene has at least one. */
  index(): IndexPlan;
  /** Draws a shard of the index. */
  shardOf(index: IndexPlan): number;
  nodeOf(index: IndexPlan): string;
  /** Draws links; half of the draws mean all links. */
  links(): LinkChoice;
  hasRepository(): boolean;
}

export interface SceneParts {
  readonly random: Random;
  readonly area: Area;
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
  readonly disturbMs: number;
  readonly came?: MomentCounts;
}

/** Scene that draws from the given random stream. */
export function createScene(parts: SceneParts): Scene {
  const { random, clusters, indices } = parts;
  const chance = (perMille: number): boolean => random.int(0, 999) < perMille;
  const cluster = (): ClusterPlan => random.pick(clusters);
  const index = (): IndexPlan => random.pick(indices);
  const shardOf = ({ shards }: IndexPlan): number => random.int(0, shards - 1);

  const at = ({ name }: { readonly name: string }): string =>
    name === clusters[0]?.name ? "" : `@${name}`;

  const node = (): NodeSelector => {
    const one = cluster();
    const named = random.pick(one.nodes).name;
    const held = indices.filter((each) => each.cluster === one.name);
    const roles = [electedClusterManager, anyNode, anyOtherNode].map((role) => `${role}${at(one)}`);
    if (held.length > 0) {
      const of = random.pick(held);
      const shard = `${of.name}/${shardOf(of)}${at(one)}`;
      roles.push(`primary:${shard}`, `primary:${shard}`, `replica:${shard}`);
    }
    const zone = one.nodes.find(({ name }) => name === named)?.zone;
    if (zone !== undefined && chance(100)) return `zone:${zone}${at(one)}`;
    return chance(200) ? named : random.pick(roles);
  };

  return {
    ...parts,
    chance,
    ms: (low, high) => logUniform(random, low, high),
    perMille: (low, high) => logUniform(random, low, high),
    node,
    cluster,
    zones: () => [
      ...new Set(clusters.flatMap(({ nodes }) => nodes.flatMap(({ zone }) => zone ?? []))),
    ],
    index,
    shardOf,
    nodeOf: (of) => random.pick(clusters.find(({ name }) => name === of.cluster)?.nodes ?? []).name,
    links: () => {
      if (chance(500)) return {};
      return random.pick([
        () => ({ node: node() }),
        () => ({ sender: node() }),
        () => ({ receiver: node() }),
      ])();
    },
    hasRepository: () => clusters.some(({ settings }) => settings["path.repo"] !== undefined),
  };
}

/** Whole number drawn on a logarithmic scale: each power of two is equally likely. */
function logUniform(random: Random, low: number, high: number): number {
  let steps = 0;
  while (low * 2 ** (steps + 1) <= high) steps += 1;
  const from = low * 2 ** random.int(0, steps);
  return random.int(from, Math.min(high, 2 * from));
}
