/**
 * Indices that exist at the end of a run and can be read: those of the plan, and those that clients and scripts
 * created.
 *
 * A closed index cannot be read. An unplanned index is also left out if a block prevents reads, or if none of its
 * copies has started, as a run may end before. Planned indices that a script deleted last are left out.
 */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";
import type { IndexPlan, Plan } from "../plan.ts";
import { newClient, type ClusterView, type World } from "../world.ts";

export interface OpenIndex {
  readonly name: string;
  readonly cluster: string;
  /** Node of the index's cluster that answers requests. */
  readonly node: string;
  /** Cluster as this node sees it. */
  readonly view: ClusterView;
}

/** Readable indices of all clusters at the end of the run. */
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
      open.push({ name, cluster, node, view });
    }
  }
  return open;
}

/** Newest state of all nodes: a node that was removed from its cluster knows only an older one. */
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

/** Settings of an index, flat; `undefined` if no answer has them. */
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

/** True for a copy that has been built. Missing copies are the subject of other checkers. */
export function isBuilt(state: ClusterView["shards"][number]["state"]): boolean {
  return state === "STARTED" || state === "RELOCATING";
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

/** Complaint of checkers that compare copies: neither the plan nor its clients or scripts create an index. */
export function nothingToCompare({ indices, workload, timeline }: Plan): string | undefined {
  const isAsked = workload.length > 0 || timeline.some(({ action }) => action.kind === "request");
  return indices.length > 0 || isAsked ? undefined : "there is no index to compare";
}
