/**
 * Keeps one shard of a follower up with the leader's: asks for what is new, has the own primary apply it, moves the lease on the
 * leader along. Runs where the follower's primary is. Source: `ShardReplicationTask`.
 *
 * Begins behind what the own primary has: whatever a primary has is on every in-sync copy, or will be, as after any write. What
 * a lost primary alone had is behind the checkpoint of the next one, and comes again: the lease retains it.
 */
import { ReplayRequest, ReplayResponse, type ChangesResponse } from "@orrery/protocol";
import { emptyBytes, OperationError, type Problem } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { isTransient, problemIn } from "../problems.ts";
import { followerSettings, type FollowerSettings } from "../settings.ts";
import { replicationTask } from "../state/reducers.ts";
import type { Following, ShardTask } from "../state/section.ts";
import { askChanges, askLease, leaderIndexOf } from "./leader-client.ts";
import { copyMapping } from "./metadata.ts";
import type { TaskRun } from "./task-run.ts";

/** For `_status` and `follower_stats`; lost with the run. */
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
  /** Since when the lease retains less than this follower says it needs. */
  leaseAheadSinceMs?: number;
}

const FIRST_BACKOFF_MS = 1000;
const LAST_BACKOFF_MS = 60_000;

/** Ends with its run, or when it cannot go on: then the shard task has failed. */
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
      if (!isTransient(problem)) return giveUp(shard, problem);
    }
    await run.sleep(backoffMs);
    backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
  }
}

/** Until something fails. `progressed`: the leader and the own primary both answer. */
async function follow(shard: ShardRun, progressed: () => void): Promise<void> {
  const { run, following, task, progress } = shard;
  const at = await ask(shard, emptyBytes);
  note(shard, at);
  await renew(shard);
  if (task.state !== "FOLLOWING") await report(shard, { ...task, state: "FOLLOWING" });
  let next = at.localCheckpoint + 1;
  let asked = fetch(shard, next);
  while (!run.cancellation.isCancelled) {
    const changes = await asked;
    progressed();
    progress.leaderCheckpoint = Math.max(progress.leaderCheckpoint, changes.globalCheckpoint);
    progress.operationsRead += changes.count;
    if (changes.count > 0) {
      next = changes.lastSeqNo + 1;
      // The next question is on its way while the answer to this one is applied.
      asked = fetch(shard, next);
      asked.catch(() => undefined);
      await replay(shard, changes);
    } else {
      note(shard, await ask(shard, emptyBytes));
      asked = fetch(shard, next);
      asked.catch(() => undefined);
    }
    await renew(shard);
    run.node.trace({
      kind: "remote-replication-checkpoint",
      nodeId: run.node.cluster.localNode.id,
      index: following.follower,
      shard: task.shard,
      remoteCluster: following.leaderAlias,
      remoteIndex: following.leaderIndex,
      checkpoint: progress.followerCheckpoint,
      remoteCheckpoint: progress.leaderCheckpoint,
    });
    await run.sleep(settingsOf(shard).pollIntervalMs);
  }
}

async function fetch(shard: ShardRun, fromSeqNo: number): Promise<ChangesResponse> {
  const { run, following, task, progress } = shard;
  const { cancellation } = run;
  const count = settingsOf(shard).batchOperations;
  try {
    const question = { fromSeqNo, count, cancellation };
    return await askChanges(run.node.cluster, following, task.shard, question);
  } catch (error) {
    if (problemIn(error).status === 429) progress.throttledReads += 1;
    else if (!cancellation.isCancelled) progress.failedReads += 1;
    throw error;
  }
}

/** A document may bring fields that the follower does not know yet: the leader's mapping has them. */
async function replay(shard: ShardRun, changes: ChangesResponse): Promise<void> {
  const { run, following, progress } = shard;
  const { cluster } = run.node;
  const startedMs = cluster.clock.monotonicMs();
  let seenVersion = -1;
  try {
    for (;;) {
      const answer = await ask(shard, changes.operations);
      note(shard, answer);
      if (answer.mappingProblem === "") break;
      const leader = await leaderIndexOf(cluster, following.leaderAlias, following.leaderIndex);
      if (leader.metadata.mappingVersion <= seenVersion) throw doesNotFit(answer.mappingProblem);
      seenVersion = leader.metadata.mappingVersion;
      await copyMapping(cluster, following.follower, leader.metadata.mapping);
    }
  } catch (error) {
    if (problemIn(error).status === 429) progress.throttledWrites += 1;
    else if (!run.cancellation.isCancelled) progress.failedWrites += 1;
    throw error;
  }
  progress.operationsWritten += changes.count;
  progress.writeMs += cluster.clock.monotonicMs() - startedMs;
}

function doesNotFit(reason: string): OperationError {
  return new OperationError({ type: "mapper_parsing_exception", reason, status: 400 });
}

/** The own primary; without operations, only how far it is. */
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

function note({ progress }: ShardRun, answer: ReplayResponse): void {
  progress.followerCheckpoint = answer.globalCheckpoint;
  progress.localCheckpoint = answer.localCheckpoint;
}

/**
 * Everything up to the follower's global checkpoint is on every in-sync copy of it, and never asked for again. A new primary may
 * know less of that checkpoint than the one before it: its lease then stays ahead for a while.
 */
async function renew(shard: ShardRun): Promise<void> {
  const { run, following, task, progress } = shard;
  const { cluster } = run.node;
  const retainingSeqNo = progress.followerCheckpoint + 1;
  try {
    await askLease(cluster, "renewLease", following, { shard: task.shard, retainingSeqNo });
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

async function giveUp(shard: ShardRun, problem: Problem): Promise<void> {
  const { run, following, task } = shard;
  const { type, reason } = problem;
  run.node.cluster.log(
    "warn",
    `[${following.follower}][${task.shard}] cannot follow: ${type}: ${reason}`,
  );
  const error = `[[${following.follower}][${task.shard}] - ${type} - "${reason}"], `;
  await report(shard, { ...task, state: "FAILED", error });
}

function settingsOf({ run }: ShardRun): FollowerSettings {
  return followerSettings(run.node.cluster.state());
}
