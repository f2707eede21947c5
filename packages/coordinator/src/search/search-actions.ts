/** Transport actions of the search phases, each in two forms: for one shard, and for several shards of one node. */
import {
  actions,
  FetchPhaseRequest,
  FetchPhaseRequests,
  ShardSearchRequest,
  ShardSearchRequests,
  type FetchPhasePart,
  type ShardSearchPart,
} from "@orrery/protocol";
import { shardKey } from "../shard-key.ts";
import { sharedRequest, shardPart, type Run } from "./run.ts";
import type { ActiveCopy } from "./shard-request.ts";
import { ShardRequests, type Sending, type ShardAction } from "./shard-requests.ts";
import type { SearchTarget } from "./targets.ts";

/** The request to one shard in a phase before the fetch. */
export interface SearchOfShard {
  /** Fields that all shards of the phase share. */
  readonly shared: Partial<ShardSearchRequest>;
  readonly part: ShardSearchPart;
}

/** The fetch request to one shard: the part shared by all shards, and its own. */
export interface FetchOfShard {
  readonly shared: {
    readonly body: Uint8Array;
    readonly nowMs: number;
    readonly statistics: Uint8Array;
  };
  readonly part: FetchPhasePart;
}

/** Transport actions and encodings of the can-match phase. */
export const canMatchAction: ShardAction<SearchOfShard> = searchAction(
  actions.canMatch,
  actions.canMatchShards,
);
/** Transport actions and encodings of the collection of term statistics (the DFS phase). */
export const statisticsAction: ShardAction<SearchOfShard> = searchAction(
  actions.statisticsPhase,
  actions.statisticsShards,
);
/** Transport actions and encodings of the query phase. */
export const queryAction: ShardAction<SearchOfShard> = searchAction(
  actions.queryPhase,
  actions.queryShards,
);

/** Transport actions and encodings of the fetch phase. */
export const fetchAction: ShardAction<FetchOfShard> = {
  one: actions.fetchPhase,
  several: actions.fetchShards,
  encode: ({ shared, part }) => FetchPhaseRequest.encode({ ...part, ...shared }).finish(),
  encodeSeveral: (requests) =>
    FetchPhaseRequests.encode({
      ...requests[0]?.shared,
      parts: requests.map(({ part }) => part),
    }).finish(),
};

function searchAction(one: string, several: string): ShardAction<SearchOfShard> {
  return {
    one,
    several,
    encode: ({ shared, part }) => ShardSearchRequest.encode({ ...part, ...shared }).finish(),
    encodeSeveral: (requests) =>
      ShardSearchRequests.encode({
        shared: requests[0]?.shared ?? {},
        parts: requests.map(({ part }) => part),
      }).finish(),
  };
}

/**
 * A function that sends one phase to a copy of a target. `more` adds the fields of that phase; `keepContext` asks the
 * shard to keep its reader open after the response.
 */
export function searchesOf(
  run: Run,
  action: ShardAction<SearchOfShard>,
  more: Partial<ShardSearchRequest> = {},
): (target: SearchTarget, copy: ActiveCopy, keepContext?: boolean) => Promise<Uint8Array> {
  const requests = new ShardRequests(sendingOf(run), action);
  const shared = { ...sharedRequest(run), ...more };
  return (target, copy, keepContext = false) =>
    requests.ask(copy.nodeId, {
      shard: shardKey(target.index.uuid, target.shard),
      request: { shared, part: { ...shardPart(run, target, copy), keepContext } },
    });
}

/** Transport and cancellation of the search's shard requests. */
export function sendingOf({ deps, cancellation }: Run): Sending {
  return { transport: deps.transport, cancellation };
}
