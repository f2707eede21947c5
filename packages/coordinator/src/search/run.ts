/** State of one search in progress: request, body for the shards, start time, cancellation. */
import { createCancellation, type CancellationSource } from "@orrery/ports";
import type { ShardSearchPart, ShardSearchRequest } from "@orrery/protocol";
import { jsonText, searchRequestOf, type PointInTime } from "@orrery/query";
import { formatDuration, utf8Encode } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { ReplicaSelection } from "../replica-selection.ts";
import type { SearchRequest } from "../types.ts";
import { lookUpTerms, type FindDocuments } from "./lookups.ts";
import { perNodeLimit, type RunOnNode } from "./per-node-limit.ts";
import type { ActiveCopy } from "./shard-request.ts";
import type { SearchTarget } from "./targets.ts";

/** A search in progress: request, shard-independent request data, cancellation. It lives as long as the client's request. */
export interface Run {
  readonly deps: CoordinatorDeps;
  readonly selection: ReplicaSelection;
  readonly request: SearchRequest;
  readonly pointInTime: PointInTime | undefined;
  /** The search body for the shards, as JSON bytes. */
  readonly body: Uint8Array;
  readonly nowMs: number;
  readonly cancellation: CancellationSource;
  /** Stops the timer of `cancel_after_time_interval`; must be called when the search ends. */
  readonly stopTimer: () => void;
  readonly onNode: RunOnNode;
}

/** The request with terms lookups resolved, and with exact counting of total hits if it opens a scroll. */
export async function withTerms(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  { request, search }: { readonly request: SearchRequest; readonly search: FindDocuments },
): Promise<SearchRequest> {
  const found = await lookUpTerms(deps, selection, { request, search });
  // A scroll always counts total hits exactly.
  const body = request.scroll === undefined ? found : { ...found, track_total_hits: true };
  return body === request.body ? request : { ...request, body };
}

/** Starts a search: fixes `now` and the body of all its shard requests, and arms its cancellation timer. */
export function startRun(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  request: SearchRequest,
): Run {
  const { pointInTime } = searchRequestOf(deps.language, request.body);
  return {
    deps,
    selection,
    request,
    pointInTime,
    body: pointInTime === undefined ? bytesOf(request) : bytesWithout(request, "pit"),
    nowMs: deps.clock.nowMs(),
    ...cancellationOf(deps, request),
    onNode: perNodeLimit(request.maxConcurrentShardRequests),
  };
}

/** The bytes as sent, unless the body was rewritten. */
function bytesOf({ sent, body }: SearchRequest): Uint8Array {
  return sent !== undefined && sent.body === body ? sent.bytes : utf8Encode(jsonText(body));
}

/** The body without a member: shards need no point-in-time id, which is long. */
function bytesWithout({ body }: SearchRequest, key: string): Uint8Array {
  return utf8Encode(jsonText(Object.fromEntries(Object.entries(body).filter(([k]) => k !== key))));
}

/** Cancels when the client disconnects, or after `cancel_after_time_interval`. */
function cancellationOf(
  deps: CoordinatorDeps,
  request: SearchRequest,
): Pick<Run, "cancellation" | "stopTimer"> {
  const cancellation = createCancellation();
  request.onCancel?.(() => cancellation.cancel("http channel was closed"));
  const { cancelAfterMs } = request;
  if (cancelAfterMs === undefined || cancelAfterMs <= 0)
    return { cancellation, stopTimer: () => undefined };
  const reason = `Cancellation timeout of [${formatDuration(cancelAfterMs)}] is expired`;
  const stopTimer = deps.clock.setTimer(cancelAfterMs, () => cancellation.cancel(reason));
  return { cancellation, stopTimer };
}

/** The fields of a shard request that all shards of a phase have in common. */
export function sharedRequest({ request, body, nowMs }: Run): Partial<ShardSearchRequest> {
  return {
    body,
    nowMs,
    preference: request.preference ?? "",
    searchType: request.searchType,
    isScroll: request.scroll !== undefined,
  };
}

/** Fields of a shard request that differ from shard to shard. */
export function shardPart(
  { request }: Run,
  target: SearchTarget,
  copy: ActiveCopy,
): ShardSearchPart {
  return {
    index: target.index.name,
    indexUuid: target.index.uuid,
    shard: target.shard,
    allocationId: copy.allocationId,
    aliasFilter: target.aliasFilter === undefined ? "" : jsonText(target.aliasFilter),
    shardIndex: target.position,
    indexBoost: target.indexBoost,
    contextId: target.contextId ?? "",
    keepContext: false,
    isPointInTime: target.contextId !== undefined,
    keepAliveMs: request.scroll?.keepAliveMs ?? target.keepAliveMs ?? null,
    sliceShard: target.slicing?.shard ?? 0,
    sliceShards: target.slicing?.shards ?? 0,
  };
}
