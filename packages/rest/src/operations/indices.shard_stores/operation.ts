/** `indices.shard_stores`: shard data on nodes' disks, by default of shards with unassigned copies. */
import {
  clusterHealth,
  copiesOf,
  indicesOptions,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { ShardStoresOfNodes } from "@orrery/node";
import { compareText, illegalArgument, setKey } from "@orrery/stdx";
import { nodeJson } from "../../cluster-state-json.ts";
import { problemBody } from "../../errors.ts";
import type { Printable, PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { indexTargets, names } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";

const STATUSES = ["green", "yellow", "red"];

export const indicesShardStores: Operation = defineOperation({
  group: "indices.shard_stores",
  permission: "indices:monitor/shard_stores",
  routes: ["GET /_shard_stores", "GET /{index}/_shard_stores"],
  query: { ...indexTargets, status: names(["yellow", "red"]) },
  deviations: [],

  async handle({ path, query }, cluster) {
    const wanted = wantedStatuses(query.status);
    const state = await readState(cluster, noTimeouts);
    const targets = targetsOf(state, expressionsOf(path["index"]), indicesOptions.strictExpand, {
      query,
      nowMs: cluster.clock.nowMs(),
    });
    const indices: Record<string, PrintableObject> = {};
    const failures: Printable[] = [];
    for (const { name, uuid } of targets) {
      const health = clusterHealth(state, [name]).indices.get(name)?.shards ?? [];
      const shards: Record<string, Printable> = {};
      for (const { shard } of health.filter(({ status }) => wanted.has(status))) {
        const found = await cluster.shardStores({ index: name, uuid, shard });
        setKey(shards, String(shard), {
          stores: storesJson(state, copiesOf(state, name, shard), found),
        });
        for (const failure of found.failures) failures.push(failureJson(failure, name, shard));
      }
      if (Object.keys(shards).length > 0) setKey(indices, name, { shards });
    }
    return { body: { indices, failures: failures.length === 0 ? undefined : failures } };
  },
});

const noTimeouts = { cluster_manager_timeout: undefined, master_timeout: undefined };

/** Statuses of the request; those after `all` are ignored, as in the product. */
function wantedStatuses(given: readonly string[]): ReadonlySet<string> {
  const wanted = new Set<string>();
  for (const name of given) {
    const status = name.toLowerCase();
    if (status === "all") return new Set(STATUSES);
    if (!STATUSES.includes(status))
      throw illegalArgument(`unknown cluster health status [${name}]`);
    wanted.add(status);
  }
  return wanted;
}

type Store = ShardStoresOfNodes["stores"][number];
const ALLOCATIONS = ["primary", "replica", "unused"] as const;

/** Stores of one shard: readable ones first, then by allocation (primary, replica, unused). */
function storesJson(
  state: ClusterState,
  copies: readonly ShardRouting[],
  { stores }: ShardStoresOfNodes,
): Printable {
  const rank = (store: Store): number =>
    (store.storeException === "" ? 0 : ALLOCATIONS.length) +
    ALLOCATIONS.indexOf(useOf(copies, store));
  const sorted = stores.toSorted(
    (a, b) => rank(a) - rank(b) || compareText(a.allocationId, b.allocationId),
  );
  return sorted.flatMap((store): PrintableObject[] => {
    const node = state.nodes.get(store.nodeId);
    if (node === undefined) return [];
    return [
      {
        [node.id]: nodeJson(node),
        allocation_id: store.allocationId === "" ? undefined : store.allocationId,
        allocation: useOf(copies, store),
        store_exception: exceptionJson(store.storeException),
      },
    ];
  });
}

function useOf(copies: readonly ShardRouting[], { nodeId }: Store): (typeof ALLOCATIONS)[number] {
  const copy = copies.find((one) => one.nodeId === nodeId);
  if (copy === undefined) return "unused";
  return copy.primary ? "primary" : "replica";
}

function exceptionJson(text: string): PrintableObject | undefined {
  if (text === "") return undefined;
  const [type = "", ...reason] = text.split(": ");
  return { type, reason: reason.join(": ") };
}

function failureJson(
  { nodeId, problem }: ShardStoresOfNodes["failures"][number],
  index: string,
  shard: number,
): Printable {
  const reason = problemBody(problem, { isDetailed: false });
  return { node: nodeId, shard, index, status: problem.status, reason };
}
