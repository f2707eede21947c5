/**
 * INV-FOLLOW-4: a follower applies nothing from a leader whose history differs from the one that it has copied.
 *
 * A leader that was forced back to a stale copy, or lost its newest operations with its disks, reuses their sequence
 * numbers for other operations. A follower that continued from its own checkpoint would silently keep the old ones.
 * The product does not compare histories and continues.
 */
import { activePrimary } from "@orrery/cluster-state";
import type { Cluster, PluginNode } from "@orrery/node";
import { createCancellation } from "@orrery/ports";
import { emptyBytes, OperationError } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { problemIn } from "../problems.ts";
import type { Following } from "../state/section.ts";
import { requestChanges, leaderIndexOf } from "./leader-client.ts";
import { ReplayRequest, ReplayResponse, type ChangesResponse } from "../messages.ts";

const DIFFERENT = 409;
/** Requesting changes from here on returns none, only the state of the leader's primary. */
const BEYOND_ALL = 2 ** 52;

/** The history that a follower shard has copied. */
export interface CopiedHistory {
  readonly shard: number;
  /** History uuid of the files from which the shard was restored; empty: unknown. */
  readonly uuid: string;
  readonly lastSeqNo: number;
}

type Leaders = Pick<ChangesResponse, "historyUuid" | "maxSeqNo" | "primaryTerm">;

/**
 * Throws when the leader shard has another history. The error is permanent if the responding primary is the one in
 * the leader's cluster state; otherwise it is retryable, since that primary may have been isolated.
 */
export async function checkHistory(
  cluster: Cluster,
  following: Following,
  copied: CopiedHistory,
  leaders: Leaders,
): Promise<void> {
  const reason = differenceOf(following, copied, leaders);
  if (reason === undefined) return;
  const problem = { type: "illegal_state_exception", reason };
  const { leaderAlias, leaderIndex } = following;
  const { state, metadata } = await leaderIndexOf(cluster, leaderAlias, leaderIndex);
  const isCurrent =
    state.managerNodeId !== undefined &&
    metadata.primaryTerms[copied.shard] === leaders.primaryTerm;
  throw new OperationError(
    isCurrent ? { ...problem, status: DIFFERENT } : { ...problem, status: 503, isRetryable: true },
  );
}

/**
 * The difference of the first shard that has another history; `undefined` without any. A shard without an active
 * primary is skipped: its task compares histories before it copies.
 */
export async function differentHistory(
  { cluster, transport }: PluginNode,
  following: Following,
  shards: number,
): Promise<string | undefined> {
  const { follower } = following;
  const cancellation = createCancellation();
  const payload = ReplayRequest.encode({ operations: emptyBytes }).finish();
  for (let shard = 0; shard < shards; shard += 1) {
    const nodeId = activePrimary(cluster.state(), follower, shard)?.nodeId;
    const indexUuid = cluster.state().metadata.indices.get(follower)?.uuid;
    if (nodeId === undefined || indexUuid === undefined) continue;
    const options = { shard: `${indexUuid}/${shard}`, channel: "bulk", cancellation } as const;
    const own = ReplayResponse.decode(
      await transport.request(nodeId, actions.replay, payload, options),
    );
    const question = { fromSeqNo: BEYOND_ALL, count: 1, waitMs: 0, cancellation };
    const leaders = await requestChanges(cluster, following, shard, question);
    const copied = { shard, uuid: own.leaderHistoryUuid, lastSeqNo: own.localCheckpoint };
    try {
      await checkHistory(cluster, following, copied, leaders);
    } catch (error) {
      const { status, reason } = problemIn(error);
      if (status !== DIFFERENT) throw error;
      return reason ?? "";
    }
  }
  return undefined;
}

function differenceOf(
  { leaderAlias, leaderIndex }: Following,
  { shard, uuid, lastSeqNo }: CopiedHistory,
  { historyUuid, maxSeqNo }: Leaders,
): string | undefined {
  const name = `[${leaderAlias}:${leaderIndex}][${shard}]`;
  if (uuid !== "" && uuid !== historyUuid)
    return `${name} has the history [${historyUuid}], and the history [${uuid}] was copied`;
  if (maxSeqNo >= lastSeqNo) return undefined;
  return `${name} lost a part of its history: its highest sequence number is [${maxSeqNo}], and operations up to [${lastSeqNo}] were copied`;
}
