/**
 * The index task, which drives one follower index: bootstrap, start of its shard tasks, then periodic monitoring of
 * them and of the leader's metadata. Each step is recorded in the cluster state, so that another node can continue
 * from it. Source: `IndexReplicationTask`.
 */
import {
  activePrimary,
  completeIndexSettings,
  indexSetting,
  indicesOptions,
  type ClusterState,
  type CreateIndex,
  type IndexMetadata,
} from "@orrery/cluster-state";
import {
  newUuid,
  OperationError,
  type IndexUuid,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { LEADER_INDEX_SETTING, PRUNING_SETTING, repositoryOf, SNAPSHOT } from "../names.ts";
import { isTransient, pauseReason, problemIn } from "../problems.ts";
import { followerSettings, seenOn } from "../settings.ts";
import { replicationTask } from "../state/reducers.ts";
import { followingOf, type Following, type IndexTaskState } from "../state/section.ts";
import { leaderIndexOf, setLeaderSettings } from "./leader-client.ts";
import { aliasesForFollower, copyMetadata, settingsForFollower } from "./metadata.ts";
import { reopen } from "./reopen.ts";
import { stopFollowing } from "./stop.ts";
import { retryTransient, type TaskRun } from "./task-run.ts";

/** Interval at which shard tasks are examined. */
const LOOK_EVERY_MS = 5000;
/** Limit of one wait for a cluster state, after which cancellation is checked again. */
const WAIT_MS = 30_000;

interface IndexRun {
  readonly run: TaskRun;
  readonly follower: string;
  readonly allocation: number;
}

/**
 * Runs the task until it is cancelled or reassigned. A permanent failure is recorded in the cluster state;
 * `driveIndex` rejects only for bugs.
 */
export async function driveIndex(index: IndexRun): Promise<void> {
  const { run } = index;
  try {
    for (;;) {
      const following = current(index);
      if (following === undefined) return;
      await step(index, following);
    }
  } catch (error) {
    const { type, reason } = problemIn(error);
    if (run.cancellation.isCancelled) return;
    run.node.cluster.log("error", `[${index.follower}] replication failed: ${type}: ${reason}`);
    const { follower, allocation } = index;
    const body = { follower, allocation, reason: `${type}: ${reason}` };
    await run.submit(replicationTask("replication/fail", body));
  }
}

/** The replication that this run drives; `undefined` when the run is cancelled, paused or reassigned. */
function current({ run, follower, allocation }: IndexRun): Following | undefined {
  if (run.cancellation.isCancelled) return undefined;
  const following = followingOf(run.node.cluster.state(), follower);
  const isOwn = following?.state === "RUNNING" && following.allocation === allocation;
  return isOwn ? following : undefined;
}

async function step(index: IndexRun, following: Following): Promise<void> {
  switch (following.task) {
    case "INIT":
      return begin(index, following);
    case "RESTORING":
      return awaitRestore(index, following);
    case "INIT_FOLLOW":
      return moveTo(index, "FOLLOWING");
    case "FOLLOWING":
      return awaitShards(index);
    default:
      return monitor(index);
  }
}

async function moveTo({ run, follower, allocation }: IndexRun, to: IndexTaskState): Promise<void> {
  await run.submit(replicationTask("replication/move", { follower, allocation, to }));
}

/**
 * First step. If the follower index exists, replication has run before, and its shards resume from their own
 * checkpoints; otherwise the index is created for a restore.
 */
async function begin(index: IndexRun, following: Following): Promise<void> {
  const { run, follower, allocation } = index;
  const { cluster } = run.node;
  await retryTransient(run, () => setLeaderSettings(cluster, following, leaderTranslogSettings));
  if (cluster.state().metadata.indices.has(follower)) {
    await retryTransient(run, () => reopen(cluster, follower));
    return moveTo(index, "INIT_FOLLOW");
  }
  const { leaderAlias, leaderIndex } = following;
  const leader = await retryTransient(run, () => leaderIndexOf(cluster, leaderAlias, leaderIndex));
  if (leader === undefined) return;
  const create = followerIndex(run, following, leader.metadata);
  await run.submit(replicationTask("replication/create", { follower, allocation, create }));
}

/** Settings that keep the operations that followers request in the leader's translog as long as a lease retains them. */
const leaderTranslogSettings = {
  [PRUNING_SETTING]: "true",
  "index.translog.generation_threshold_size": "32mb",
};

function followerIndex(run: TaskRun, following: Following, leader: IndexMetadata): CreateIndex {
  const { cluster } = run.node;
  const { follower: name, leaderAlias, leaderIndex } = following;
  const uuid = newUuid(run.node.random("follower-index")) as IndexUuid;
  const nowMs = cluster.clock.nowMs();
  const requested = {
    ...settingsForFollower(leader.settings, following.settings),
    [LEADER_INDEX_SETTING]: `${leaderAlias}:${leaderIndex}`,
  };
  return {
    kind: "create-index",
    name,
    uuid,
    creationDateMs: nowMs,
    settings: completeIndexSettings(cluster.state(), {
      name,
      uuid,
      creationDateMs: nowMs,
      requested,
    }),
    mapping: leader.mapping,
    aliases: aliasesForFollower(leader),
    recoverySource: {
      type: "SNAPSHOT",
      repository: repositoryOf(leaderAlias),
      snapshot: SNAPSHOT,
      snapshotUuid: "_no_api_",
      index: leaderIndex,
    },
    unassignedReason: "NEW_INDEX_RESTORED",
    primaryTerms: leader.primaryTerms,
    routingNumShards: leader.routingNumShards,
  };
}

async function awaitRestore(index: IndexRun, following: Following): Promise<void> {
  const { run, follower } = index;
  const { cluster } = run.node;
  const { state } = await cluster.stateWhen(
    (next) => isStale(index, next) || areRestored(next, follower) || isGivenUp(next, follower),
    WAIT_MS,
  );
  if (isStale(index, state)) return;
  if (isGivenUp(state, follower)) {
    const { leaderAlias, leaderIndex } = following;
    throw new OperationError({
      type: "replication_exception",
      reason: `Unable to initiate restore call for ${follower} from ${leaderAlias}:${leaderIndex}`,
      status: 500,
    });
  }
  if (areRestored(state, follower)) await moveTo(index, "INIT_FOLLOW");
}

function isStale({ run, follower, allocation }: IndexRun, state: ClusterState): boolean {
  const following = followingOf(state, follower);
  return (
    run.cancellation.isCancelled ||
    following?.state !== "RUNNING" ||
    following.allocation !== allocation
  );
}

function areRestored(state: ClusterState, follower: string): boolean {
  const metadata = state.metadata.indices.get(follower);
  if (metadata === undefined) return false;
  return Array.from({ length: metadata.numberOfShards }).every(
    (_, shard) => activePrimary(state, follower, shard) !== undefined,
  );
}

/** Whether a primary failed `index.allocation.max_retries` times, or the index was deleted. */
function isGivenUp(state: ClusterState, follower: string): boolean {
  const metadata = state.metadata.indices.get(follower);
  if (metadata === undefined) return true;
  const retries = indexSetting(metadata, "index.allocation.max_retries");
  const rows = state.routingTable.get(follower)?.shards ?? [];
  return rows.some(([primary]) => {
    const isUnassigned = primary?.primary === true && primary.state === "UNASSIGNED";
    return isUnassigned && (primary.unassignedInfo?.failedAllocations ?? 0) >= retries;
  });
}

async function awaitShards(index: IndexRun): Promise<void> {
  const { run, follower } = index;
  const areSettled = (state: ClusterState): boolean => {
    const shards = followingOf(state, follower)?.shards ?? [];
    return (
      shards.some((shard) => shard.state === "FAILED") ||
      shards.every((shard) => shard.state === "FOLLOWING")
    );
  };
  const { state, timedOut } = await run.node.cluster.stateWhen(
    (next) => isStale(index, next) || areSettled(next),
    WAIT_MS,
  );
  if (timedOut || isStale(index, state)) return;
  await moveTo(index, "MONITORING");
}

/** Monitors until replication ends. Transient errors of the leader are retried; a permanent one pauses replication. */
async function monitor(index: IndexRun): Promise<void> {
  const { run } = index;
  const { cluster } = run.node;
  let syncedAtMs = -Infinity;
  for (;;) {
    const following = current(index);
    if (following === undefined) return;
    const failed = following.shards.filter((shard) => shard.state === "FAILED");
    if (failed.length > 0)
      return pauseForFailure(
        index,
        following,
        failed.map(({ error = "" }) => error),
      );
    if (!cluster.state().metadata.indices.has(index.follower)) throw indexIsGone(index.follower);
    const { metadataSyncMs } = followerSettings(seenOn(cluster));
    if (cluster.clock.monotonicMs() - syncedAtMs >= metadataSyncMs) {
      const problem = await syncMetadata(index, following);
      if (problem === undefined) syncedAtMs = cluster.clock.monotonicMs();
      else if (!isTransient(problem)) {
        return pauseForFailure(index, following, [pauseReason(`[${index.follower}]`, problem)]);
      }
    }
    await run.sleep(LOOK_EVERY_MS);
  }
}

async function syncMetadata(
  { run, follower }: IndexRun,
  following: Following,
): Promise<Problem | undefined> {
  const { cluster } = run.node;
  try {
    await reopen(cluster, follower);
    const { leaderAlias, leaderIndex, leaderUuid } = following;
    const leader = await leaderIndexOf(cluster, leaderAlias, leaderIndex);
    if (leader.metadata.uuid !== leaderUuid) throw indexIsGone(leaderIndex);
    const fixed = await copyMetadata(cluster, following, leader.metadata);
    if (Object.keys(fixed).length === 0) return undefined;
    await whileClosed(run, follower, async () => {
      const nowMs = cluster.clock.nowMs();
      const change = { indices: [follower], settings: fixed, preserveExisting: false, nowMs };
      await cluster.submit({ kind: "update-index-settings", ...change });
    });
    return undefined;
  } catch (error) {
    return problemIn(error);
  }
}

/** Applies static settings, which requires the index to be closed; its shard tasks retry until the primaries are back. */
async function whileClosed(
  { node }: TaskRun,
  index: string,
  work: () => Promise<void>,
): Promise<void> {
  const { cluster } = node;
  const at = { indices: [index], nowMs: cluster.clock.nowMs() };
  await cluster.submit({ kind: "close-index", step: "block", ...at });
  try {
    const { shards } = await cluster.verifyBeforeClose({
      indices: [index],
      indicesOptions: indicesOptions.lenientExpandOpenHidden,
    });
    if (shards.failed > 0) throw new OperationError(notClosed(index, shards.failures));
    await cluster.submit({ kind: "close-index", step: "close", ...at });
    await work();
  } finally {
    await cluster.submit({ kind: "open-index", ...at });
  }
}

function notClosed(index: string, failures: readonly JsonObject[]): Problem {
  const reason = `[${index}] cannot be closed: ${JSON.stringify(failures)}`;
  return { type: "illegal_state_exception", reason, status: 500 };
}

/**
 * Pauses replication, or deletes the follower index if the leader index is gone and `replicate.delete_index` is set.
 * The message is the product's, `+` and trailing comma included.
 */
async function pauseForFailure(
  { run, follower, allocation }: IndexRun,
  following: Following,
  errors: readonly string[],
): Promise<void> {
  const { cluster } = run.node;
  if (
    followerSettings(seenOn(cluster)).replicatesDeletion &&
    (await isLeaderGone(run, following))
  ) {
    await stopFollowing(run.node, follower);
    const index = cluster.state().metadata.indices.get(follower);
    if (index === undefined) return;
    const nowMs = cluster.clock.nowMs();
    await cluster.submit({ kind: "delete-index", index: follower, uuid: index.uuid, nowMs });
    return;
  }
  const reason = `AutoPaused:  + ${errors.join("")}`;
  await run.submit(replicationTask("replication/pause", { follower, allocation, reason }));
}

async function isLeaderGone(run: TaskRun, following: Following): Promise<boolean> {
  const { leaderAlias, leaderIndex } = following;
  try {
    await leaderIndexOf(run.node.cluster, leaderAlias, leaderIndex);
    return false;
  } catch (error) {
    return problemIn(error).type === "index_not_found_exception";
  }
}

function indexIsGone(index: string): OperationError {
  const reason = `no such index [${index}]`;
  return new OperationError({ type: "index_not_found_exception", reason, status: 404 });
}
