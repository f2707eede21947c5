/** What clients ask for, on any node of the follower cluster: start, stop, pause, resume, update, and the rules. */
import {
  checkBlock,
  flattenSettings,
  validateIndexSettings,
  type SettingsChange,
} from "@orrery/cluster-state";
import type { PluginNode, SubmitOptions } from "@orrery/node";
import { fail, formatDuration, OperationError, type JsonObject } from "@orrery/stdx";
import { illegalState, notInProgress, problemIn, replicationProblem } from "../problems.ts";
import { followerBlock, replicationTask, resumeProblem } from "../state/reducers.ts";
import {
  followingOf,
  type AutoFollowRule,
  type Following,
  type IndexTaskState,
} from "../state/section.ts";
import { hasLease, askLease, leaderIndexOf } from "./leader-client.ts";
import { differentHistory } from "./leader-history.ts";
import { startFollowing, type StartRequest } from "./start.ts";
import { stopFollowing } from "./stop.ts";

export interface Acknowledged {
  readonly acknowledged: boolean;
}

export interface ChangeOptions {
  readonly submit: SubmitOptions;
  readonly timeoutMs: number;
}

const restoring: readonly IndexTaskState[] = [
  "RESTORING",
  "INIT_FOLLOW",
  "FOLLOWING",
  "MONITORING",
];
const following: readonly IndexTaskState[] = ["MONITORING"];

export async function start(
  node: PluginNode,
  request: StartRequest & { readonly waitForRestore: boolean },
  options: ChangeOptions,
): Promise<Acknowledged> {
  const { waitForRestore, ...wanted } = request;
  refuseBlocked(node);
  await startFollowing(node.cluster, wanted, options.submit);
  return reach(node, wanted.follower, waitForRestore ? following : restoring, options.timeoutMs);
}

/** As the product does, waits for the task of the index to be that far. */
async function reach(
  { cluster }: PluginNode,
  follower: string,
  wanted: readonly IndexTaskState[],
  timeoutMs: number,
): Promise<Acknowledged> {
  const { state, timedOut } = await cluster.stateWhen((next) => {
    const one = followingOf(next, follower);
    return one?.state !== "RUNNING" || wanted.includes(one.task);
  }, timeoutMs);
  if (timedOut) {
    throw illegalState(
      `Timed out when waiting for persistent task after ${formatDuration(timeoutMs)}`,
    );
  }
  const now = followingOf(state, follower);
  if (now?.state === "FAILED") throw replicationProblem(now.reason);
  return { acknowledged: true };
}

/** The cluster's metadata may be read-only; the index's own blocks are what stops and pauses are for. */
function refuseBlocked({ cluster }: PluginNode, index?: string): void {
  const problem = checkBlock(cluster.state(), "metadata_write", index);
  if (problem !== undefined) fail(problem);
}

export async function stop(node: PluginNode, follower: string): Promise<Acknowledged> {
  refuseBlocked(node);
  const state = node.cluster.state();
  const isBlocked = state.blocks.indices.get(follower)?.some(({ id }) => id === followerBlock.id);
  if (followingOf(state, follower) === undefined && isBlocked !== true)
    throw notInProgress(follower);
  return stopFollowing(node, follower);
}

export async function pause(
  node: PluginNode,
  { follower, reason }: Pick<Following, "follower" | "reason">,
  { submit }: ChangeOptions,
): Promise<Acknowledged> {
  const { cluster } = node;
  refuseBlocked(node);
  return cluster.submit(replicationTask("replication/pause", { follower, reason }), submit);
}

export async function resume(
  node: PluginNode,
  { follower, isForced }: { readonly follower: string; readonly isForced: boolean },
  options: ChangeOptions,
): Promise<Acknowledged> {
  const { cluster } = node;
  refuseBlocked(node);
  const one = known(cluster.state(), follower);
  const problem = resumeProblem(one);
  if (problem !== undefined) fail(problem);
  const retained = await whatIsRetained(node, one);
  if (retained === "all") {
    await cluster.submit(replicationTask("replication/resume", { follower }), options.submit);
    return reach(node, follower, following, options.timeoutMs);
  }
  if (isForced) return startOver(node, one, options);
  if (retained !== "no lease") throw hasOtherHistory(follower, retained);
  const reason = `Retention lease doesn't exist. Replication can't be resumed for ${follower}. Use force_resume=true to restore from snapshot.`;
  throw new OperationError({ type: "resource_not_found_exception", reason, status: 404 });
}

function hasOtherHistory(follower: string, why: string): OperationError {
  const reason = `${why}. Replication can't be resumed for ${follower}. Use force_resume=true to restore from snapshot.`;
  return new OperationError({ type: "resource_not_found_exception", reason, status: 404 });
}

/** Whether the leader has kept all that the follower lacks; a reason when its history is not the one that was copied. */
async function whatIsRetained(node: PluginNode, one: Following): Promise<string> {
  const { cluster } = node;
  const { metadata } = await leaderIndexOf(cluster, one.leaderAlias, one.leaderIndex);
  // Another index under the name: the leases went with the one that was followed.
  if (metadata.uuid !== one.leaderUuid) return "no lease";
  const shards = cluster.state().metadata.indices.get(one.follower)?.numberOfShards ?? 0;
  const held = await Promise.all(
    Array.from({ length: shards }, (_, shard) => hasLease(cluster, one, shard)),
  );
  const areAll = shards > 0 && held.every(Boolean);
  if (areAll) return (await differentHistory(node, one, shards)) ?? "all";
  // Those that are left are of no use.
  for (const [shard, isHeld] of held.entries()) {
    if (isHeld)
      void askLease(cluster, "removeLease", one, { shard, retainingSeqNo: 0 }).catch(problemIn);
  }
  return "no lease";
}

/** What is here is given up for what the leader has now. */
async function startOver(
  node: PluginNode,
  { follower, leaderAlias, leaderIndex, settings }: Following,
  options: ChangeOptions,
): Promise<Acknowledged> {
  const { cluster } = node;
  await phase(`Force resume failed: failed to stop replication for index ${follower}`, () =>
    stopFollowing(node, follower),
  );
  await phase(
    `Force resume failed: failed to delete follower index ${follower}. Manual cleanup may be needed`,
    async () => {
      const index = cluster.state().metadata.indices.get(follower);
      if (index === undefined) return;
      refuseBlocked(node, follower);
      const nowMs = cluster.clock.nowMs();
      const task = { kind: "delete-index", index: follower, uuid: index.uuid, nowMs } as const;
      await cluster.submit(task, options.submit);
    },
  );
  return phase(
    `Force resume failed: failed to start replication for index ${follower} after its deletion. Start replication again manually`,
    () => {
      const request = { follower, leaderAlias, leaderIndex, settings, waitForRestore: false };
      return start(node, request, options);
    },
  );
}

async function phase<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw replicationProblem(failure, problemIn(error));
  }
}

export async function updateSettings(
  node: PluginNode,
  follower: string,
  body: JsonObject,
  { submit }: ChangeOptions,
): Promise<Acknowledged> {
  const { cluster } = node;
  refuseBlocked(node);
  const one = known(cluster.state(), follower);
  if (one.state !== "RUNNING" && one.state !== "PAUSED") {
    throw illegalState(`Cannot update settings when in ${one.state} state`);
  }
  const settings: SettingsChange = flattenSettings(body, "index.");
  const problem = validateIndexSettings(cluster.product.rules.settings.index, settings, {
    isCreate: false,
  });
  if (problem !== undefined) fail(problem);
  return cluster.submit(replicationTask("replication/settings", { follower, settings }), submit);
}

export type Rule = Omit<AutoFollowRule, "nodeId" | "allocation">;

/** The rule is stored in any case; one that was there already is told of all the same. */
export async function addRule(
  { cluster }: PluginNode,
  rule: Rule,
  isKnown: boolean,
  { submit }: ChangeOptions,
): Promise<Acknowledged> {
  await cluster.remotes.state(rule.leaderAlias, []);
  const problem = validateIndexSettings(cluster.product.rules.settings.index, rule.settings, {
    isCreate: true,
  });
  if (problem !== undefined) fail(problem);
  const answer = await cluster.submit(replicationTask("replication/add-rule", rule), submit);
  if (!isKnown) return answer;
  throw replicationProblem("Exisiting autofollow replication rule cannot be recreated/updated");
}

export async function removeRule(
  { cluster }: PluginNode,
  rule: Pick<Rule, "name" | "leaderAlias">,
  { submit }: ChangeOptions,
): Promise<Acknowledged> {
  return cluster.submit(replicationTask("replication/remove-rule", rule), submit);
}

function known(state: Parameters<typeof followingOf>[0], follower: string): Following {
  const one = followingOf(state, follower);
  if (one === undefined) throw notInProgress(follower);
  return one;
}
