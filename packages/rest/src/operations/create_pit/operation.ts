/** `create_pit`: opens a point in time. */
import { indicesOptions, withParameters } from "@orrery/cluster-state";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets, onDemand, parseTime, text, type Parameter } from "../../parameters.ts";
import { expressionsOf } from "../../state-reading.ts";
import { validate } from "../../validation.ts";

/** An empty keep-alive is an error here, though not elsewhere. */
const keepAlive: Parameter<number | undefined> = {
  isSuggested: true,
  parse: (given, name) => (given === undefined ? undefined : parseTime(given, name)),
};

export const createPit: Operation = defineOperation({
  group: "create_pit",
  permission: "indices:data/read/point_in_time/create",
  routes: ["POST /{index}/_search/point_in_time"],
  query: {
    ...indexTargets,
    allow_partial_pit_creation: flag(true),
    ignore_throttled: onDemand(flag()),
    keep_alive: keepAlive,
    preference: text(),
    routing: text(),
  },
  body: "ignored",
  deviations: [
    {
      kind: "behaviour",
      name: "search.max_open_pit_context",
      reason:
        "the limit holds for each shard worker, as the limit of scrolls does; a node has one shard worker unless node.shard_workers is greater",
    },
  ],

  async handle({ path, query }, cluster) {
    const keepAliveMs = query.keep_alive;
    validate([keepAliveMs === undefined && "keep alive not specified"]);
    const { pitId, shards, createdMs } = await cluster.createPointInTime({
      indices: expressionsOf(path["index"]),
      indicesOptions: withParameters(indicesOptions.strictExpandOpenAndForbidClosed, query),
      keepAliveMs: keepAliveMs ?? 0,
      routing: query.routing,
      preference: query.preference,
      allowPartial: query.allow_partial_pit_creation,
    });
    return {
      body: { pit_id: pitId, _shards: shards as PrintableObject, creation_time: createdMs },
    };
  },
});
