/** Concerns about copies of shards that no node can hold: more copies than data nodes, or than a zone may have. */
import { lookup } from "@orrery/stdx";
import { requestsOf } from "./checkers/requests-of.ts";
import { faultsOf } from "./checkers/faults-of.ts";
import { defaultRoles } from "./cluster-shape.ts";
import type { Concern } from "./concerns.ts";
import type { ClusterPlan, IndexPlan, NodePlan, Plan } from "./plan.ts";

export function placementConcerns(plan: Plan): readonly Concern[] {
  const requests = requestsOf(plan);
  // Settings that change while the plan runs may change where copies can be.
  const isChanged = requests.some(({ uri }) => /\/_settings\b|\/_cluster\/settings\b/.test(uri));
  const isJoined = faultsOf(plan).some(({ kind }) => kind === "add-node");
  if (isChanged || isJoined) return [];
  return plan.indices.flatMap((index): Concern[] => {
    const cluster = plan.clusters.find(({ name }) => name === index.cluster);
    const copies = 1 + index.replicas;
    if (cluster === undefined || isExpanded(index)) return [];
    const possible = placeable(cluster, copies);
    if (copies <= possible.copies) return [];
    const isDeleted = requests.some(
      ({ method, uri }) => method === "DELETE" && uri.startsWith(`/${index.name}`),
    );
    return [
      {
        path: ["indices", index.name, "replicas"],
        says: `${copies} copies of a shard of [${index.name}] cannot be placed: ${possible.why}`,
        isSerious: plan.checkers.includes("converges-to-green") && !isDeleted,
      },
    ];
  });
}

/** True if the number of replicas follows the number of nodes. */
function isExpanded({ settings }: IndexPlan): boolean {
  return JSON.stringify(settings).includes("auto_expand_replicas");
}

const AWARENESS = "cluster.routing.allocation.awareness";

/** Greatest number of copies of one shard that the cluster holds, with its reason. */
function placeable(
  { nodes, settings }: ClusterPlan,
  copies: number,
): { readonly copies: number; readonly why: string } {
  const holders = nodes.filter(isDataNode);
  const count = holders.length;
  const whole = {
    copies: count,
    why: `there ${count === 1 ? "is 1 data node" : `are ${count} data nodes`}`,
  };
  const attributes = lookup(settings, `${AWARENESS}.attributes`);
  if (attributes !== "zone") return whole;
  const forced = lookup(settings, `${AWARENESS}.force.zone.values`)?.split(",") ?? [];
  const zones = new Set([...holders.flatMap(({ zone }) => zone ?? []), ...forced]);
  if (zones.size === 0) return whole;
  const perZone = Math.ceil(copies / zones.size);
  const inZones = [...zones].reduce((sum, zone) => {
    const inside = holders.filter((node) => node.zone === zone).length;
    return sum + Math.min(inside, perZone);
  }, 0);
  if (inZones >= Math.min(copies, count)) return whole;
  return {
    copies: inZones,
    why: `a zone holds at most ${perZone} of them, which leaves room for ${inZones} in ${zones.size} zones`,
  };
}

function isDataNode({ roles, settings }: NodePlan): boolean {
  const own = lookup(settings, "node.roles")?.split(",") ?? roles ?? defaultRoles;
  return own.some((role) => role.trim() === "data");
}
