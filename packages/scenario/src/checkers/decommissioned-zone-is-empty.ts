/**
 * INV-ZONE-1: the status of a decommission only moves forward; once it is successful, no node of the zone is in the
 * cluster, no copy is allocated to one, and none has a vote.
 */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { Plan } from "../plan.ts";
import { newClient, type RecordedEvent, type World } from "../world.ts";
import { at } from "./answers.ts";
import type { Checker } from "./checker.ts";

type Moved = Extract<RecordedEvent, { readonly kind: "decommission-status-changed" }>;

const ORDER: readonly Moved["status"][] = [
  "init",
  "draining",
  "in_progress",
  "successful",
  "failed",
  "none",
];

export const decommissionedZoneIsEmpty: Checker = {
  name: "decommissioned-zone-is-empty",
  invariant: "INV-ZONE-1",
  says: "A decommission only moves forward; once it is successful its zone has no node, no shard and no vote.",
  excusedBy: [],
  complaint: ({ clusters }) =>
    clusters.every(({ nodes }) => nodes.every(({ zone }) => zone === undefined))
      ? "there are no zones"
      : undefined,
  start: () => {
    const last = new Map<string, Moved["status"]>();
    return (event) => {
      if (event.kind === "node-crashed" || event.kind === "node-started") {
        // A node that restarts applies again the states that it had applied before.
        for (const key of [...last.keys()]) if (key.startsWith(`${event.node}/`)) last.delete(key);
      }
      if (event.kind !== "decommission-status-changed") return undefined;
      const { node, requestId, status } = event;
      const key = `${node}/${requestId}`;
      const before = last.get(key);
      last.set(key, status);
      // A request retried at the next cluster manager may start again after its decommission was undone.
      const isAnew = before === undefined || (before === "none" && status === "init");
      if (isAnew || ORDER.indexOf(status) > ORDER.indexOf(before)) return undefined;
      return `on ${node} the decommission of [${event.value}] went from [${before}] to [${status}]`;
    };
  },
  finish: async (world, plan) => {
    for (const { name } of plan.clusters) {
      const finding = await judgeCluster(world, plan, name);
      if (finding !== undefined) return finding;
    }
    return undefined;
  },
};

async function judgeCluster(
  world: World,
  plan: Plan,
  cluster: string,
): Promise<string | undefined> {
  const [node = ""] = world.running(cluster);
  const answer = await world.request(newClient("zones"), node, {
    method: "GET",
    uri: "/_cluster/state/metadata,nodes",
    timeoutMs: 30_000,
  });
  const metadata = at(answer?.body, "metadata");
  if (metadata === undefined) return `no state: ${JSON.stringify(answer?.body ?? "no answer")}`;
  const decommission = at(metadata, "decommissionedAttribute");
  if (at(decommission, "status") !== "successful") return undefined;
  const [entry] = Object.entries(objectOf(at(decommission, "awareness")));
  if (entry === undefined) return undefined;
  const [attribute, value] = entry;
  const nodes = Object.entries(objectOf(at(answer?.body, "nodes")));
  const left = nodes.find(([, one]) => at(at(one, "attributes"), attribute) === value);
  if (left !== undefined)
    return `[${String(at(left[1], "name"))}] is in the cluster, although [${attribute}] [${String(value)}] is decommissioned`;
  const voters = at(at(metadata, "cluster_coordination"), "last_committed_config");
  const known = new Set(nodes.map(([id]) => id));
  const stranger = (Array.isArray(voters) ? voters : []).find((id) => !known.has(String(id)));
  if (stranger !== undefined)
    return `[${String(stranger)}] has a vote and is not in the cluster, although [${attribute}] [${String(value)}] is decommissioned`;
  const zones = new Map(plan.clusters.flatMap((one) => one.nodes.map((n) => [n.name, n.zone])));
  const view = await world.view(node);
  const copy = view?.shards.find((one) => one.node !== undefined && zones.get(one.node) === value);
  if (copy === undefined) return undefined;
  return `a copy of ${copy.index}/${copy.shard} is on ${copy.node}, although [${attribute}] [${String(value)}] is decommissioned`;
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
