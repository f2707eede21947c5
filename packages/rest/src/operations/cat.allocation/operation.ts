/** `cat.allocation`: shard copies and disk usage by node. */
import {
  copiesOn,
  resolveNodes,
  type ClusterState,
  type DiscoveryNode,
} from "@orrery/cluster-state";
import type { NodeStatsFacts } from "@orrery/node";
import { isJsonObject } from "@orrery/stdx";
import { column, sizeCell } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout, splitList } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";
import { numberOf } from "../../stats/recovery.ts";

interface Row {
  readonly shards: number;
  /** The node; `undefined` in the row of unassigned copies. */
  readonly node: DiscoveryNode | undefined;
  readonly indicesBytes: number | undefined;
  readonly disk: NodeStatsFacts["disk"];
}

const query = { ...managerTimeout, local: flag(false) };

const right = { isRight: true };

function used({ disk }: Row): number | undefined {
  return disk === undefined ? undefined : disk.totalBytes - disk.availableBytes;
}

export const catAllocation: Operation = defineCat<typeof query, Row>({
  group: "cat.allocation",
  permission: "cluster:monitor/nodes/stats",
  routes: ["GET /_cat/allocation", "GET /_cat/allocation/{node_id}"],
  query,
  deviations: [],
  columns: [
    column("shards", ({ shards }) => shards, {
      ...right,
      aliases: "s",
      description: "number of shards on node",
    }),
    column("disk.indices", ({ indicesBytes }) => sizeCell(indicesBytes), {
      ...right,
      aliases: "di,diskIndices",
      description: "disk used by OpenSearch indices",
    }),
    column("disk.used", (row) => sizeCell(used(row)), {
      ...right,
      aliases: "du,diskUsed",
      description: "disk used (total, not just OpenSearch)",
    }),
    column("disk.avail", ({ disk }) => sizeCell(disk?.availableBytes), {
      ...right,
      aliases: "da,diskAvail",
      description: "disk available",
    }),
    column("disk.total", ({ disk }) => sizeCell(disk?.totalBytes), {
      ...right,
      aliases: "dt,diskTotal",
      description: "total capacity of all volumes",
    }),
    column("disk.percent", (row) => diskPercent(row), {
      ...right,
      aliases: "dp,diskPercent",
      description: "percent disk used",
    }),
    column("host", ({ node }) => node?.hostName, { aliases: "h", description: "host of node" }),
    column("ip", ({ node }) => node?.hostAddress, { description: "ip of node" }),
    column("node", ({ node }) => node?.name ?? "UNASSIGNED", {
      aliases: "n",
      description: "name of node",
    }),
  ],

  async rows(call, cluster) {
    const given = call.query;
    const state = await readState(cluster, given);
    const wanted = call.path["node_id"] === undefined ? [] : splitList(call.path["node_id"]);
    const ids = resolveNodes(
      state,
      [...wanted, ...(wanted.length === 0 ? ["data:true"] : [])],
      cluster.localNode.id,
    );
    const stats = await cluster.nodesStats(ids, {
      metrics: ["indices", "fs"],
      indexMetrics: ["store"],
      level: "node",
      parameters: {},
    });
    const rows = ids.flatMap((id): Row[] => {
      const node = state.nodes.get(id);
      if (node === undefined || !node.roles.includes("data")) return [];
      const facts = stats.nodes.find(({ nodeId }) => nodeId === id)?.body;
      const shards = copiesOn(state, id).length;
      return [{ shards, node, indicesBytes: storeBytes(facts), disk: facts?.disk }];
    });
    const unassigned = unassignedCopies(state);
    if (unassigned === 0) return rows;
    return [
      ...rows,
      { shards: unassigned, node: undefined, indicesBytes: undefined, disk: undefined },
    ];
  },
});

function diskPercent(row: Row): number | undefined {
  const bytes = used(row);
  const total = row.disk?.totalBytes ?? 0;
  return bytes === undefined || total === 0 ? undefined : Math.floor((bytes / total) * 100);
}

function storeBytes(facts: NodeStatsFacts | undefined): number | undefined {
  return facts?.shards.reduce((sum, { stats }) => {
    const store = stats["store"];
    return sum + (isJsonObject(store) ? numberOf(store["size_in_bytes"]) : 0);
  }, 0);
}

function unassignedCopies(state: ClusterState): number {
  let count = 0;
  for (const { shards } of state.routingTable.values()) {
    for (const copies of shards)
      count += copies.filter(({ nodeId }) => nodeId === undefined).length;
  }
  return count;
}
