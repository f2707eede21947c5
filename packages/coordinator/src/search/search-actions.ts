/** The phases of a search as shards are asked for them, one or several at a time. */
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

export interface SearchOfShard {
  /** The same for all shards of a phase. */
  readonly shared: Partial<ShardSearchRequest>;
  readonly part: ShardSearchPart;
}

export interface FetchOfShard {
  readonly shared: { readonly body: Uint8Array; readonly nowMs: number };
  readonly part: FetchPhasePart;
}

export const canMatchAction: ShardAction<SearchOfShard> = searchAction(
  actions.canMatch,
  actions.canMatchShards,
);
export const statisticsAction: ShardAction<SearchOfShard> = searchAction(
  actions.statisticsPhase,
  actions.statisticsShards,
);
export const queryAction: ShardAction<SearchOfShard> = searchAction(
  actions.queryPhase,
  actions.queryShards,
);

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

/** Asks copies for a phase; `more`: what it tells beside what every phase does. */
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

export function sendingOf({ deps, cancellation }: Run): Sending {
  return { transport: deps.transport, cancellation };
}
