/** Figures of the cluster, out of the body of `_cluster/health`. */
import { at, figure, figures, sampleOf, seconds, type Row } from "../family.ts";
import type { JsonObject } from "@orrery/stdx";

/** Numbers of the product's `ClusterHealthStatus`. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ["green", 0],
  ["yellow", 1],
  ["red", 2],
]);

/** The status of a cluster or of an index as a number. */
export function statusOf(body: JsonObject): number | undefined {
  return STATUSES.get(at(body, "status"));
}

export const clusterRows: readonly Row[] = [
  {
    name: "cluster_status",
    help: "Cluster status",
    read: (body) => sampleOf({}, statusOf(body)),
  },
  figure("cluster_nodes_number", "Number of nodes in the cluster", "number_of_nodes"),
  figure("cluster_datanodes_number", "Number of data nodes in the cluster", "number_of_data_nodes"),
  figure(
    "cluster_shards_active_percent",
    "Percent of active shards",
    "active_shards_percent_as_number",
  ),
  figures("cluster_shards_number", "Number of shards", "type", {
    active: "active_shards",
    active_primary: "active_primary_shards",
    delayed_unassigned: "delayed_unassigned_shards",
    initializing: "initializing_shards",
    relocating: "relocating_shards",
    unassigned: "unassigned_shards",
  }),
  figure("cluster_pending_tasks_number", "Number of pending tasks", "number_of_pending_tasks"),
  seconds(
    "cluster_task_max_waiting_time_seconds",
    "Max waiting time for tasks",
    "task_max_waiting_in_queue_millis",
  ),
  figure("cluster_is_timedout_bool", "Is the cluster timed out ?", "timed_out"),
];
