/** `search`: finds documents and aggregates over all matches. */
import type { SearchRequest } from "@orrery/node";
import { emptyBytes, illegalArgument } from "@orrery/stdx";
import type { Content } from "../../content.ts";
import { defineOperation, type Operation, type RequestView } from "../../operation.ts";
import { duration, flag, indexTargets, onDemand, text } from "../../parameters.ts";
import {
  foldParameters,
  areAllAbsent,
  searchBodyParameters,
  searchExecutionParameters,
} from "../../search/parameters.ts";
import { readSearchBody } from "../../search/body.ts";
import { checkSearch } from "../../search/checks.ts";
import { runSearch, searchRequest } from "../../search/run.ts";
import { exactTotalHits } from "../../search/total-hits.ts";

export const search: Operation = defineOperation({
  group: "search",
  permission: "indices:data/read/search",
  routes: ["GET /_search", "POST /_search", "GET /{index}/_search", "POST /{index}/_search"],
  query: {
    ...indexTargets,
    ...searchBodyParameters,
    ...searchExecutionParameters,
    ccs_minimize_roundtrips: flag(true),
    ignore_throttled: onDemand(flag()),
    phase_took: flag(false),
    request_cache: onDemand(flag()),
    scroll: duration(),
    search_pipeline: text(),
    verbose_pipeline: onDemand(flag()),
  },
  responseParameters: ["typed_keys", "rest_total_hits_as_int"],
  body: readBody,
  deviations: [
    {
      kind: "behaviour",
      name: "search_pipeline",
      reason:
        "search pipelines are not supported yet; any name is rejected as that of a missing pipeline",
    },
    {
      kind: "behaviour",
      name: "scripts",
      reason:
        "scripts run in the language `expression` and in languages of plugins; painless and mustache are rejected with `script_lang not supported`, stored scripts as missing; expressions are nested at most 500 levels deep; the aggregations composite, multi_terms, rare_terms, significant_terms and missing accept no script",
    },
    {
      kind: "behaviour",
      name: "lists of objects",
      reason:
        "a list of more than 10,000 objects or lists, and an object of more than 10,000 members, is rejected with 400; the limit of clauses of `bool` is indices.query.bool.max_clause_count",
    },
    {
      kind: "behaviour",
      name: "work on one document",
      reason:
        "a search whose aggregations, phrases, near terms, highlights or source filters need more than 100 million steps for one document or value is rejected with 429 `circuit_breaking_exception`; the product executes it",
    },
  ],

  async handle({ path, query, body, request }, cluster) {
    if (query.search_pipeline !== undefined && query.search_pipeline !== "_none") {
      throw illegalArgument(`Pipeline ${query.search_pipeline} is not defined`);
    }
    const isTotalNumber = flagOf(request.uri, "rest_total_hits_as_int");
    const { body: sent } = body;
    const folded = areAllAbsent(query) ? sent : foldParameters(sent, query);
    const shape = {
      index: path["index"],
      body: isTotalNumber ? exactTotalHits(folded) : folded,
      sent: body,
      scrollMs: query.scroll,
    };
    const asked = searchRequest(shape, query, request);
    checkSearch(request.language, asked, {
      indicesOptions: INDICES_OPTIONS.some((name) => query[name] !== undefined),
      requestCache: query.request_cache === true,
    });
    const typedKeys = flagOf(request.uri, "typed_keys");
    return { body: await runSearch(cluster, asked, { isTotalNumber, typedKeys }) };
  },
});

const INDICES_OPTIONS = [
  "expand_wildcards",
  "ignore_unavailable",
  "allow_no_indices",
  "ignore_throttled",
] as const;

function readBody(
  content: Content | undefined,
  { language }: RequestView,
): NonNullable<SearchRequest["sent"]> {
  if (content === undefined) return { bytes: emptyBytes, body: {} };
  return { bytes: content.bytes, body: readSearchBody(language, content) };
}

function flagOf(uri: string, name: string): boolean {
  if (!uri.includes(name)) return false;
  const parameters = uri.split(/[?&]/).slice(1);
  const found = parameters.find((one) => one === name || one.startsWith(`${name}=`));
  return found !== undefined && found !== `${name}=false`;
}
