/** A leader index as its follower's nodes ask for it. */
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
/** For news that is not there yet. */
export const LONG_POLL_MS = 60_000;

export interface LeaderIndex {
  readonly state: ClusterState;
  readonly metadata: IndexMetadata;
}

/** Rejects with `index_not_found_exception`. */
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

type Led = Pick<Following, "follower" | "leaderAlias" | "leaderIndex" | "leaderUuid">;

export interface ChangesQuestion {
  readonly fromSeqNo: number;
  readonly count: number;
  /** How long the leader keeps the question before it says that there is no news. */
  readonly waitMs: number;
  readonly cancellation: Cancellation;
}

export async function askChanges(
  { remotes }: Cluster,
  led: Led,
  shard: number,
  { fromSeqNo, count, waitMs, cancellation }: ChangesQuestion,
): Promise<ChangesResponse> {
  const toSeqNo = fromSeqNo + count - 1;
  const body = ChangesRequest.encode({ fromSeqNo, toSeqNo, waitMs }).finish();
  const timeoutMs = waitMs + TIMEOUT_MS;
  const payload = addressed(led, shard, body, timeoutMs);
  return ChangesResponse.decode(
    await remotes.request(led.leaderAlias, actions.changes, payload, { timeoutMs, cancellation }),
  );
}

export type LeaseAction = "addLease" | "renewLease" | "removeLease";

export async function askLease(
  { remotes, state }: Cluster,
  action: LeaseAction,
  led: Led,
  { shard, retainingSeqNo }: { readonly shard: number; readonly retainingSeqNo: number },
): Promise<void> {
  const id = leaseId(state(), led.follower, shard);
  const body = LeaseRequest.encode({ id, retainingSeqNo, source: leaseSource(state()) }).finish();
  const payload = addressed(led, shard, body, TIMEOUT_MS);
  await remotes.request(led.leaderAlias, actions[action], payload, { timeoutMs: TIMEOUT_MS });
}

/** Whether the leader still keeps what this shard of the follower lacks. */
export async function hasLease(cluster: Cluster, led: Led, shard: number): Promise<boolean> {
  try {
    // Nothing may be retained from before the beginning: only a lease that is there can say so.
    await askLease(cluster, "renewLease", led, { shard, retainingSeqNo: -1 });
    return true;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { type } = error.problem;
    if (type === "retention_lease_invalid_retaining_seq_no_exception") return true;
    if (type === "retention_lease_not_found_exception") return false;
    throw error;
  }
}

export async function setLeaderSettings(
  { remotes }: Cluster,
  led: Led,
  settings: SettingsChange,
): Promise<void> {
  const parameters = wireJson({ index: led.leaderIndex, settings });
  const payload = NodeRequest.encode({ parameters }).finish();
  await remotes.request(led.leaderAlias, actions.leaderSettings, payload, {
    timeoutMs: TIMEOUT_MS,
  });
}

function addressed(led: Led, shard: number, body: Uint8Array, timeoutMs: number): Uint8Array {
  const { leaderIndex: index, leaderUuid: indexUuid } = led;
  return RemoteShardRequest.encode({ index, indexUuid, shard, body, timeoutMs }).finish();
}
