/**
 * The shard task, which replicates one shard: requests new operations from the leader, has the follower's primary
 * apply them, and renews the lease on the leader. It runs on the node of the follower's primary. Source:
 * `ShardReplicationTask`.
 *
 * Replication starts behind the local checkpoint of the primary: its operations are, or will be, on every in-sync
 * copy, as after any write. Operations that only a lost primary had are beyond the checkpoint of the next primary and
 * are requested again; the lease retains them.
 */
import { emptyBytes, OperationError, type Problem } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { BATCH_SETTING } from "../names.ts";
import { isTransient, pauseReason, problemIn } from "../problems.ts";
import { followerSettings, seenOn, type FollowerSettings } from "../settings.ts";
import { replicationTask } from "../state/reducers.ts";
import type { Following, ShardTask } from "../state/section.ts";
import { checkHistory } from "./leader-history.ts";
import { requestChanges, requestLease, leaderIndexOf, LONG_POLL_MS } from "./leader-client.ts";
import { copyMapping } from "./metadata.ts";
import { runPipeline, type Attempts, type Batch, type Limits, type Range } from "./pipeline.ts";
import type { TaskRun } from "./task-run.ts";
import { ReplayRequest, ReplayResponse, type ChangesResponse } from "../messages.ts";

/**
 * Counters of one shard task for `_status` and `follower_stats`. Each run of the task on a node (`TaskRun`) begins with
 * new ones.
 */
export interface ShardProgress {
  leaderCheckpoint: number;
  followerCheckpoint: number;
  localCheckpoint: number;
  operationsRead: number;
  operationsWritten: number;
  failedReads: number;
  throttledReads: number;
  failedWrites: number;
  throttledWrites: number;
  writeMs: number;
}

/** Counters of a shard task that has not run yet: counts at 0, checkpoints at -1. */
export function newProgress(): ShardProgress {
  return {
    leaderCheckpoint: -1,
    followerCheckpoint: -1,
    localCheckpoint: -1,
    operationsRead: 0,
    operationsWritten: 0,
    failedReads: 0,
    throttledReads: 0,
    failedWrites: 0,
    throttledWrites: 0,
    writeMs: 0,
  };
}

interface ShardRun {
  readonly run: TaskRun;
  readonly following: Following;
  readonly task: ShardTask;
  readonly progress: ShardProgress;
  /** Monotonic time since which the lease has been ahead of the follower's checkpoint; `undefined`: it is not. */
  leaseAheadSinceMs?: number;
}

const FIRST_BACKOFF_MS = 1000;
const LAST_BACKOFF_MS = 60_000;

/** Runs the task until it is cancelled. Transient errors are retried with exponential backoff; a permanent one fails the shard task. */
export async function followShard(shard: ShardRun): Promise<void> {
  const { run } = shard;
  let backoffMs = FIRST_BACKOFF_MS;
  while (!run.cancellation.isCancelled) {
    try {
      await follow(shard, () => {
        backoffMs = FIRST_BACKOFF_MS;
      });
    } catch (error) {
      const problem = problemIn(error);
      if (run.cancellation.isCancelled) return;
      if (!isTransient(problem)) return failTask(shard, problem);
    }
    await run.sleep(backoffMs);
    backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
  }
}

/** Replicates until something fails. `progressed` is called whenever the leader and the primary have both answered. */
async function follow(shard: ShardRun, progressed: () => void): Promise<void> {
  const { run, task, progress } = shard;
  const at = await ask(shard, emptyBytes);
  progress.followerCheckpoint = at.globalCheckpoint;
  progress.localCheckpoint = at.localCheckpoint;
  await renew(shard);
  if (task.state !== "FOLLOWING") await report(shard, { ...task, state: "FOLLOWING" });
  let isFirst = true;
  await runPipeline({
    from: at.localCheckpoint + 1,
    limits: () => limitsOf(shard),
    read: async (range, isLongPoll) => {
      // A short pause lets the leader accumulate operations before a long poll.
      if (isLongPoll && !isFirst) await run.sleep(settingsOf(shard).pollIntervalMs);
      // The first request does not wait, so that the leader's checkpoint is known at once.
      const waitMs = isFirst ? 0 : LONG_POLL_MS;
      isFirst = false;
      const changes = await fetch(shard, range, waitMs);
      const copied = { shard: task.shard, uuid: at.leaderHistoryUuid, lastSeqNo: range.from - 1 };
      await checkHistory(run.node.cluster, shard.following, copied, changes);
      progressed();
      progress.leaderCheckpoint = Math.max(progress.leaderCheckpoint, changes.globalCheckpoint);
      progress.operationsRead += changes.count;
      return changes;
    },
    write: (batch, own, before) => replay(shard, batch, { own, before }),
    onProgress: () => updateLease(shard),
    isOver: () => run.cancellation.isCancelled,
    onOver: (wake) => run.cancellation.onCancel(wake),
  });
}

/** Limits of the pipeline; the follower index may override the number of operations per request. */
function limitsOf(shard: ShardRun): Limits {
  const { readers, writers, batchOperations } = settingsOf(shard);
  const { follower } = shard.following;
  const index = shard.run.node.cluster.state().metadata.indices.get(follower);
  const own = index?.settings[BATCH_SETTING];
  return { readers, writers, batch: own === undefined ? batchOperations : Number(own) };
}

async function updateLease(shard: ShardRun): Promise<void> {
  updateCheckpoints(shard, await ask(shard, emptyBytes));
  await renew(shard);
}

async function fetch(
  shard: ShardRun,
  { from, to }: Range,
  waitMs: number,
): Promise<ChangesResponse> {
  const { run, following, task, progress } = shard;
  const { cancellation } = run;
  try {
    const question = { fromSeqNo: from, count: to - from + 1, waitMs, cancellation };
    return await requestChanges(run.node.cluster, following, task.shard, question);
  } catch (error) {
    if (problemIn(error).status === 429) progress.throttledReads += 1;
    else if (!cancellation.isCancelled) progress.failedReads += 1;
    throw error;
  }
}

async function replay(shard: ShardRun, batch: Batch, order: Order): Promise<void> {
  const { run, progress } = shard;
  const { cluster } = run.node;
  const startedMs = cluster.clock.monotonicMs();
  try {
    await write(shard, batch, order);
  } catch (error) {
    if (problemIn(error).status === 429) progress.throttledWrites += 1;
    else if (!run.cancellation.isCancelled) progress.failedWrites += 1;
    throw error;
  }
  progress.operationsWritten += batch.changes.count;
  progress.writeMs += cluster.clock.monotonicMs() - startedMs;
}

interface Order {
  readonly own: Attempts;
  /** Attempts of the preceding batch. */
  readonly before: Attempts;
}

/**
 * Writes a batch to the follower's primary. Documents may need fields that the follower's mapping lacks; the leader's
 * mapping has them. Requests to the own primary arrive in the order in which they are sent.
 */
async function write(shard: ShardRun, { from, changes }: Batch, { own, before }: Order) {
  const { run, following } = shard;
  const { cluster } = run.node;
  let seenVersion = -1;
  for (;;) {
    const { isOver: isWrittenBefore, count } = before;
    const asking = ask(shard, changes.operations);
    own.sent();
    const answer = await asking;
    updateCheckpoints(shard, answer);
    if (answer.localCheckpoint < from - 1) {
      // The preceding batch was written but is missing: the primary has been replaced.
      if (isWrittenBefore) throw notInOrder(following.follower, from);
      await before.awaitBeyond(count);
    } else if (answer.mappingProblem === "") {
      return;
    } else {
      const leader = await leaderIndexOf(cluster, following.leaderAlias, following.leaderIndex);
      if (leader.metadata.mappingVersion <= seenVersion) throw doesNotFit(answer.mappingProblem);
      seenVersion = leader.metadata.mappingVersion;
      await copyMapping(cluster, following.follower, leader.metadata.mapping);
    }
  }
}

function notInOrder(index: string, seqNo: number): OperationError {
  const reason = `[${index}] lacks operations before [${seqNo}]`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

function doesNotFit(reason: string): OperationError {
  return new OperationError({ type: "mapper_parsing_exception", reason, status: 400 });
}

/** Sends operations to the own primary; without operations only asks for its checkpoints. */
async function ask(
  { run, following, task }: ShardRun,
  operations: Uint8Array,
): Promise<ReplayResponse> {
  const { cluster, transport } = run.node;
  const uuid = cluster.state().metadata.indices.get(following.follower)?.uuid ?? "";
  const payload = ReplayRequest.encode({ operations }).finish();
  const answer = await transport.request(transport.localNodeId, actions.replay, payload, {
    shard: `${uuid}/${task.shard}`,
    channel: "bulk",
    cancellation: run.cancellation,
  });
  return ReplayResponse.decode(answer);
}

/** Responses may arrive out of order, so counters only rise. */
function updateCheckpoints({ progress }: ShardRun, answer: ReplayResponse): void {
  progress.followerCheckpoint = Math.max(progress.followerCheckpoint, answer.globalCheckpoint);
  progress.localCheckpoint = Math.max(progress.localCheckpoint, answer.localCheckpoint);
}

/**
 * Renews the lease: it retains everything beyond the follower's global checkpoint, since operations up to it are on
 * every in-sync copy and are never requested again. A new primary may know a lower checkpoint than its predecessor;
 * the lease then stays ahead for a while.
 */
async function renew(shard: ShardRun): Promise<void> {
  const { run, following, task, progress } = shard;
  const { cluster } = run.node;
  const checkpoint = progress.followerCheckpoint;
  run.node.trace({
    kind: "remote-replication-checkpoint",
    nodeId: cluster.localNode.id,
    index: following.follower,
    shard: task.shard,
    remoteCluster: following.leaderAlias,
    remoteIndex: following.leaderIndex,
    checkpoint,
    remoteCheckpoint: Math.max(progress.leaderCheckpoint, checkpoint),
  });
  const retainingSeqNo = checkpoint + 1;
  try {
    await requestLease(cluster, "renewLease", following, { shard: task.shard, retainingSeqNo });
    delete shard.leaseAheadSinceMs;
  } catch (error) {
    const { type } = problemIn(error);
    if (type !== "retention_lease_invalid_retaining_seq_no_exception") throw error;
    const nowMs = cluster.clock.monotonicMs();
    shard.leaseAheadSinceMs ??= nowMs;
    if (nowMs - shard.leaseAheadSinceMs > settingsOf(shard).leaseMaxFailureMs) throw error;
  }
}

async function report(
  { run, following }: Pick<ShardRun, "run" | "following">,
  task: ShardTask,
): Promise<void> {
  await run.submit(replicationTask("replication/shard", { follower: following.follower, ...task }));
}

async function failTask(shard: ShardRun, problem: Problem): Promise<void> {
  const { run, following, task } = shard;
  const { type, reason } = problem;
  run.node.cluster.log(
    "warn",
    `[${following.follower}][${task.shard}] cannot follow: ${type}: ${reason}`,
  );
  const error = pauseReason(`[${following.follower}][${task.shard}]`, problem);
  await report(shard, { ...task, state: "FAILED", error });
}

function settingsOf({ run }: ShardRun): FollowerSettings {
  return followerSettings(seenOn(run.node.cluster));
}
