/** `cat.segment_replication`: replication lag of replicas in indices with segment replication. */
import { indexSetting, indicesOptions, withParameters } from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { column, sizeCell, timeCell } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import type { Operation } from "../../operation.ts";
import {
  flag,
  indexTargets,
  list,
  numberFormatProblem,
  onDemand,
  parseInt32,
} from "../../parameters.ts";
import { expressionsOf, targetsOf } from "../../state-reading.ts";
import { refusedParameter } from "../../templates/parameters.ts";

interface Row {
  readonly index: string;
  readonly shard: number;
  readonly node: string;
  readonly host: string;
}

const query = {
  ...indexTargets,
  ignore_throttled: onDemand(flag()),
  active_only: flag(false),
  detailed: flag(false),
  index: onDemand(list()),
  shards: onDemand(list([])),
};

export const catSegmentReplication: Operation = defineCat<typeof query, Row>({
  group: "cat.segment_replication",
  permission: "indices:monitor/segment_replication",
  routes: ["GET /_cat/segment_replication", "GET /_cat/segment_replication/{index}"],
  query,
  deviations: [
    refusedParameter("completed_only"),
    {
      kind: "behaviour",
      name: "lag",
      reason:
        "documents are replicated whatever the value of index.replication.type, so no replica ever lags by a segment checkpoint",
    },
  ],
  columns: [
    column("shardId", ({ index, shard }) => `[${index}][${shard}]`, {
      aliases: "s",
      description: " shard Id",
    }),
    column("target_node", ({ node }) => node, {
      aliases: "tnode",
      description: "target node name",
    }),
    column("target_host", ({ host }) => host, { aliases: "thost", description: "target host" }),
    column("checkpoints_behind", () => 0, {
      aliases: "cpb",
      description: "checkpoints behind primary",
    }),
    column("bytes_behind", () => sizeCell(0), {
      aliases: "bb",
      description: "bytes behind primary",
    }),
    column("current_lag", () => timeCell(0), {
      aliases: "clag",
      description: "ongoing time elapsed waiting for replica to catch up to primary",
    }),
    column("last_completed_lag", () => timeCell(0), {
      aliases: "lcl",
      description: "time taken for replica to catch up to latest primary refresh",
    }),
    column("rejected_requests", () => 0, {
      aliases: "rr",
      description: "count of rejected requests for the replication group",
    }),
  ],

  rows({ path, query: given }, cluster) {
    const shards = given.shards.map(shardNumber);
    const state = cluster.state();
    const options = withParameters(indicesOptions.strictExpandOpenAndForbidClosed, given);
    const expressions = given.index ?? expressionsOf(path["index"]);
    const nowMs = cluster.clock.nowMs();
    const targets = targetsOf(state, expressions, options, { query: {}, nowMs });
    return targets
      .filter(({ metadata }) => indexSetting(metadata, "index.replication.type") === "SEGMENT")
      .flatMap(({ name: index }) => state.routingTable.get(index)?.shards.flat() ?? [])
      .filter(({ primary, state: copy }) => !primary && copy !== "UNASSIGNED")
      .filter(({ shard }) => shards.length === 0 || shards.includes(shard))
      .flatMap(({ index, shard, nodeId }) => {
        const node = nodeId === undefined ? undefined : state.nodes.get(nodeId);
        if (node === undefined) return [];
        return [{ index, shard, node: node.name, host: node.hostAddress }];
      });
  },
});

function shardNumber(given: string): number {
  const value = parseInt32(given);
  if (value === undefined) throw new OperationError(numberFormatProblem(given));
  return value;
}
