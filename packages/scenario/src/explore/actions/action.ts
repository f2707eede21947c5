/** Action: administrative requests of people and scripts, as exploration draws them. */
import type { Json } from "@orrery/stdx";
import type { Action, ClusterPlan, IndexPlan } from "../../plan.ts";
import type { Area, Casualty, Scene } from "../scene.ts";

export type ActionKind =
  | "move"
  | "cancel"
  | "allocate-replica"
  | "force-primary"
  | "retry-failed"
  | "replicas"
  | "filter"
  | "index-settings"
  | "cluster-settings"
  | "close"
  | "mapping"
  | "alias"
  | "upkeep"
  | "short-lived-index"
  | "data-stream"
  | "snapshot"
  | "restore"
  | "decommission"
  | "zone-weights"
  | "voting-exclusions"
  | "dangling"
  | "pause-following";

/** Clusters and indices of the plan that an action may use. */
export interface Surface {
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
}

export interface ActionRow {
  /** Areas whose plans draw the action. */
  readonly areas: readonly Area[];
  /** True if the plan has a place for the action; every plan has one if `undefined`. */
  readonly fits?: (surface: Surface) => boolean;
  /** Draws the steps, executed one after the other. Each is an attempt, which may fail. */
  readonly draw: (scene: Scene) => readonly Action[];
  /** Steps that revert what keeps a cluster from healing. They run after the faults, until they succeed. */
  readonly undo?: (surface: Surface) => readonly Action[];
  /**
   * Steps on the healed cluster, after reverts and the replacement of lost shards, which prepare data for a checker.
   */
  readonly atLast?: (surface: Surface) => readonly Action[];
  /** Permanent losses that the action may cause. */
  readonly casualties?: readonly Casualty[];
}

interface Ask {
  readonly body?: Json;
  /** Cluster whose nodes are asked; the first if `undefined`. */
  readonly cluster?: string;
}

/** Time-out of each attempt in a burst of administration. */
const ATTEMPT_MS = 5000;
/** Time for which a revert is retried, at several nodes: one that is not in the cluster does not answer. */
const UNDO_UNTIL_MS = 120_000;
const UNDO_MS = 5000;

/** Action that sends a request once, and accepts any response. `request`: `METHOD /path`. */
export function attempt(request: string, ask: Ask = {}): Action {
  return {
    kind: "request",
    step: { ...line(request, ask), expect: {}, attempt: true, timeoutMs: ATTEMPT_MS },
  };
}

/**
 * Action that repeats a request until the response has one of the given statuses, or a time limit is reached.
 * `request`: `METHOD /path`.
 */
export function until(request: string, status: readonly number[], ask: Ask = {}): Action {
  const patience = { untilMs: UNDO_UNTIL_MS, timeoutMs: UNDO_MS };
  return { kind: "request", step: { ...line(request, ask), expect: { status }, ...patience } };
}

export function hasRepositories({ clusters }: Surface): boolean {
  return clusters.some(({ settings }) => settings["path.repo"] !== undefined);
}

const AWARENESS = "cluster.routing.allocation.awareness.attributes";

export function hasThreeZones({ clusters }: Surface): boolean {
  const zones = clusters.flatMap(({ nodes }) => nodes.flatMap(({ zone }) => zone ?? []));
  const isAware = clusters.every(({ settings }) => settings[AWARENESS] !== undefined);
  return clusters.length === 1 && isAware && new Set(zones).size > 2;
}

export function wait(forMs: number): Action {
  return { kind: "wait", forMs };
}

function line(request: string, { body, cluster }: Ask) {
  const [method = "", uri = ""] = request.split(" ");
  return {
    method,
    uri,
    ...(body === undefined ? {} : { body }),
    ...(cluster === undefined ? {} : { node: `any@${cluster}` }),
  };
}

/** Request options for the cluster of an index. */
export function at({ cluster }: IndexPlan, body?: Json): Ask {
  return body === undefined ? { cluster } : { cluster, body };
}
