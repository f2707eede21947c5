/** Generator of clusters and indices for a plan about an area. */
import type { JsonObject, Random } from "@orrery/stdx";
import { defaultRoles } from "../cluster-shape.ts";
import type { ClusterPlan, IndexPlan, NodePlan } from "../plan.ts";
import type { Area } from "./scene.ts";

export interface Topology {
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
}

const SIZES: readonly number[] = [1, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6];

export function drawTopology(random: Random, area: Area): Topology {
  const clusters = drawClusters(random, area);
  return { clusters, indices: drawIndices(random, clusters) };
}

function drawClusters(random: Random, area: Area): readonly ClusterPlan[] {
  if (area === "leases" && random.int(0, 1) === 1)
    return ["lead", "copy"].map((name) => {
      const nodes = names(`${name}-`, random.int(2, 3)).map((node) => plain(node));
      return { name, nodes, settings: {} };
    });
  if (area === "decommission") return [drawZoned(random)];
  const least = area === "dangling" ? 3 : 1;
  const nodes = names("node-", Math.max(least, random.pick(SIZES)));
  const made =
    random.int(0, 9) < 2 && nodes.length > 2 ? dedicated(random, nodes) : nodes.map(plain);
  const zones = random.int(0, 9) < 3 ? ["a", "b", "c"].slice(0, random.int(2, 3)) : [];
  const settings: Record<string, string> = {};
  if (area === "snapshots") settings["path.repo"] = "/repositories";
  if (area === "dangling") settings["cluster.indices.tombstones.size"] = String(random.int(0, 1));
  if (zones.length > 0 && random.int(0, 1) === 1)
    settings["cluster.routing.allocation.awareness.attributes"] = "zone";
  if (random.int(0, 9) < 3) settings["node.shard_workers"] = "2";
  return [{ name: "main", nodes: made.map((node, i) => inZone(node, zones, i)), settings }];
}

function drawZoned(random: Random): ClusterPlan {
  const nodes = names("node-", random.pick([3, 6, 6])).map(plain);
  return {
    name: "main",
    nodes: nodes.map((node, i) => inZone(node, ["a", "b", "c"], i)),
    settings: {
      "cluster.routing.allocation.awareness.attributes": "zone",
      "cluster.routing.allocation.awareness.force.zone.values": "a,b,c",
      "discovery.find_peers_interval_during_decommission": "1s",
    },
  };
}

function names(start: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${start}${i + 1}`);
}

function plain(name: string): NodePlan {
  return { name, settings: {} };
}

/** Nodes of which some are dedicated cluster-manager-eligible nodes, without data. */
function dedicated(random: Random, nodes: readonly string[]): readonly NodePlan[] {
  const voters = random.pick([1, 3].filter((count) => count < nodes.length));
  return nodes.map((name, i) => ({
    name,
    roles: i < voters ? ["cluster_manager"] : ["data", "ingest", "remote_cluster_client"],
    settings: {},
  }));
}

function inZone(node: NodePlan, zones: readonly string[], i: number): NodePlan {
  const zone = zones[i % Math.max(1, zones.length)];
  const { name, ...rest } = node;
  return zone === undefined ? node : { name, zone, ...rest };
}

/** Number of nodes that may hold copies. */
export function dataNodeCount({ nodes }: ClusterPlan): number {
  return nodes.filter(({ roles = defaultRoles }) => roles.includes("data")).length;
}

/** Number of nodes that may be elected. */
export function voterCount({ nodes }: ClusterPlan): number {
  return nodes.filter(({ roles = defaultRoles }) => roles.includes("cluster_manager")).length;
}

function drawIndices(random: Random, clusters: readonly ClusterPlan[]): readonly IndexPlan[] {
  const [first] = clusters;
  if (first === undefined) return [];
  const most = dataNodeCount(first) - 1;
  return ["books", "films"].slice(0, random.pick([1, 1, 2])).map((name) => ({
    name,
    cluster: first.name,
    shards: random.pick([1, 1, 2, 3]),
    replicas: Math.min(most, random.pick([0, 1, 1, 1, 2, 2])),
    settings: drawSettings(random),
    mappings: {},
    aliases: {},
  }));
}

function drawSettings(random: Random): JsonObject {
  const settings: Record<string, string | number> = {
    "index.unassigned.node_left.delayed_timeout": random.pick([
      "0s",
      "100ms",
      "200ms",
      "1s",
      "60s",
    ]),
  };
  if (random.int(0, 1) === 1) settings["index.allocation.max_retries"] = 1000;
  if (random.int(0, 9) < 3)
    settings["index.translog.flush_threshold_size"] = random.pick(["1kb", "4kb"]);
  if (random.int(0, 9) < 2) settings["index.translog.generation_threshold_size"] = "2kb";
  if (random.int(0, 9) < 2)
    settings["index.refresh_interval"] = random.pick(["-1", "100ms", "30s"]);
  if (random.int(0, 9) < 1) settings["index.translog.durability"] = "async";
  if (random.int(0, 9) < 1) settings["index.soft_deletes.retention_lease.period"] = "1s";
  return settings;
}
