/**
 * Requests for several shards of one node: a part for each shard, and one result or one problem for each in the
 * response (`ShardResults`). A part is admitted, guarded, executed and refused like a separate request with the
 * action for one shard.
 */
import type { Problem } from "@orrery/stdx";
import { actions } from "./actions.ts";

/** For each action that asks several shards in one message, the action that asks one shard. */
export const actionOfEach: ReadonlyMap<string, string> = new Map([
  [actions.canMatchShards, actions.canMatch],
  [actions.statisticsShards, actions.statisticsPhase],
  [actions.queryShards, actions.queryPhase],
  [actions.fetchShards, actions.fetchPhase],
]);

/**
 * The problem of a part for which the response has no entry. The coordinating node reports it instead of an empty
 * result.
 */
export function noResult(): Problem {
  const reason = "a shard has no result in the answer for several";
  return { type: "stream_corrupted_exception", reason, status: 500 };
}
