/** `count`: number of matching documents. */
import { indicesOptions, withParameters } from "@orrery/cluster-state";
import { OperationError, type JsonObject } from "@orrery/stdx";
import type { Content } from "../../content.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation, type RequestView } from "../../operation.ts";
import { flag, indexTargets, int, onDemand, text } from "../../parameters.ts";
import { readSearchBody } from "../../search/body.ts";
import {
  minScore,
  foldQuery,
  queryStringParameters,
  withoutAbsent,
} from "../../search/parameters.ts";
import { expressionsOf } from "../../state-reading.ts";
import { clientOf } from "../../search/client.ts";

export const count: Operation = defineOperation({
  group: "count",
  permission: "indices:data/read/search",
  routes: ["GET /_count", "POST /_count", "GET /{index}/_count", "POST /{index}/_count"],
  query: {
    ...indexTargets,
    ...queryStringParameters,
    ignore_throttled: onDemand(flag()),
    min_score: minScore,
    preference: text(),
    routing: text(),
    terminate_after: int(),
  },
  body: readBody,
  deviations: [],

  async handle({ path, query, body, request }, cluster) {
    const extra = withoutAbsent({
      // JSON has no infinity; this is the largest float, which no score exceeds.
      min_score:
        query.min_score === undefined ? undefined : Math.min(query.min_score, Number.MAX_VALUE),
      terminate_after: query.terminate_after === 0 ? undefined : query.terminate_after,
    });
    const folded = foldQuery(body, query);
    const answer = await cluster.count({
      indices: expressionsOf(path["index"]),
      indicesOptions: withParameters(indicesOptions.strictExpandOpenAndForbidClosed, query),
      // The parsed form of a body is cached by object identity, so the object is kept unless fields are added.
      body: Object.keys(extra).length === 0 ? folded : { ...folded, ...extra },
      routing: query.routing,
      preference: query.preference,
      searchType: "query_then_fetch",
      allowPartialSearchResults: undefined,
      batchedReduceSize: 512,
      preFilterShardSize: undefined,
      maxConcurrentShardRequests: 5,
      cancelAfterMs: undefined,
      ...clientOf(request),
    });
    return {
      body: {
        count: answer.count,
        terminated_early: answer.terminatedEarly,
        _shards: answer.shards as PrintableObject,
      },
    };
  },
});

/** Parses a body that may hold a query and nothing else. */
function readBody(content: Content | undefined, { language }: RequestView): JsonObject {
  if (content === undefined) return {};
  const body = content.object();
  for (const key of Object.keys(body)) {
    if (key === "query") continue;
    const metadata = { ...content.locate([key], "key") };
    throw new OperationError({
      type: "parsing_exception",
      reason: `request does not support [${key}]`,
      status: 400,
      metadata,
    });
  }
  return readSearchBody(language, content);
}
