/**
 * Search bodies as they arrive: parsed, checked with line and column in every error, and merged
 * with parameters of the URI. The checks run once, where the request enters the cluster; shards
 * read the same body without them.
 */
import {
  illegalArgument,
  isJsonObject,
  jsonDigits,
  lookup,
  OperationError,
  setKey,
  utf8Encode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { parseJson } from "../json/parse-json.ts";
import type { SearchLanguage } from "../language/language.ts";
import { BodyError, child, parsingError, rootCursor } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { checkListSizes } from "../work/list-sizes.ts";
import { parseSearchRequest, readSearchRequest } from "./search-request.ts";

/**
 * The checked JSON of a search body; that of an empty one is `{}`. `read` gives the JSON if the
 * body has been parsed before.
 * @throws OperationError 400
 */
export function checkSearchBody(
  language: SearchLanguage,
  body: Uint8Array,
  read?: () => Json,
): JsonObject {
  return checkBody(language, body, { check: readSearchRequest, read });
}

/**
 * The checked JSON of a body that has a `query` alone: `_count`, `_validate/query`,
 * `_delete_by_query`.
 * @throws OperationError 400
 */
export function checkQueryBody(language: SearchLanguage, body: Uint8Array): JsonObject {
  const check = (at: Cursor): void => {
    for (const key of Object.keys(at.json as JsonObject)) {
      if (key !== "query")
        throw parsingError(child(at, key), `request does not support [${key}]`, "key");
    }
    if (isJsonObject(at.json) && at.json["query"] !== undefined) parseQuery(child(at, "query"));
  };
  return checkBody(language, body, { check });
}

/**
 * Checks one query clause, such as the filter of an alias; `text` is its source, in which errors
 * are located.
 * @throws OperationError 400
 */
export function checkQuery(language: SearchLanguage, query: Json, text?: Uint8Array): void {
  located(text, () => parseQuery(rootCursor(query, language)));
}

/**
 * Checks the filter of an alias. The filter is stored as an object, and printed again so that
 * errors can name a line and column.
 * @throws OperationError 400
 */
export function checkAliasFilter(
  language: SearchLanguage,
  alias: string,
  filter: JsonObject | undefined,
): void {
  if (filter === undefined) return;
  try {
    checkQuery(language, filter, utf8Encode(jsonDigits(filter)));
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw illegalArgument(`failed to parse filter for alias [${alias}]`, error.problem);
  }
}

/** The check of a body, and how its JSON is read. */
interface BodyCheck {
  readonly check: (at: Cursor) => void;
  readonly read?: (() => Json) | undefined;
}

/** Reads and checks a body. List sizes are limited before anything is built of them. */
function checkBody(
  language: SearchLanguage,
  body: Uint8Array,
  { check, read = () => parseJson(body) }: BodyCheck,
): JsonObject {
  if (body.length === 0) return {};
  const json = read();
  checkListSizes(body, json);
  located(body, () => {
    const at = rootCursor(json, language);
    if (!isJsonObject(json)) parseSearchRequest(at);
    check(at);
  });
  return json as JsonObject;
}

/**
 * Runs a parser, and turns a `BodyError` into an `OperationError` with line and column in `text`.
 * `text` of `undefined`: the error names line 1, column 1.
 */
export function located<T>(text: Uint8Array | undefined, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BodyError) throw error.toOperationError(text);
    throw error;
  }
}

/** Parameters of the URI of `_search` and `_count`, parsed to their types. */
export interface UriSearch {
  readonly q?: string | undefined;
  readonly df?: string | undefined;
  readonly analyzer?: string | undefined;
  readonly analyze_wildcard?: boolean | undefined;
  readonly lenient?: boolean | undefined;
  readonly default_operator?: string | undefined;
  readonly from?: number | undefined;
  readonly size?: number | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly explain?: boolean | undefined;
  readonly version?: boolean | undefined;
  readonly seq_no_primary_term?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly terminate_after?: number | undefined;
  readonly track_scores?: boolean | undefined;
  readonly track_total_hits?: number | boolean | undefined;
  readonly stored_fields?: readonly string[] | undefined;
  readonly docvalue_fields?: readonly string[] | undefined;
  readonly include_named_queries_score?: boolean | undefined;
  /** `true`, `false`, or patterns. */
  readonly _source?: boolean | readonly string[] | undefined;
  readonly _source_includes?: readonly string[] | undefined;
  readonly _source_excludes?: readonly string[] | undefined;
}

/**
 * The body with the parameters of the URI, which take precedence. If the parameters change nothing,
 * `body` itself is returned, because its parsed request is kept with it.
 * @throws OperationError 400 for a negative `from`, `size` or `terminate_after`
 */
export function searchBodyOf(uri: UriSearch, body: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...(body as Record<string, Json>) };
  if (uri.q !== undefined) merged["query"] = uriQuery(uri, uri.q);
  for (const key of [
    "from",
    "size",
    "explain",
    "version",
    "seq_no_primary_term",
    "timeout",
    "terminate_after",
    "track_scores",
    "track_total_hits",
    "include_named_queries_score",
    "stored_fields",
    "docvalue_fields",
  ] as const) {
    // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
    const value = uri[key];
    if (value !== undefined) setKey(merged, key, value);
  }
  if (uri.sort !== undefined) merged["sort"] = uri.sort.map(sortOf);
  const source = uriSource(uri);
  if (source !== undefined) merged["_source"] = source;
  checkSigns(uri);
  return isSame(merged, body) ? body : merged;
}

/** Whether merging changed no member. */
function isSame(merged: JsonObject, body: JsonObject): boolean {
  const names = Object.keys(merged);
  return (
    names.length === Object.keys(body).length &&
    names.every((name) => lookup(merged, name) === lookup(body, name))
  );
}

/** Rejects negative numbers, in the words for parameters of the URI. */
function checkSigns({ from, size, terminate_after: terminateAfter }: UriSearch): void {
  if (terminateAfter !== undefined && terminateAfter < 0) {
    throw new OperationError({
      type: "illegal_argument_exception",
      reason: "terminateAfter must be > 0",
      status: 400,
    });
  }
  for (const [name, value] of [
    ["from", from],
    ["size", size],
  ] as const) {
    if (value === undefined || value >= 0) continue;
    throw new OperationError({
      type: "illegal_argument_exception",
      reason: `[${name}] parameter cannot be negative, found [${value}]`,
      status: 400,
    });
  }
}

/** The `query_string` query of `q`. */
function uriQuery(uri: UriSearch, q: string): Json {
  const query: Record<string, Json> = { query: q };
  if (uri.df !== undefined) query["default_field"] = uri.df;
  if (uri.analyzer !== undefined) query["analyzer"] = uri.analyzer;
  if (uri.analyze_wildcard !== undefined) query["analyze_wildcard"] = uri.analyze_wildcard;
  if (uri.lenient !== undefined) query["lenient"] = uri.lenient;
  if (uri.default_operator !== undefined) query["default_operator"] = uri.default_operator;
  return { query_string: query };
}

/** `field:desc` as a sort key. */
function sortOf(text: string): Json {
  const colon = text.lastIndexOf(":");
  if (colon < 0) return text;
  return { [text.slice(0, colon)]: { order: text.slice(colon + 1) } };
}

function uriSource(uri: UriSearch): Json | undefined {
  const { _source: source, _source_includes: includes, _source_excludes: excludes } = uri;
  if (includes === undefined && excludes === undefined) return source;
  const named = typeof source === "object" ? source : [];
  return { includes: [...named, ...(includes ?? [])], excludes: excludes ?? [] };
}
