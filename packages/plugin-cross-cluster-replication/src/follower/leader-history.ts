/**
 * INV-FOLLOW-4: a follower takes nothing from a leader whose history is another than the one it has copied.
 *
 * A leader that was forced back to a stale copy, or lost its newest operations with its disks, gives their sequence numbers to other
 * operations. A follower that went on behind its own checkpoint would keep the old ones without a sign of it. The product compares
 * nothing and goes on.
 */
import { activePrimary } from "@orrery/cluster-state";
import type { Cluster, PluginNode } from "@orrery/node";
import { createCancellation } from "@orrery/ports";
import { emptyBytes, OperationError } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { problemIn } from "../problems.ts";
import type { Following } from "../state/section.ts";
import { askChanges, leaderIndexOf } from "./leader-client.ts";
import { ReplayRequest, ReplayResponse, type ChangesResponse } from "../messages.ts";

const DIFFERENT = 409;
/** Asked for from here on, a leader's primary only tells how far it is. */
const BEYOND_ALL = 2 ** 52;

/** Operations that a follower's shard has copied. */
export interface CopiedHistory {
  readonly shard: number;
  /** Of the files that it was made of; empty: not known. */
  readonly uuid: string;
  readonly lastSeqNo: number;
}

type Leaders = Pick<ChangesResponse, "historyUuid" | "maxSeqNo" | "primaryTerm">;

/**
 * Throws when the leader's shard has another history: for good when the primary that answered is the one that the leader's elected
 * cluster manager knows, to be tried again when it may have been cut off.
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

/** Of the first shard that has one. A follower without an active primary says nothing yet: its task compares before it copies. */
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
    const leaders = await askChanges(cluster, following, shard, question);
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
