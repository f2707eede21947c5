/**
 * Client operations on replication, on any node of the follower cluster: start, stop, pause, resume, update, and
 * auto-follow rules.
 */
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
import { hasLease, requestLease, leaderIndexOf } from "./leader-client.ts";
import { differentHistory } from "./leader-history.ts";
import { startFollowing, type StartRequest } from "./start.ts";
import { stopFollowing } from "./stop.ts";

/** Response of a change of the cluster state. */
export interface Acknowledged {
  readonly acknowledged: boolean;
}

/** Submit options, and the timeout of a wait for a task state. */
export interface ChangeOptions {
  readonly submit: SubmitOptions;
  readonly timeoutMs: number;
}

const RESTORE_BEGUN: readonly IndexTaskState[] = [
  "RESTORING",
  "INIT_FOLLOW",
  "FOLLOWING",
  "MONITORING",
];
const FOLLOWED: readonly IndexTaskState[] = ["MONITORING"];

/** Starts replication and waits for the restore to begin, or with `waitForRestore` to end. */
export async function start(
  node: PluginNode,
  request: StartRequest & { readonly waitForRestore: boolean },
  options: ChangeOptions,
): Promise<Acknowledged> {
  const { waitForRestore, ...wanted } = request;
  refuseBlocked(node);
  await startFollowing(node.cluster, wanted, options.submit);
  return awaitTaskState(
    node,
    wanted.follower,
    waitForRestore ? FOLLOWED : RESTORE_BEGUN,
    options.timeoutMs,
  );
}

/** Waits until the index task has reached one of the states. Throws when it fails or the time is up. */
async function awaitTaskState(
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

/** Throws if the cluster's metadata is blocked. Blocks of the follower index do not matter: stop and pause exist to lift them. */
function refuseBlocked({ cluster }: PluginNode, index?: string): void {
  const problem = checkBlock(cluster.state(), "metadata_write", index);
  if (problem !== undefined) fail(problem);
}

/** Stops replication: the follower index becomes a normal one. Throws when it is not a follower. */
export async function stop(node: PluginNode, follower: string): Promise<Acknowledged> {
  refuseBlocked(node);
  const state = node.cluster.state();
  const isBlocked = state.blocks.indices.get(follower)?.some(({ id }) => id === followerBlock.id);
  if (followingOf(state, follower) === undefined && isBlocked !== true)
    throw notInProgress(follower);
  return stopFollowing(node, follower);
}

/** Pauses replication; its leases are kept until they expire. */
export async function pause(
  node: PluginNode,
  { follower, reason }: Pick<Following, "follower" | "reason">,
  { submit }: ChangeOptions,
): Promise<Acknowledged> {
  const { cluster } = node;
  refuseBlocked(node);
  return cluster.submit(replicationTask("replication/pause", { follower, reason }), submit);
}

/**
 * Resumes paused replication if the leader has retained all operations that the follower lacks; with `isForced`
 * deletes the follower index and starts again otherwise.
 */
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
  const retained = await retainedHistory(node, one);
  if (retained === "all") {
    await cluster.submit(replicationTask("replication/resume", { follower }), options.submit);
    return awaitTaskState(node, follower, FOLLOWED, options.timeoutMs);
  }
  if (isForced) return restartFromFiles(node, one, options);
  if (retained !== "no lease") throw hasOtherHistory(follower, retained);
  const reason = `Retention lease doesn't exist. Replication can't be resumed for ${follower}. Use force_resume=true to restore from snapshot.`;
  throw new OperationError({ type: "resource_not_found_exception", reason, status: 404 });
}

function hasOtherHistory(follower: string, why: string): OperationError {
  const reason = `${why}. Replication can't be resumed for ${follower}. Use force_resume=true to restore from snapshot.`;
  return new OperationError({ type: "resource_not_found_exception", reason, status: 404 });
}

/**
 * `all` if the leader has retained all operations that the follower lacks, `no lease` if not; another text is the
 * reason why the leader's history differs from the one that was copied.
 */
async function retainedHistory(node: PluginNode, one: Following): Promise<string> {
  const { cluster } = node;
  const { metadata } = await leaderIndexOf(cluster, one.leaderAlias, one.leaderIndex);
  // Another index has taken the name; the leases were deleted with the replicated one.
  if (metadata.uuid !== one.leaderUuid) return "no lease";
  const shards = cluster.state().metadata.indices.get(one.follower)?.numberOfShards ?? 0;
  const held = await Promise.all(
    Array.from({ length: shards }, (_, shard) => hasLease(cluster, one, shard)),
  );
  const areAll = shards > 0 && held.every(Boolean);
  if (areAll) return (await differentHistory(node, one, shards)) ?? "all";
  // The remaining leases are useless without the others.
  for (const [shard, isHeld] of held.entries()) {
    if (isHeld)
      void requestLease(cluster, "removeLease", one, { shard, retainingSeqNo: 0 }).catch(problemIn);
  }
  return "no lease";
}

/** Deletes the follower index and starts replication anew. */
async function restartFromFiles(
  node: PluginNode,
  { follower, leaderAlias, leaderIndex, settings }: Following,
  options: ChangeOptions,
): Promise<Acknowledged> {
  const { cluster } = node;
  await orForceResumeFailed(
    `Force resume failed: failed to stop replication for index ${follower}`,
    () => stopFollowing(node, follower),
  );
  await orForceResumeFailed(
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
  return orForceResumeFailed(
    `Force resume failed: failed to start replication for index ${follower} after its deletion. Start replication again manually`,
    () => {
      const request = { follower, leaderAlias, leaderIndex, settings, waitForRestore: false };
      return start(node, request, options);
    },
  );
}

async function orForceResumeFailed<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw replicationProblem(failure, problemIn(error));
  }
}

/** Changes the settings that override the leader's. They take effect at the next synchronization of metadata. */
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

/** An auto-follow rule without its assignment. */
export type Rule = Omit<AutoFollowRule, "nodeId" | "allocation">;

/** Stores a rule. The product stores a rule that exists already and then reports an error; so does this. */
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

/** Removes a rule. Indices that it has started are replicated further. */
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
