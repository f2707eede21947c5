/** The plugin as a row of a product, with the product's names. */
import type { Plugin, PluginNode } from "@orrery/node";
import { actionRows, actions } from "./actions.ts";
import { answerAboutTasks } from "./follower/node-answers.ts";
import { assignTasksOfTerm } from "./follower/assign-tasks.ts";
import { createRunner } from "./follower/runner.ts";
import { traceFollowings } from "./follower/trace-followings.ts";
import { serveFollowers } from "./leader/serve.ts";
import { PLUGIN_NAME } from "./names.ts";
import { keepNode } from "./node-of.ts";
import {
  replicationPause,
  replicationResume,
  replicationStart,
  replicationStatus,
  replicationStop,
  replicationUpdate,
} from "./rest/index-operations.ts";
import { createRule, deleteRule } from "./rest/rule-operations.ts";
import {
  autoFollowStatsOperation,
  followerStatsOperation,
  leaderStatsOperation,
} from "./rest/stats-operations.ts";
import { clusterSettings, indexSettings } from "./settings.ts";
import { shardPlugin } from "./shard/plugin.ts";
import { reducers } from "./state/reducers.ts";
import { RemoteRequest } from "./messages.ts";

/** The plugin cross-cluster replication, for `composeProduct`. */
export const crossClusterReplication: Plugin = {
  name: PLUGIN_NAME,
  description: "OpenSearch Cross Cluster Replication Plugin",
  classname: "org.opensearch.replication.ReplicationPlugin",
  indexSettings,
  clusterSettings,
  reducers,
  operations: [
    replicationStart,
    replicationStop,
    replicationPause,
    replicationResume,
    replicationStatus,
    replicationUpdate,
    leaderStatsOperation,
    followerStatsOperation,
    autoFollowStatsOperation,
    createRule,
    deleteRule,
  ],
  shards: shardPlugin,
  actions: actionRows,
  termServices: [assignTasksOfTerm, traceFollowings],
  start: (node) => {
    keepNode(node);
    serveFollowers(node);
    forwardRemoteRequests(node);
    const runner = createRunner(node);
    answerAboutTasks(node, runner);
    return runner;
  },
};

/** Handles requests of this node's shard workers to other clusters, to which only the node has connections. */
function forwardRemoteRequests({ cluster, transport }: PluginNode): void {
  transport.handle(actions.remote, (request, { cancellation }) => {
    const { alias, action, payload, timeoutMs } = RemoteRequest.decode(request);
    return cluster.remotes.request(alias, action, payload, { timeoutMs, cancellation });
  });
}
