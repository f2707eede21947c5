/** Parameters of searches, and the members of the search body that they replace. Source: `RestSearchAction`, `RestActions`. */
import { searchBodyOf, type UriSearch } from "@orrery/query";
import { illegalArgument, lookup, type JsonObject } from "@orrery/stdx";
import { sourceParameters, type SourceParameters } from "../documents/source-filter.ts";
import {
  duration,
  flag,
  float,
  int,
  list,
  onDemand,
  parseBoolean,
  text,
  type Parameter,
  type Parameters,
  type Parsed,
} from "../parameters.ts";

/** Parameters of a query in the URI: `q` and its options. */
export interface QueryStringParameters extends Parameters {
  readonly q: Parameter<string | undefined>;
  readonly df: Parameter<string | undefined>;
  readonly analyzer: Parameter<string | undefined>;
  readonly analyze_wildcard: Parameter<boolean | undefined>;
  readonly lenient: Parameter<boolean | undefined>;
  readonly default_operator: Parameter<string | undefined>;
}

/** Parameters of `q`, read only when `q` is present. */
export const queryStringParameters: QueryStringParameters = {
  q: text(),
  df: onDemand(text()),
  analyzer: onDemand(text()),
  analyze_wildcard: onDemand(flag()),
  lenient: onDemand(flag()),
  default_operator: onDemand(text()),
};

/**
 * The body with the query of the parameter `q`, if the request has it, in place of its own query. Throws for an invalid
 * `default_operator`.
 */
export function foldQuery(body: JsonObject, query: Parsed<QueryStringParameters>): JsonObject {
  checkOperator(query);
  return searchBodyOf(query, body);
}

function checkOperator(query: Parsed<QueryStringParameters>): void {
  const operator = query.default_operator;
  if (query.q === undefined || operator === undefined || /^(and|or)$/i.test(operator)) return;
  throw illegalArgument(
    `No enum constant org.opensearch.index.query.Operator.${operator.toUpperCase()}`,
  );
}

/** The object without members of value `undefined`. */
export function withoutAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** `true`, `false`, or the number of hits to count exactly; -1 counts all. */
const trackTotalHits: Parameter<boolean | number | undefined> = {
  isSuggested: false,
  parse: (given, name) => {
    if (given === undefined) return undefined;
    if (given === "" || given === "true" || given === "false") return parseBoolean(given);
    const value = int().parse(given, name);
    if (value === undefined || value >= -1) return value === -1 ? true : value;
    throw illegalArgument(
      `[track_total_hits] parameter must be positive or equals to -1, got ${value}`,
    );
  },
};

function notNegative(): Parameter<number | undefined> {
  return {
    isSuggested: false,
    parse: (given, name) => {
      const value = int().parse(given, name);
      if (value === undefined || value >= 0) return value;
      throw illegalArgument(`[${name}] parameter cannot be negative, found [${value}]`);
    },
  };
}

/** Parameters that replace members of the search body. */
export interface SearchBodyParameters extends QueryStringParameters, SourceParameters {
  readonly from: Parameter<number | undefined>;
  readonly size: Parameter<number | undefined>;
  readonly explain: Parameter<boolean | undefined>;
  readonly version: Parameter<boolean | undefined>;
  readonly seq_no_primary_term: Parameter<boolean | undefined>;
  readonly timeout: Parameter<number | undefined>;
  readonly terminate_after: Parameter<number | undefined>;
  readonly stored_fields: Parameter<readonly string[] | undefined>;
  readonly docvalue_fields: Parameter<readonly string[] | undefined>;
  readonly track_scores: Parameter<boolean | undefined>;
  readonly include_named_queries_score: Parameter<boolean | undefined>;
  readonly track_total_hits: Parameter<boolean | number | undefined>;
  readonly sort: Parameter<readonly string[] | undefined>;
  readonly stats: Parameter<readonly string[] | undefined>;
  readonly suggest_field: Parameter<string | undefined>;
  readonly suggest_mode: Parameter<string | undefined>;
  readonly suggest_size: Parameter<number | undefined>;
  readonly suggest_text: Parameter<string | undefined>;
}

/** Parsers of the parameters that replace members of the search body. */
export const searchBodyParameters: SearchBodyParameters = {
  ...queryStringParameters,
  ...sourceParameters,
  from: notNegative(),
  size: notNegative(),
  explain: onDemand(flag()),
  version: onDemand(flag()),
  seq_no_primary_term: onDemand(flag()),
  timeout: onDemand(duration()),
  terminate_after: onDemand(int()),
  stored_fields: list(),
  docvalue_fields: list(),
  track_scores: onDemand(flag()),
  include_named_queries_score: onDemand(flag()),
  track_total_hits: trackTotalHits,
  sort: list(),
  stats: list(),
  suggest_field: text(),
  suggest_mode: onDemand(text()),
  suggest_size: onDemand(int()),
  suggest_text: onDemand(text()),
};

const searchBodyNames = Object.keys(searchBodyParameters);

/** Whether the request has no parameter that would change the body. */
export function areAllAbsent(query: Parsed<SearchBodyParameters>): boolean {
  return searchBodyNames.every((name) => lookup(query, name) === undefined);
}

/** The body with the parameters merged over it. */
export function foldParameters(body: JsonObject, query: Parsed<SearchBodyParameters>): JsonObject {
  const { _source: source, timeout, stats, ...rest } = query;
  checkOperator(query);
  const uri: UriSearch = {
    ...rest,
    timeout: timeout === undefined ? undefined : `${timeout}ms`,
    _source: source === undefined ? undefined : sourceOf(source),
  };
  return searchBodyOf(uri, { ...body, ...withoutAbsent({ stats, suggest: suggestOf(query) }) });
}

function sourceOf(given: string): boolean | readonly string[] {
  if (given === "" || given === "true") return true;
  return given === "false" ? false : given.split(",");
}

function suggestOf(query: Parsed<SearchBodyParameters>): JsonObject | undefined {
  const field = query.suggest_field;
  if (field === undefined) return undefined;
  const term = withoutAbsent({
    field,
    size: query.suggest_size ?? 5,
    suggest_mode: query.suggest_mode,
  });
  return { [field]: { text: query.suggest_text ?? query.q ?? "", term } };
}

/** Parameters of how a search is executed. */
export interface SearchExecutionParameters extends Parameters {
  readonly allow_partial_search_results: Parameter<boolean | undefined>;
  readonly batched_reduce_size: Parameter<number>;
  readonly cancel_after_time_interval: Parameter<number | undefined>;
  readonly max_concurrent_shard_requests: Parameter<number>;
  readonly pre_filter_shard_size: Parameter<number | undefined>;
  readonly preference: Parameter<string | undefined>;
  readonly routing: Parameter<string | undefined>;
  readonly search_type: Parameter<SearchType>;
}

/** How scores are computed: with term statistics of each shard, or with those of all shards (`dfs_…`). */
export type SearchType = "query_then_fetch" | "dfs_query_then_fetch";

/** Throws for an unknown search type; `undefined` is `query_then_fetch`. */
export function parseSearchType(given: string | undefined): SearchType {
  if (given === undefined || given === "query_then_fetch") return "query_then_fetch";
  if (given === "dfs_query_then_fetch") return given;
  throw illegalArgument(`No search type for [${given}]`);
}

function atLeast(
  lowest: number,
  fallback: number | undefined,
  name: string,
): Parameter<number | undefined> {
  return {
    isSuggested: true,
    parse: (given, parameterName) => {
      const value = int().parse(given, parameterName) ?? fallback;
      if (value === undefined || value >= lowest) return value;
      throw illegalArgument(`${name} must be >= ${lowest}`);
    },
  };
}

function atLeastWithDefault(lowest: number, fallback: number, name: string): Parameter<number> {
  const inner = atLeast(lowest, fallback, name);
  return {
    ...inner,
    parse: (given, parameterName) => inner.parse(given, parameterName) ?? fallback,
  };
}

/** Parsers of the parameters of a search's execution. */
export const searchExecutionParameters: SearchExecutionParameters = {
  allow_partial_search_results: onDemand(flag()),
  batched_reduce_size: atLeastWithDefault(2, 512, "batchedReduceSize"),
  cancel_after_time_interval: duration(),
  max_concurrent_shard_requests: onDemand(atLeastWithDefault(1, 5, "maxConcurrentShardRequests")),
  pre_filter_shard_size: onDemand(atLeast(1, undefined, "preFilterShardSize")),
  preference: text(),
  routing: text(),
  search_type: { isSuggested: true, parse: parseSearchType },
};

export const minScore: Parameter<number | undefined> = onDemand(float());
