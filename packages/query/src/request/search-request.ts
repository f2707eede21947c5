/**
 * A search body parsed into a request, with defaults. Errors are `BodyError`s at their place. The
 * parsed request is kept with its body, so that every phase of a search on a node parses it once.
 * Source: `SearchSourceBuilder`.
 */
import {
  jsonNumber,
  javaText,
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  parseDuration,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { parseAggregations } from "../aggregations/parse.ts";
import type { AggregationTree } from "../language/aggregation.ts";
import { sourceFilterOf, type SourceOption } from "../source/source-filter.ts";
import { parseHighlight, type HighlightRequest } from "../highlight/request.ts";
import type { SearchLanguage } from "../language/language.ts";
import {
  BodyError,
  booleanOf,
  floatOf,
  intOf,
  items,
  members,
  numberFormat,
  parsingError,
  rootCursor,
  scalarText,
  tokenOf,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import type { Query } from "../language/query.ts";
import {
  parseCollapse,
  parsePointInTime,
  parseSlice,
  type Collapse,
  type PointInTime,
} from "./options.ts";
import { parseRescore, type Rescore } from "../rescore/rescore.ts";
import type { Slice } from "./slice.ts";
import { parseScriptFields, type ScriptField } from "./script-fields.ts";
import { parseFieldFormat, type FieldFormat } from "../body/field-format.ts";
import type { SortKey } from "../language/sort.ts";
import { parseSort } from "../sorts/parse-sort.ts";
import { parseSuggest, type SuggestRequest } from "../suggest/suggest.ts";

/** A parsed search body; `undefined`: the member is absent. */
export interface SearchRequest {
  readonly query: Query | undefined;
  readonly postFilter: Query | undefined;
  readonly from: number;
  readonly size: number;
  readonly sort: readonly SortKey[] | undefined;
  readonly searchAfter: readonly Json[] | undefined;
  readonly aggregations: AggregationTree | undefined;
  /** `true`: all hits are counted; a number: up to it; `false`: none. */
  readonly trackTotalHits: number | boolean;
  readonly trackScores: boolean;
  readonly minScore: number | undefined;
  readonly terminateAfter: number;
  readonly source: SourceOption;
  /** The body has `_source`. */
  readonly isSourceGiven: boolean;
  readonly storedFields: readonly string[] | undefined;
  readonly docvalueFields: readonly FieldFormat[];
  readonly fields: readonly FieldFormat[];
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  readonly explain: boolean;
  readonly profile: boolean;
  readonly includeNamedQueriesScore: boolean;
  readonly highlight: HighlightRequest | undefined;
  readonly rescore: readonly Rescore[];
  readonly collapse: Collapse | undefined;
  readonly slice: Slice | undefined;
  readonly pointInTime: PointInTime | undefined;
  readonly suggest: SuggestRequest | undefined;
  readonly scriptFields: readonly ScriptField[];
}

/** Hits that are counted exactly by default. */
export const DEFAULT_TRACK_TOTAL_HITS = 10_000;

/** A request while it is parsed. */
type Mutable = { -readonly [Key in keyof SearchRequest]: SearchRequest[Key] };

/** Parses one member of the body into the request. */
type Reader = (request: Mutable, at: Cursor) => void;

/**
 * The property of a body that holds its parsed request, with the language in which it was read. The
 * property is not enumerable, so a copy of the body lacks it.
 *
 * A `WeakMap` would keep both until the old generation is collected: the young collector treats a
 * map's values as reachable, and a parsed request refers to its body.
 */
const parsedKey: unique symbol = Symbol("parsed search request");

/** A request and its language. */
interface Parsed {
  readonly language: SearchLanguage;
  readonly request: SearchRequest;
}

/** A body that may have been parsed. */
type ReadBody = JsonObject & { readonly [parsedKey]?: Parsed };

/**
 * The request of a body that was checked before. The body is parsed unless the object holds the
 * request of an earlier parse in this language.
 * @throws OperationError 400; the error names line 1, column 1
 */
export function searchRequestOf(language: SearchLanguage, json: JsonObject): SearchRequest {
  const parsed = (json as ReadBody)[parsedKey];
  if (parsed?.language === language) return parsed.request;
  return keep(json, { language, request: readWithoutText(language, json) });
}

/** Suggestions alone search no segment. */
export function isSuggestOnly({
  suggest,
  query,
  aggregations,
}: Pick<SearchRequest, "suggest" | "query" | "aggregations">): boolean {
  return suggest !== undefined && query === undefined && aggregations === undefined;
}

/**
 * Parses a body that arrives and keeps the request with it.
 * @throws BodyError or OperationError 400
 */
export function readSearchRequest(at: Cursor): void {
  keep(at.json as JsonObject, { language: at.language, request: parseSearchRequest(at) });
}

/** Keeps the request with its body; a body that is checked again gets the later one. */
function keep(json: JsonObject, parsed: Parsed): SearchRequest {
  // Of a body that is checked again, the later one counts.
  Object.defineProperty(json, parsedKey, { value: parsed, configurable: true });
  return parsed.request;
}

/** Parses a body whose text stayed where the request arrived. */
function readWithoutText(language: SearchLanguage, json: JsonObject): SearchRequest {
  try {
    return parseSearchRequest(rootCursor(json, language));
  } catch (error) {
    if (error instanceof BodyError) throw error.toOperationError(undefined);
    throw error;
  }
}

/**
 * Parses the body of a search.
 * @throws BodyError or OperationError 400
 */
export function parseSearchRequest(at: Cursor): SearchRequest {
  if (!isJsonObject(at.json))
    throw parsingError(at, `Expected [START_OBJECT] but found [${tokenOf(at.json)}]`);
  const request = defaults();
  for (const [name, member] of members(at)) {
    const reader = readerFor(name, member.json);
    if (reader === undefined)
      throw parsingError(member, `Unknown key for a ${tokenOf(member.json)} in [${name}].`);
    reader(request, member);
  }
  return request;
}

function defaults(): Mutable {
  return {
    query: undefined,
    postFilter: undefined,
    from: 0,
    size: 10,
    sort: undefined,
    searchAfter: undefined,
    aggregations: undefined,
    trackTotalHits: DEFAULT_TRACK_TOTAL_HITS,
    trackScores: false,
    minScore: undefined,
    terminateAfter: 0,
    source: { kind: "all" },
    isSourceGiven: false,
    storedFields: undefined,
    docvalueFields: [],
    fields: [],
    version: false,
    seqNoPrimaryTerm: false,
    explain: false,
    profile: false,
    includeNamedQueriesScore: false,
    highlight: undefined,
    rescore: [],
    collapse: undefined,
    slice: undefined,
    pointInTime: undefined,
    suggest: undefined,
    scriptFields: [],
  };
}

/**
 * The reader of a member, which depends on the token of its value, as in the product; null has
 * none.
 */
function readerFor(name: string, json: Json): Reader | undefined {
  if (json === null) return undefined;
  if (Array.isArray(json)) return lookup(ARRAYS, name);
  return typeof json === "object" ? lookup(OBJECTS, name) : lookup(VALUES, name);
}

const setAggregations: Reader = (request, at) => {
  request.aggregations = parseAggregations(at);
};
const setSort: Reader = (request, at) => {
  request.sort = parseSort(at);
};
const setSource: Reader = (request, at) => {
  checkSource(at);
  request.source = sourceFilterOf(at.json);
  request.isSourceGiven = true;
};
const setRescore: Reader = (request, at) => {
  request.rescore = items(at).map(parseRescore);
};
const setStoredFields: Reader = (request, at) => {
  request.storedFields = items(at).map(scalarText);
};
/** Members that are accepted without effect. */
const ignored: Reader = () => {};

const checkIndicesBoost: Reader = (_request, at) => {
  for (const [, member] of items(at).flatMap(members)) {
    const token = tokenOf(member.json);
    if (token === "VALUE_NUMBER") continue;
    throw parsingError(member, `Expected [VALUE_NUMBER] in [indices_boost] but found [${token}]`);
  }
};

/** Members with a plain value, an object, or an array. */
const VALUES: Readonly<Record<string, Reader>> = {
  from: (request, at) => {
    request.from = intOf(at);
    if (request.from < 0)
      throw illegalArgument(`[from] parameter cannot be negative, found [${request.from}]`);
  },
  size: (request, at) => {
    request.size = intOf(at);
    if (request.size < 0)
      throw illegalArgument(`[size] parameter cannot be negative, found [${request.size}]`);
  },
  timeout: (_request, at) => {
    const text = scalarText(at);
    if (parseDuration(text) !== undefined) return;
    throw illegalArgument(
      `failed to parse setting [timeout] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  },
  terminate_after: (request, at) => {
    // A negative number, which the URI rejects, ends the search at once.
    request.terminateAfter = intOf(at);
  },
  min_score: (request, at) => {
    request.minScore = floatOf(at);
  },
  version: (request, at) => {
    request.version = booleanOf(at);
  },
  seq_no_primary_term: (request, at) => {
    request.seqNoPrimaryTerm = booleanOf(at);
  },
  include_named_queries_score: (request, at) => {
    request.includeNamedQueriesScore = booleanOf(at);
  },
  explain: (request, at) => {
    request.explain = booleanOf(at);
  },
  track_scores: (request, at) => {
    request.trackScores = booleanOf(at);
  },
  track_total_hits: (request, at) => {
    request.trackTotalHits = parseTrackTotalHits(at);
  },
  profile: (request, at) => {
    request.profile = booleanOf(at);
  },
  search_pipeline: ignored,
  verbose_pipeline: ignored,
  _source: setSource,
  stored_fields: setStoredFields,
  sort: setSort,
};

const OBJECTS: Readonly<Record<string, Reader>> = {
  query: (request, at) => {
    request.query = parseQuery(at);
  },
  post_filter: (request, at) => {
    request.postFilter = parseQuery(at);
  },
  _source: setSource,
  script_fields: (request, at) => {
    request.scriptFields = parseScriptFields(at);
  },
  indices_boost: checkIndicesBoost,
  aggregations: setAggregations,
  aggs: setAggregations,
  highlight: (request, at) => {
    request.highlight = parseHighlight(at);
  },
  suggest: (request, at) => {
    request.suggest = parseSuggest(at);
  },
  sort: setSort,
  rescore: setRescore,
  slice: (request, at) => {
    request.slice = parseSlice(at);
  },
  collapse: (request, at) => {
    request.collapse = parseCollapse(at);
  },
  pit: (request, at) => {
    request.pointInTime = parsePointInTime(at);
  },
  search_pipeline: ignored,
  ext: (_request, at) => {
    if (members(at).length === 0) return;
    throw new OperationError({
      type: "x_content_parse_exception",
      reason: "unknown named object category [org.opensearch.search.SearchExtBuilder]",
      status: 400,
    });
  },
};

const ARRAYS: Readonly<Record<string, Reader>> = {
  stored_fields: setStoredFields,
  docvalue_fields: (request, at) => {
    request.docvalueFields = items(at).map(parseFieldFormat);
  },
  fields: (request, at) => {
    request.fields = items(at).map(parseFieldFormat);
  },
  indices_boost: checkIndicesBoost,
  sort: setSort,
  rescore: setRescore,
  stats: (_request, at) => {
    for (const item of items(at)) scalarText(item);
  },
  _source: setSource,
  search_after: (request, at) => {
    request.searchAfter = items(at).map((item) => {
      const { json } = item;
      if (typeof json === "object" && json !== null) {
        throw illegalArgument(
          `Can't handle search_after field value of type [${Array.isArray(json) ? "class java.util.ArrayList" : "class java.util.HashMap"}]`,
        );
      }
      return json;
    });
    if (request.searchAfter.length === 0)
      throw illegalArgument("Values must contains at least one value.");
  },
};

/** -1 stands for `true`. */
function parseTrackTotalHits(at: Cursor): number | boolean {
  const { json } = at;
  if (typeof json === "boolean") return json;
  if (json === "true" || json === "false") return json === "true";
  const number = jsonNumber(json);
  if (!Number.isInteger(number) || json === "") throw numberFormat(javaText(json));
  if (number === -1) return true;
  if (number < -1)
    throw illegalArgument(
      `[track_total_hits] parameter must be positive or equals to -1, got ${number}`,
    );
  return number;
}

/** Checks the members of a `_source` object. */
function checkSource(at: Cursor): void {
  if (!isJsonObject(at.json)) return;
  for (const [name, member] of members(at)) {
    const isKnown = ["includes", "include", "excludes", "exclude"].includes(name);
    const { json } = member;
    if (isKnown && (typeof json === "string" || Array.isArray(json))) continue;
    throw parsingError(member, `Unknown key for a ${tokenOf(json)} in [${name}].`);
  }
}
