/**
 * Which indices are there at the end and can be read: those of the plan, and those that clients and scripts made during the run.
 *
 * A closed index cannot be read. An index that nobody planned is left out, too, where it is blocked for readers, and where no copy of
 * it has started: a run may end before it does. Of planned indices those are left out that a script deleted last.
 */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";
import type { IndexPlan, Plan } from "../plan.ts";
import { newClient, type ClusterView, type World } from "../world.ts";
import { unsyncedMsOf } from "./durability.ts";

export interface OpenIndex {
  readonly name: string;
  readonly cluster: string;
  /** A node of the cluster, which can be asked. */
  readonly node: string;
  /** The cluster as this node sees it. */
  readonly view: ClusterView;
  /** Operations are acknowledged before they are synced. */
  readonly isUnsynced: boolean;
}

export async function openIndices(world: World, plan: Plan): Promise<readonly OpenIndex[]> {
  const planned = plannedAtTheEnd(plan);
  const open: OpenIndex[] = [];
  for (const { name: cluster } of plan.clusters) {
    const newest = await newestView(world, cluster);
    if (newest === undefined) continue;
    const { node, view } = newest;
    const ours = planned.filter((index) => index.cluster === cluster);
    const isPlanned = new Set(plan.indices.map((index) => index.cluster === cluster && index.name));
    const others = [...view.indices.keys()].filter((name) => !isPlanned.has(name));
    for (const name of [...ours.map((index) => index.name), ...others]) {
      if (view.indices.get(name)?.state === "close") continue;
      const settings = await settingsOf(world, node, name);
      const plans = ours.find((index) => index.name === name);
      if (plans === undefined && !isReadable(view, name, settings)) continue;
      open.push({ name, cluster, node, view, isUnsynced: isUnsynced(settings, plans) });
    }
  }
  return open;
}

/** A node that was taken out of its cluster knows an older state. */
async function newestView(
  world: World,
  cluster: string,
): Promise<Pick<OpenIndex, "node" | "view"> | undefined> {
  let newest: Pick<OpenIndex, "node" | "view"> | undefined;
  for (const node of world.running(cluster)) {
    const view = await world.view(node);
    if (view !== undefined && view.version > (newest?.view.version ?? -1)) newest = { node, view };
  }
  return newest;
}

/** Flat; `undefined` where nobody tells them. */
async function settingsOf(world: World, node: string, name: string): Promise<Json | undefined> {
  const answer = await world.request(newClient("settings"), node, {
    method: "GET",
    uri: `/${encodeURIComponent(name)}/_settings?flat_settings=true`,
    timeoutMs: 30_000,
  });
  const index = isJsonObject(answer?.body) ? lookup(answer.body, name) : undefined;
  return isJsonObject(index) ? lookup(index, "settings") : undefined;
}

function isReadable(view: ClusterView, name: string, settings: Json | undefined): boolean {
  const isStarted = view.shards.some(({ index, state }) => index === name && isBuilt(state));
  const isBlocked = (block: string): boolean =>
    settingOf(settings, `index.blocks.${block}`) === "true";
  return isStarted && settings !== undefined && !isBlocked("read");
}

/** A copy that is nowhere, or not built yet, is for others to complain of. */
export function isBuilt(state: ClusterView["shards"][number]["state"]): boolean {
  return state === "STARTED" || state === "RELOCATING";
}

function isUnsynced(settings: Json | undefined, plan: IndexPlan | undefined): boolean {
  if (plan !== undefined && unsyncedMsOf(plan) > 0) return true;
  const durability = settingOf(settings, "index.translog.durability");
  return typeof durability === "string" && durability.toLowerCase() === "async";
}

function settingOf(settings: Json | undefined, name: string): Json | undefined {
  return isJsonObject(settings) ? lookup(settings, name) : undefined;
}

function plannedAtTheEnd({ indices, timeline }: Plan): readonly IndexPlan[] {
  return indices.filter(({ name }) => {
    const methods = timeline.flatMap(({ action }) =>
      action.kind === "request" && action.step.uri.split("?", 1)[0] === `/${name}`
        ? [action.step.method]
        : [],
    );
    const last = methods.findLast((method) => method === "DELETE" || method === "PUT");
    return last !== "DELETE";
  });
}

/** A complaint of checkers that compare copies: neither the plan nor anybody whom it lets ask makes an index. */
export function nothingToCompare({ indices, workload, timeline }: Plan): string | undefined {
  const isAsked = workload.length > 0 || timeline.some(({ action }) => action.kind === "request");
  return indices.length > 0 || isAsked ? undefined : "there is no index to compare";
}
