/** Every query of the DSL by its name. To add one: a file beside this, a member of the union, a row here. */
import { parseBool } from "./bool.ts";
import { parseExists } from "./exists.ts";
import { parseFunctionScore } from "./function-score.ts";
import { parseFuzzy } from "./fuzzy.ts";
import { parseGeoBoundingBox, parseGeoDistance, parseGeoPolygon } from "./geo.ts";
import { parseIds } from "./ids.ts";
import { parseMatchAll } from "./match-all.ts";
import { parseMatchNone } from "./match-none.ts";
import { parseMatchPhrase, parseMatchPhrasePrefix } from "./match-phrase.ts";
import { parseMatch, parseMatchBoolPrefix } from "./match.ts";
import { parseMultiMatch } from "./multi-match.ts";
import { parseNested } from "./nested.ts";
import { parsePrefix, parseRegexp, parseWildcard } from "./pattern-queries.ts";
import type { ParseQuery } from "./query.ts";
import { parseQueryStringQuery } from "./query-string.ts";
import { parseRange } from "./range.ts";
import { parseSimpleQueryString } from "./simple-query-string.ts";
import { parseTerm } from "./term.ts";
import { parseTerms } from "./terms.ts";
import {
  parseBoosting,
  parseConstantScore,
  parseDisMax,
  parseWrapper,
} from "./wrapping-queries.ts";

export type QueryName =
  | "bool"
  | "boosting"
  | "constant_score"
  | "dis_max"
  | "exists"
  | "function_score"
  | "fuzzy"
  | "geo_bounding_box"
  | "geo_distance"
  | "geo_polygon"
  | "ids"
  | "match"
  | "match_all"
  | "match_bool_prefix"
  | "match_none"
  | "match_phrase"
  | "match_phrase_prefix"
  | "multi_match"
  | "nested"
  | "prefix"
  | "query_string"
  | "range"
  | "regexp"
  | "simple_query_string"
  | "term"
  | "terms"
  | "wildcard"
  | "wrapper";

const parsers: { readonly [Name in QueryName]: ParseQuery } = {
  bool: parseBool,
  boosting: parseBoosting,
  constant_score: parseConstantScore,
  dis_max: parseDisMax,
  exists: parseExists,
  function_score: parseFunctionScore,
  fuzzy: parseFuzzy,
  geo_bounding_box: parseGeoBoundingBox,
  geo_distance: parseGeoDistance,
  geo_polygon: parseGeoPolygon,
  ids: parseIds,
  match: parseMatch,
  match_all: parseMatchAll,
  match_bool_prefix: parseMatchBoolPrefix,
  match_none: parseMatchNone,
  match_phrase: parseMatchPhrase,
  match_phrase_prefix: parseMatchPhrasePrefix,
  multi_match: parseMultiMatch,
  nested: parseNested,
  prefix: parsePrefix,
  query_string: parseQueryStringQuery,
  range: parseRange,
  regexp: parseRegexp,
  simple_query_string: parseSimpleQueryString,
  term: parseTerm,
  terms: parseTerms,
  wildcard: parseWildcard,
  wrapper: parseWrapper,
};

export const QUERY_NAMES: ReadonlySet<string> = new Set(Object.keys(parsers));

export function isQueryName(name: string): name is QueryName {
  return QUERY_NAMES.has(name);
}

export function queryParser(name: QueryName): ParseQuery {
  return parsers[name];
}
