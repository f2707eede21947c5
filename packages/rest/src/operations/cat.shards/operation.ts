/** `cat.shards`: every shard copy with its node, state and size. */
import {
  indicesOptions,
  relocationTarget,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import { isJsonObject, lookup, type JsonObject } from "@orrery/stdx";
import { column, sizeCell, timeCell, type Column } from "../../cat/column.ts";
import { answerOf, copyStats, counter, statsOf } from "../../cat/copy-stats.ts";
import { defineCat } from "../../cat/operation.ts";
import { statsColumns } from "../../cat/stats-columns.ts";
import { isoDate } from "../../dates.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { nodeById } from "../../nodes/identity.ts";
import type { Operation } from "../../operation.ts";
import { duration, flag, managerTimeout, onDemand } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";

interface Row {
  readonly copy: ShardRouting;
  readonly state: ClusterState;
  readonly nowMs: number;
  readonly stats: PrintableObject | undefined;
  readonly body: JsonObject | undefined;
}

const query = {
  ...managerTimeout,
  local: onDemand(flag(false)),
  cancel_after_time_interval: onDemand(duration()),
};

const hidden = { isRight: true, isDefault: false };

function seqNo(name: string, key: string, alias: string, words: string): Column<Row> {
  const cell = ({ body }: Row): number | undefined => {
    const part = body?.["seq_no"];
    const value = isJsonObject(part) ? lookup(part, key) : undefined;
    return typeof value === "number" ? value : undefined;
  };
  return column(name, cell, { ...hidden, aliases: alias, description: words });
}

function path(name: string, key: string, alias: string, words: string): Column<Row> {
  const cell = ({ body }: Row): string | undefined => {
    const part = body?.["shard_path"];
    const value = isJsonObject(part) ? lookup(part, key) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  return column(name, cell, { ...hidden, aliases: alias, description: words });
}

/** Shard states in their sort order. */
const STATES = ["UNASSIGNED", "INITIALIZING", "STARTED", "RELOCATING"];

export const catShards: Operation = defineCat<typeof query, Row>({
  group: "cat.shards",
  permission: "cluster:monitor/shards",
  routes: ["GET /_cat/shards", "GET /_cat/shards/{index}"],
  query,
  deviations: [
    {
      kind: "parameter",
      name: "cancel_after_time_interval",
      reason: "accepted without effect: the response never takes long enough to be cancelled",
    },
  ],
  columns: [
    column("index", ({ copy }) => copy.index, { aliases: "i,idx", description: "index name" }),
    column("shard", ({ copy }) => copy.shard, { aliases: "s,sh", description: "shard name" }),
    column("prirep", ({ copy }) => (copy.primary ? "p" : "r"), {
      aliases: "p,pr,primaryOrReplica",
      description: "primary or replica",
    }),
    column("state", ({ copy }) => ({ text: copy.state, rank: STATES.indexOf(copy.state) }), {
      aliases: "st",
      description: "shard state",
    }),
    column("docs", ({ stats }) => counter(stats, "docs", "count"), {
      aliases: "d,dc",
      description: "number of docs in shard",
      isRight: true,
    }),
    column("store", ({ stats }) => sizeCell(counter(stats, "store", "size_in_bytes")), {
      aliases: "sto",
      description: "store size of shard (how much disk it uses)",
      isRight: true,
    }),
    column("ip", (row) => nodeOf(row)?.hostAddress, { description: "ip of node where it lives" }),
    column("id", ({ copy }) => copy.nodeId, {
      description: "unique id of node where it lives",
      isDefault: false,
    }),
    column("node", (row) => nodeText(row), {
      aliases: "n",
      description: "name of node where it lives",
    }),
    column("sync_id", () => undefined, {
      aliases: "sync_id",
      description: "sync id",
      isDefault: false,
    }),
    column("unassigned.reason", ({ copy }) => copy.unassignedInfo?.reason, {
      aliases: "ur",
      description: "reason shard is unassigned",
      isDefault: false,
    }),
    column(
      "unassigned.at",
      ({ copy }) => copy.unassignedInfo && isoDate(copy.unassignedInfo.atMs),
      {
        aliases: "ua",
        description: "time shard became unassigned (UTC)",
        isDefault: false,
      },
    ),
    column(
      "unassigned.for",
      ({ copy, nowMs }) =>
        timeCell(copy.unassignedInfo && Math.max(0, nowMs - copy.unassignedInfo.atMs)),
      { ...hidden, aliases: "uf", description: "time has been unassigned" },
    ),
    column("unassigned.details", ({ copy }) => copy.unassignedInfo?.details, {
      aliases: "ud",
      description: "additional details as to why the shard became unassigned",
      isDefault: false,
    }),
    column("recoverysource.type", ({ copy }) => copy.recoverySource?.type.toLowerCase(), {
      aliases: "rs",
      description: "recovery source type",
      isDefault: false,
    }),
    ...statsColumns<Row>({
      names: [
        "completion.",
        "fielddata.",
        "query_cache.memory_size",
        "query_cache.evictions",
        "flush.",
        "get.",
        "indexing.",
        "merges.",
        "refresh.",
        "search.fetch_current",
        "search.fetch_time",
        "search.fetch_total",
        "search.open_contexts",
        "search.query_current",
        "search.query_time",
        "search.query_total",
        "search.query_failed",
        "search.concurrent_query_current",
        "search.concurrent_query_time",
        "search.concurrent_query_total",
        "search.concurrent_avg_slice_count",
        "search.startree_query_current",
        "search.startree_query_time",
        "search.startree_query_total",
        "search.startree_query_failed",
        "search.scroll_current",
        "search.scroll_time",
        "search.scroll_total",
        "search.point_in_time_current",
        "search.point_in_time_time",
        "search.point_in_time_total",
        "search.search_idle_reactivate_count_total",
        "segments.",
      ],
      overrides: {
        "search.startree_query_failed": { description: "failed star tree query ops" },
        "search.point_in_time_current": { aliases: "spc,searchPointInTimeCurrent" },
        "search.point_in_time_time": { aliases: "spti,searchPointInTimeTime" },
        "search.point_in_time_total": { aliases: "spto,searchPointInTimeTotal" },
      },
      stats: ({ stats }) => stats,
    }),
    seqNo("seq_no.max", "max_seq_no", "sqm,maxSeqNo", "max sequence number"),
    seqNo("seq_no.local_checkpoint", "local_checkpoint", "sql,localCheckpoint", "local checkpoint"),
    seqNo(
      "seq_no.global_checkpoint",
      "global_checkpoint",
      "sqg,globalCheckpoint",
      "global checkpoint",
    ),
    ...statsColumns<Row>({ names: ["warmer."], stats: ({ stats }) => stats }),
    path("path.data", "data_path", "pd,dataPath", "shard data path"),
    path("path.state", "state_path", "ps,statsPath", "shard state path"),
    column("docs.deleted", ({ stats }) => counter(stats, "docs", "deleted"), {
      ...hidden,
      aliases: "dd,docsDeleted",
      description: "number of deleted docs in shard",
    }),
  ],

  async rows(call, cluster) {
    const given = call.query;
    if (call.request.has("local")) {
      call.request.warn(
        "Deprecated parameter [local] used. This parameter does not cause this API to act locally, and should not be used. It will be unsupported in version 8.0.",
      );
    }
    const state = await readState(cluster, { ...given, local: false });
    const nowMs = cluster.clock.nowMs();
    const expressions = expressionsOf(call.path["index"]);
    const options =
      expressions.length === 0
        ? indicesOptions.strictExpandHidden
        : indicesOptions.strictExpandOpen;
    const names = targetsOf(state, expressions, options, { query: {}, nowMs }).map(
      ({ name }) => name,
    );
    const answers = await copyStats(cluster, state, names);
    const copies = names
      .flatMap((name) => state.routingTable.get(name)?.shards.flat() ?? [])
      .flatMap(withTarget);
    return copies.map((copy): Row => {
      const answer = answerOf(answers, copy);
      return {
        copy,
        state,
        nowMs,
        stats: statsOf(answer === undefined ? [] : [answer]),
        body: answer?.body,
      };
    });
  },
});

function withTarget(copy: ShardRouting): ShardRouting[] {
  const target = relocationTarget(copy);
  return target === undefined ? [copy] : [copy, target];
}

function nodeOf({ copy, state }: Row): ReturnType<typeof nodeById> {
  return copy.nodeId === undefined ? undefined : nodeById(state, copy.nodeId);
}

/** Node name; a relocating copy shows its target as well. */
function nodeText(row: Row): string | undefined {
  const name = nodeOf(row)?.name;
  const { copy, state } = row;
  if (copy.state !== "RELOCATING" || copy.relocatingNodeId === undefined) return name;
  const target = nodeById(state, copy.relocatingNodeId);
  return `${name ?? ""} -> ${target?.hostAddress ?? ""} ${copy.relocatingNodeId} ${target?.name ?? ""}`;
}
