/** `cluster.health`: health by status and counts of shard copies, optionally after a wait. */
import {
  clusterHealth,
  indicesOptions,
  isDecommissioned,
  isWeighedAway,
  resolveIndices,
  withParameters,
  type ClusterHealth,
  type ClusterState,
  type IndexHealth,
} from "@orrery/cluster-state";
import type { Cluster, PendingTask, TaskPriority } from "@orrery/node";
import { formatDuration, greatest, OperationError } from "@orrery/stdx";
import { awarenessHealth } from "../../awareness.ts";
import { javaDouble, type PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import {
  activeShards,
  duration,
  enumerated,
  flag,
  indexTargets,
  managerTimeout,
  managerTimeoutMs,
  onDemand,
  text,
} from "../../parameters.ts";
import { expressionsOf } from "../../state-reading.ts";
import { validationFailed } from "../../validation.ts";
import { isReached, parseNodeCount, STATUSES, type WaitConditions } from "./wait.ts";

const PRIORITIES = ["IMMEDIATE", "URGENT", "HIGH", "NORMAL", "LOW", "LANGUID"] as const;

export const clusterHealthOperation: Operation = defineOperation({
  group: "cluster.health",
  permission: "cluster:monitor/health",
  routes: ["GET /_cluster/health", "GET /_cluster/health/{index}"],
  query: {
    ...managerTimeout,
    expand_wildcards: indexTargets.expand_wildcards,
    local: flag(false),
    level: text("cluster"),
    timeout: duration("30s"),
    wait_for_status: enumerated(STATUSES, "org.opensearch.cluster.health.ClusterHealthStatus"),
    wait_for_nodes: text(),
    wait_for_active_shards: activeShards(),
    wait_for_events: enumerated(PRIORITIES, "org.opensearch.common.Priority"),
    wait_for_no_relocating_shards: flag(false),
    wait_for_no_initializing_shards: flag(false),
    awareness_attribute: text(),
    ensure_node_weighed_in: onDemand(flag(false)),
  },
  deviations: [
    {
      kind: "parameter",
      name: "ensure_node_weighed_in",
      reason: "not in the description; the product takes it together with local=true",
    },
  ],

  async handle({ path, query, request }, cluster) {
    const expressions = expressionsOf(path["index"]);
    const nodes =
      query.wait_for_nodes === undefined ? undefined : parseNodeCount(query.wait_for_nodes);
    if (query.awareness_attribute !== undefined && query.level !== "awareness_attributes") {
      throw validationFailed([
        "level=awareness_attributes is required with awareness_attribute parameter",
      ]);
    }
    if (query.level === "awareness_attributes" && expressions.length > 0) {
      throw validationFailed([
        "awareness_attribute is not a supported parameter with index health",
      ]);
    }
    if (query.ensure_node_weighed_in && !query.local) {
      throw validationFailed([
        "not a local request to ensure local node commissioned or weighed in",
      ]);
    }
    if (query.ensure_node_weighed_in) refuseUnlessWeighedIn(cluster);
    const deadlineMs = cluster.clock.monotonicMs() + query.timeout;
    const conditions: WaitConditions = {
      expressions,
      status: query.wait_for_status,
      nodes,
      activeShards: query.wait_for_active_shards,
      noRelocatingShards: query.wait_for_no_relocating_shards,
      noInitializingShards: query.wait_for_no_initializing_shards,
      nowMs: cluster.clock.nowMs(),
    };
    const options = withParameters(indicesOptions.lenientExpandHidden, query);
    const namesIn = (state: ClusterState): readonly string[] | undefined =>
      expressions.length === 0 && query.expand_wildcards === undefined
        ? undefined
        : resolveIndices(state, expressions, options, conditions.nowMs).map(({ name }) => name);
    const reached = (state: ClusterState): boolean => isReached(state, namesIn(state), conditions);

    let state = query.local ? cluster.state() : await cluster.managerState(managerTimeoutMs(query));
    let isTimedOut = false;
    if (query.wait_for_events !== undefined) {
      isTimedOut = !(await waitForTasks(cluster, query.wait_for_events, deadlineMs));
    }
    if (!reached(state)) {
      const waited = await cluster.stateWhen(
        reached,
        Math.max(0, deadlineMs - cluster.clock.monotonicMs()),
      );
      ({ state } = waited);
      isTimedOut ||= waited.timedOut;
    }
    const pending =
      query.local && state.managerNodeId === undefined ? [] : await pendingTasks(cluster);
    const health = clusterHealth(state, namesIn(state));
    const isMissing = expressions.length > 0 && isTimedOut && areMissing(state, conditions);
    const status = isMissing ? "red" : health.status;
    return {
      status: isTimedOut ? 408 : 200,
      body: {
        ...summary(state, { ...health, status }, { isTimedOut, pending, isHuman: request.isHuman }),
        ...details(cluster.withOwnSettings(state), health, {
          level: query.level,
          attribute: query.awareness_attribute,
        }),
      },
    };
  },
});

/** `ensure_node_weighed_in`, for load balancers: fails on a node whose zone has weight 0. */
function refuseUnlessWeighedIn(cluster: Cluster): void {
  const { localNode } = cluster;
  const state = cluster.state();
  if (isDecommissioned(state, localNode)) {
    const reason = "local node is decommissioned";
    throw new OperationError({ type: "node_decommissioned_exception", reason, status: 424 });
  }
  if (isWeighedAway(state, localNode)) {
    const reason = "local node is weighed away";
    throw new OperationError({ type: "node_weighed_away_exception", reason, status: 421 });
  }
}

function areMissing(state: ClusterState, conditions: WaitConditions): boolean {
  const onlyThere: WaitConditions = {
    ...conditions,
    status: undefined,
    nodes: undefined,
    activeShards: undefined,
    noRelocatingShards: false,
    noInitializingShards: false,
  };
  return !isReached(state, undefined, onlyThere);
}

async function pendingTasks(cluster: Cluster): Promise<readonly PendingTask[]> {
  try {
    return await cluster.pendingTasks(30_000);
  } catch (error) {
    // Without an elected cluster manager there is no task queue; another member of the response says so.
    if (error instanceof OperationError) return [];
    throw error;
  }
}

/** Waits until no task of this priority or a higher one is queued; false after the timeout. */
async function waitForTasks(
  cluster: Cluster,
  priority: TaskPriority,
  deadlineMs: number,
): Promise<boolean> {
  const lowest = PRIORITIES.indexOf(priority);
  for (;;) {
    const tasks = await pendingTasks(cluster);
    if (tasks.every((task) => PRIORITIES.indexOf(task.priority) > lowest)) return true;
    if (cluster.clock.monotonicMs() >= deadlineMs) return false;
    await new Promise<void>((resolve) => {
      cluster.clock.setTimer(20, resolve);
    });
  }
}

function summary(
  state: ClusterState,
  health: ClusterHealth,
  wait: {
    readonly isTimedOut: boolean;
    readonly pending: readonly PendingTask[];
    readonly isHuman: boolean;
  },
): PrintableObject {
  const hasManager = state.managerNodeId !== undefined;
  const longestWaitMs = Math.max(
    0,
    greatest(wait.pending.map((task) => Math.floor(task.timeInQueueMs))),
  );
  return {
    cluster_name: state.clusterName,
    status: health.status,
    timed_out: wait.isTimedOut,
    number_of_nodes: health.numberOfNodes,
    number_of_data_nodes: health.numberOfDataNodes,
    discovered_master: hasManager,
    discovered_cluster_manager: hasManager,
    active_primary_shards: health.activePrimaryShards,
    active_shards: health.activeShards,
    relocating_shards: health.relocatingShards,
    initializing_shards: health.initializingShards,
    unassigned_shards: health.unassignedShards,
    delayed_unassigned_shards: health.delayedUnassignedShards,
    number_of_pending_tasks: wait.pending.length,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue: wait.isHuman ? formatDuration(longestWaitMs) : undefined,
    task_max_waiting_in_queue_millis: longestWaitMs,
    active_shards_percent: wait.isHuman ? `${health.activeShardsPercent.toFixed(1)}%` : undefined,
    active_shards_percent_as_number: javaDouble(health.activeShardsPercent),
  };
}

function details(
  state: ClusterState,
  health: ClusterHealth,
  { level, attribute }: { readonly level: string; readonly attribute: string | undefined },
): PrintableObject {
  if (level === "awareness_attributes")
    return { awareness_attributes: awarenessHealth(state, attribute) };
  if (level !== "indices" && level !== "shards") return {};
  const indices = [...health.indices].map(
    ([name, index]) => [name, indexHealth(index, level === "shards")] as const,
  );
  return { indices: Object.fromEntries(indices) };
}

function indexHealth(index: IndexHealth, isWithShards: boolean): PrintableObject {
  const shards = index.shards.map((shard) => [
    String(shard.shard),
    {
      status: shard.status,
      primary_active: shard.isPrimaryActive,
      active_shards: shard.activeShards,
      relocating_shards: shard.relocatingShards,
      initializing_shards: shard.initializingShards,
      unassigned_shards: shard.unassignedShards,
    },
  ]);
  return {
    status: index.status,
    number_of_shards: index.numberOfShards,
    number_of_replicas: index.numberOfReplicas,
    active_primary_shards: index.activePrimaryShards,
    active_shards: index.activeShards,
    relocating_shards: index.relocatingShards,
    initializing_shards: index.initializingShards,
    unassigned_shards: index.unassignedShards,
    shards: isWithShards ? Object.fromEntries(shards) : undefined,
  };
}
