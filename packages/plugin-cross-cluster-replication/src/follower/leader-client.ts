/** Client of a leader index, for the follower's nodes. */
import type { ClusterState, IndexMetadata, SettingsChange } from "@orrery/cluster-state";
import { indexNotFound } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import type { Cancellation } from "@orrery/ports";
import { NodeRequest, wireJson } from "@orrery/protocol";
import { OperationError } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { leaseId, leaseSource } from "../names.ts";
import type { Following } from "../state/section.ts";
import { ChangesRequest, ChangesResponse, LeaseRequest, RemoteShardRequest } from "../messages.ts";

const TIMEOUT_MS = 30_000;
/** Time for which the leader holds a request for changes while there are none. */
export const LONG_POLL_MS = 60_000;

/** The leader's cluster state, restricted to one index, and the metadata of that index. */
export interface LeaderIndex {
  readonly state: ClusterState;
  readonly metadata: IndexMetadata;
}

/** The leader index. Rejects with `index_not_found_exception` when it does not exist. */
export async function leaderIndexOf(
  { remotes }: Cluster,
  alias: string,
  index: string,
): Promise<LeaderIndex> {
  const state = await remotes.state(alias, [index]);
  const metadata = state.metadata.indices.get(index);
  if (metadata === undefined) throw new OperationError(indexNotFound(index));
  return { state, metadata };
}

type LeaderReference = Pick<Following, "follower" | "leaderAlias" | "leaderIndex" | "leaderUuid">;

/** A request for operations from `fromSeqNo` on, at most `count`. */
export interface ChangesQuery {
  readonly fromSeqNo: number;
  readonly count: number;
  /** How long the leader waits for the first operation before it answers that there is none. */
  readonly waitMs: number;
  readonly cancellation: Cancellation;
}

/** Requests operations of a leader shard. The response may contain fewer than requested; see `serveChanges`. */
export async function requestChanges(
  { remotes }: Cluster,
  leader: LeaderReference,
  shard: number,
  { fromSeqNo, count, waitMs, cancellation }: ChangesQuery,
): Promise<ChangesResponse> {
  const toSeqNo = fromSeqNo + count - 1;
  const body = ChangesRequest.encode({ fromSeqNo, toSeqNo, waitMs }).finish();
  const timeoutMs = waitMs + TIMEOUT_MS;
  const payload = addressed(leader, shard, body, timeoutMs);
  return ChangesResponse.decode(
    await remotes.request(leader.leaderAlias, actions.changes, payload, {
      timeoutMs,
      cancellation,
    }),
  );
}

/** Actions on retention leases of the leader. */
export type LeaseAction = "addLease" | "renewLease" | "removeLease";

/** Adds, renews or removes the retention lease of a follower shard on its leader shard. */
export async function requestLease(
  { remotes, state }: Cluster,
  action: LeaseAction,
  leader: LeaderReference,
  { shard, retainingSeqNo }: { readonly shard: number; readonly retainingSeqNo: number },
): Promise<void> {
  const id = leaseId(state(), leader.follower, shard);
  const body = LeaseRequest.encode({ id, retainingSeqNo, source: leaseSource(state()) }).finish();
  const payload = addressed(leader, shard, body, TIMEOUT_MS);
  await remotes.request(leader.leaderAlias, actions[action], payload, { timeoutMs: TIMEOUT_MS });
}

/** Whether the leader still has the lease of a follower shard, that is, retains all operations that the shard lacks. */
export async function hasLease(
  cluster: Cluster,
  leader: LeaderReference,
  shard: number,
): Promise<boolean> {
  try {
    // Retaining from -1 is invalid, and only an existing lease can reject it as such; the lease is not changed.
    await requestLease(cluster, "renewLease", leader, { shard, retainingSeqNo: -1 });
    return true;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { type } = error.problem;
    if (type === "retention_lease_invalid_retaining_seq_no_exception") return true;
    if (type === "retention_lease_not_found_exception") return false;
    throw error;
  }
}

/** Changes settings of the leader index. */
export async function setLeaderSettings(
  { remotes }: Cluster,
  leader: LeaderReference,
  settings: SettingsChange,
): Promise<void> {
  const parameters = wireJson({ index: leader.leaderIndex, settings });
  const payload = NodeRequest.encode({ parameters }).finish();
  await remotes.request(leader.leaderAlias, actions.leaderSettings, payload, {
    timeoutMs: TIMEOUT_MS,
  });
}

function addressed(
  leader: LeaderReference,
  shard: number,
  body: Uint8Array,
  timeoutMs: number,
): Uint8Array {
  const { leaderIndex: index, leaderUuid: indexUuid } = leader;
  return RemoteShardRequest.encode({ index, indexUuid, shard, body, timeoutMs }).finish();
}
