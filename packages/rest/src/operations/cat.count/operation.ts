/** `cat.count`: number of documents. */
import { indicesOptions } from "@orrery/cluster-state";
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { clockTime } from "../../dates.ts";
import type { Operation } from "../../operation.ts";
import { expressionsOf } from "../../state-reading.ts";

interface Row {
  readonly nowMs: number;
  readonly count: number;
}

export const catCount: Operation = defineCat<Record<never, never>, Row>({
  group: "cat.count",
  permission: "indices:data/read/search",
  routes: ["GET /_cat/count", "GET /_cat/count/{index}"],
  query: {},
  deviations: [],
  hasTime: true,
  columns: [
    column("epoch", ({ nowMs }) => Math.floor(nowMs / 1000), {
      aliases: "t,time",
      description: "seconds since 1970-01-01 00:00:00",
    }),
    column("timestamp", ({ nowMs }) => clockTime(nowMs), {
      aliases: "ts,hms,hhmmss",
      description: "time in HH:MM:SS",
    }),
    column("count", ({ count }) => count, {
      aliases: "dc,docs.count,docsCount",
      description: "the document count",
    }),
  ],

  async rows({ path }, cluster) {
    const { count } = await cluster.count({
      indices: expressionsOf(path["index"]),
      indicesOptions: indicesOptions.strictExpandOpenAndForbidClosed,
      body: {},
      routing: undefined,
      preference: undefined,
      searchType: "query_then_fetch",
      allowPartialSearchResults: undefined,
      batchedReduceSize: 512,
      preFilterShardSize: undefined,
      maxConcurrentShardRequests: 5,
      cancelAfterMs: undefined,
    });
    return [{ nowMs: cluster.clock.nowMs(), count }];
  },
});
