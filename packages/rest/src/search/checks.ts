/**
 * Validation of a search: combinations that are refused before any shard is asked. Source: `SearchRequest.validate`,
 * `RestSearchAction`.
 */
import { searchRequestOf, type SearchLanguage } from "@orrery/query";
import type { SearchRequest } from "@orrery/node";
import { validate } from "../validation.ts";

/** Parameters of a request that may contradict a point in time or a scroll. */
export interface GivenWithSearch {
  /** Whether the request has any of `expand_wildcards`, `ignore_unavailable`, `allow_no_indices`, `ignore_throttled`. */
  readonly indicesOptions: boolean;
  readonly requestCache: boolean;
}

/**
 * Checks a search against its parameters.
 * @throws OperationError `action_request_validation_exception` with all problems.
 */
export function checkSearch(
  language: SearchLanguage,
  request: SearchRequest,
  given: GivenWithSearch,
): void {
  const body = searchRequestOf(language, request.body);
  const hasPit = body.pointInTime !== undefined;
  if (hasPit) {
    validate([
      request.indices.length > 0 && "[indices] cannot be used with point in time",
      given.indicesOptions && "[indicesOptions] cannot be used with point in time",
      request.routing !== undefined && "[routing] cannot be used with point in time",
      request.preference !== undefined && "[preference] cannot be used with point in time",
    ]);
  }
  const isScroll = request.scroll !== undefined;
  const shardDocs = (body.sort ?? []).filter(({ name }) => name === "_shard_doc").length;
  const tracked = request.body["track_total_hits"];
  validate([
    ...(isScroll
      ? [
          tracked !== undefined &&
            body.trackTotalHits !== true &&
            "disabling [track_total_hits] is not allowed in a scroll context",
          body.from > 0 && "using [from] is not allowed in a scroll context",
          given.requestCache && "[request_cache] cannot be used in a scroll context",
          body.size === 0 && "[size] cannot be [0] in a scroll context",
          body.rescore.length > 0 && "using [rescore] is not allowed in a scroll context",
          hasPit && "using [point in time] is not allowed in a scroll context",
        ]
      : []),
    shardDocs > 0 &&
      isScroll &&
      "_shard_doc cannot be used with scroll. Use PIT + search_after instead.",
    shardDocs > 0 &&
      !hasPit &&
      "_shard_doc is only supported with point-in-time (PIT). Add a PIT or remove _shard_doc.",
    shardDocs > 1 && "duplicate _shard_doc sort detected. Specify it at most once.",
  ]);
}
