/** Starts replication of an index after validating the leader index. Source: `TransportReplicateIndexAction`. */
import {
  activePrimary,
  indexSetting,
  validateIndexSettings,
  validateNewIndexName,
  type ClusterState,
  type IndexMetadata,
} from "@orrery/cluster-state";
import type { Cluster, SubmitOptions } from "@orrery/node";
import { illegalArgument, OperationError, type Problem } from "@orrery/stdx";
import { LEADER_INDEX_SETTING, repositoryOf, SNAPSHOT } from "../names.ts";
import { followerSettings, seenOn } from "../settings.ts";
import { replicationTask, startBlocked } from "../state/reducers.ts";
import type { Following } from "../state/section.ts";
import { leaderIndexOf, type LeaderIndex } from "./leader-client.ts";

const NUMBER_OF_SHARDS = "index.number_of_shards";

/** A request to replicate an index. */
export type StartRequest = Pick<Following, "follower" | "leaderAlias" | "leaderIndex" | "settings">;

/** Validates the request, then records the replication in the cluster state, which starts its tasks. Rejects before any change. */
export async function startFollowing(
  cluster: Cluster,
  request: StartRequest,
  options?: SubmitOptions,
): Promise<{ readonly acknowledged: boolean }> {
  const { leaderAlias, leaderIndex, settings } = request;
  if (followerSettings(seenOn(cluster)).isStartBlocked) throw new OperationError(startBlocked);
  const leader = await leaderIndexOf(cluster, leaderAlias, leaderIndex);
  const refusal =
    leaderProblem(request, leader) ??
    validateIndexSettings(cluster.product.rules.settings.index, settings, { isCreate: true }) ??
    shardsProblem(request, leader.metadata) ??
    nameProblem(cluster.state(), request.follower);
  if (refusal !== undefined) throw new OperationError(refusal);
  const body = { ...request, leaderUuid: leader.metadata.uuid };
  return cluster.submit(replicationTask("replication/start", body), options);
}

function leaderProblem(
  request: StartRequest,
  { metadata, state }: LeaderIndex,
): Problem | undefined {
  const { leaderAlias, leaderIndex } = request;
  if (metadata.settings[LEADER_INDEX_SETTING] !== undefined) {
    return illegalArgument(`Cannot Replicate a Replicated Index ${leaderIndex}`).problem;
  }
  if (!indexSetting(metadata, "index.soft_deletes.enabled")) {
    return illegalArgument(
      "Cannot Replicate an index where the setting index.soft_deletes.enabled is disabled",
    ).problem;
  }
  const areActive = Array.from({ length: metadata.numberOfShards }).every(
    (_, shard) => activePrimary(state, leaderIndex, shard) !== undefined,
  );
  if (areActive) return undefined;
  const reason = `Validation Failed: 1: Primary shards in the Index[${leaderAlias}:${leaderIndex}] are not active;`;
  return { type: "validation_exception", reason, status: 400 };
}

/** Files are restored shard by shard, so the number of shards must be the leader's. The message is that of a restore. */
function shardsProblem(
  { leaderAlias, settings }: StartRequest,
  { numberOfShards }: IndexMetadata,
): Problem | undefined {
  const wanted = settings[NUMBER_OF_SHARDS];
  if (wanted === undefined || Number(wanted) === numberOfShards) return undefined;
  const reason = `[${repositoryOf(leaderAlias)}:${SNAPSHOT}/${SNAPSHOT}] cannot modify UnmodifiableOnRestore setting [${NUMBER_OF_SHARDS}] on restore`;
  return { type: "snapshot_restore_exception", reason, status: 500 };
}

/** A name that is in use is refused by the reducer, with another message. */
function nameProblem(state: ClusterState, follower: string): Problem | undefined {
  if (state.metadata.indices.has(follower)) return undefined;
  return validateNewIndexName(state, follower);
}
