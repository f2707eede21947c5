/** `cat.health`: the cluster's health in one line. */
import { greatest } from "@orrery/stdx";
import { clusterHealth, type ClusterHealth } from "@orrery/cluster-state";
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { clockTime } from "../../dates.ts";
import type { Operation } from "../../operation.ts";

interface Row {
  readonly nowMs: number;
  readonly cluster: string;
  readonly hasManager: boolean;
  readonly health: ClusterHealth;
  readonly pendingTasks: number;
  readonly longestWaitMs: number;
}

const right = { isRight: true };

export const catHealth: Operation = defineCat<Record<never, never>, Row>({
  group: "cat.health",
  permission: "cluster:monitor/health",
  routes: ["GET /_cat/health"],
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
    column("cluster", ({ cluster }) => cluster, { aliases: "cl", description: "cluster name" }),
    column("status", ({ health }) => health.status, {
      aliases: "st",
      description: "health status",
    }),
    column("node.total", ({ health }) => health.numberOfNodes, {
      ...right,
      aliases: "nt,nodeTotal",
      description: "total number of nodes",
    }),
    column("node.data", ({ health }) => health.numberOfDataNodes, {
      ...right,
      aliases: "nd,nodeData",
      description: "number of nodes that can store data",
    }),
    column("discovered_cluster_manager", ({ hasManager }) => hasManager, {
      ...right,
      aliases: "dcm,dm,discovered_master",
      description: "cluster manager is discovered or not",
    }),
    column("shards", ({ health }) => health.activeShards, {
      ...right,
      aliases: "t,sh,shards.total,shardsTotal",
      description: "total number of shards",
    }),
    column("pri", ({ health }) => health.activePrimaryShards, {
      ...right,
      aliases: "p,shards.primary,shardsPrimary",
      description: "number of primary shards",
    }),
    column("relo", ({ health }) => health.relocatingShards, {
      ...right,
      aliases: "r,shards.relocating,shardsRelocating",
      description: "number of relocating nodes",
    }),
    column("init", ({ health }) => health.initializingShards, {
      ...right,
      aliases: "i,shards.initializing,shardsInitializing",
      description: "number of initializing nodes",
    }),
    column("unassign", ({ health }) => health.unassignedShards, {
      ...right,
      aliases: "u,shards.unassigned,shardsUnassigned",
      description: "number of unassigned shards",
    }),
    column("pending_tasks", ({ pendingTasks }) => pendingTasks, {
      ...right,
      aliases: "pt,pendingTasks",
      description: "number of pending tasks",
    }),
    column(
      "max_task_wait_time",
      ({ longestWaitMs }) => (longestWaitMs === 0 ? "-" : { ms: longestWaitMs }),
      {
        ...right,
        aliases: "mtwt,maxTaskWaitTime",
        description: "wait time of longest task pending",
      },
    ),
    column("active_shards_percent", ({ health }) => `${health.activeShardsPercent.toFixed(1)}%`, {
      ...right,
      aliases: "asp,activeShardsPercent",
      description: "active number of shards in percent",
    }),
  ],

  async rows(_call, cluster) {
    const state = await cluster.managerState(30_000);
    const tasks = await cluster.pendingTasks(30_000);
    return [
      {
        nowMs: cluster.clock.nowMs(),
        cluster: state.clusterName,
        hasManager: state.managerNodeId !== undefined,
        health: clusterHealth(state),
        pendingTasks: tasks.length,
        longestWaitMs: Math.max(0, greatest(tasks.map((task) => Math.floor(task.timeInQueueMs)))),
      },
    ];
  },
});
