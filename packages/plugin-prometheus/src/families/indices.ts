/** Figures of one index: its health in `_cluster/health`, and the counters of its copies in `_stats`. */
import { figure, figures, sampleOf, type Row } from "../family.ts";
import { statusOf } from "./cluster.ts";
import { shardRows } from "./shards.ts";

/** Rows for the body of an index in `_cluster/health?level=indices`. */
export const indexHealthRows: readonly Row[] = [
  { name: "index_status", help: "Index status", read: (body) => sampleOf({}, statusOf(body)) },
  figure("index_replicas_number", "Number of replicas", "number_of_replicas"),
  figures("index_shards_number", "Number of shards", "type", {
    active: "active_shards",
    active_primary: "active_primary_shards",
    initializing: "initializing_shards",
    relocating: "relocating_shards",
    shards: "number_of_shards",
    unassigned: "unassigned_shards",
  }),
];

/** Rows for `total` and `primaries` of an index in `_stats`. */
export const indexStatsRows: readonly Row[] = [
  ...shardRows("index"),
  figure(
    "index_translog_operations_number",
    "Current number of translog operations",
    "translog.operations",
  ),
  figure("index_translog_size_bytes", "Translog size", "translog.size_in_bytes"),
  figure(
    "index_translog_uncommitted_operations_number",
    "Current number of uncommitted translog operations",
    "translog.uncommitted_operations",
  ),
  figure(
    "index_translog_uncommitted_size_bytes",
    "Translog uncommitted size",
    "translog.uncommitted_size_in_bytes",
  ),
];
