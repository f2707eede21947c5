/**
 * Requests for several shards of one node: a part for each shard, answered by one result or one problem for each
 * (`ShardResults`). A part is served, admitted, guarded and refused as a request of its own with the action of each would be.
 */
import type { Problem } from "@orrery/stdx";
import { actions } from "./actions.ts";

/** By the action that asks several shards: the one that asks one of them. */
export const actionOfEach: ReadonlyMap<string, string> = new Map([
  [actions.canMatchShards, actions.canMatch],
  [actions.statisticsShards, actions.statisticsPhase],
  [actions.queryShards, actions.queryPhase],
  [actions.fetchShards, actions.fetchPhase],
]);

/** The failure of a part whose result is missing in a response: it must not be taken for an empty one. */
export function noResult(): Problem {
  const reason = "a shard has no result in the answer for several";
  return { type: "stream_corrupted_exception", reason, status: 500 };
}
