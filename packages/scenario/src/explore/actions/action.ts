/** An action: what people and scripts ask of a cluster beside its data, as exploration draws it. */
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

/** Clusters and indices of the plan that it is done to. */
export interface Surface {
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
}

export interface ActionRow {
  /** Plans about these draw it. */
  readonly areas: readonly Area[];
  /** Whether there is a place for it; everywhere when it is not said. */
  readonly fits?: (surface: Surface) => boolean;
  /** Steps, one after the other, each of them an attempt. */
  readonly draw: (scene: Scene) => readonly Action[];
  /** Undoes what a cluster cannot be whole with. Asked for once faults are over, until it is done. */
  readonly undo?: (surface: Surface) => readonly Action[];
  /** Asked of the cluster that is whole again, after all is undone and lost shards are given up: what a checker looks at. */
  readonly atLast?: (surface: Surface) => readonly Action[];
  /** Losses that it may cause for good. */
  readonly casualties?: readonly Casualty[];
}

interface Ask {
  readonly body?: Json;
  /** Whose node is asked; of the first cluster when it is not said. */
  readonly cluster?: string;
}

/** In a burst of administration: each waits this long at most. */
const ATTEMPT_MS = 5000;
/** Of several nodes: one that is out of the cluster does not answer. */
const UNDO_UNTIL_MS = 120_000;
const UNDO_MS = 5000;

/** `request`: `METHOD /path`. */
export function attempt(request: string, ask: Ask = {}): Action {
  return {
    kind: "request",
    step: { ...line(request, ask), expect: {}, attempt: true, timeoutMs: ATTEMPT_MS },
  };
}

/** Asked until it is answered with one of these. */
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

/** The cluster of an index. */
export function at({ cluster }: IndexPlan, body?: Json): Ask {
  return body === undefined ? { cluster } : { cluster, body };
}
