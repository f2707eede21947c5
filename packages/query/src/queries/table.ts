/**
 * The table of the core's queries by their names in the DSL. A new one is a file in this folder and
 * a row here; plugins add theirs to the `SearchLanguage`.
 */
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
import type { ParseQuery } from "../language/query.ts";
import { parseQueryStringQuery } from "./query-string.ts";
import { parseRange } from "./range.ts";
import { parseScriptQuery } from "./script-query.ts";
import { parseScriptScore } from "./script-score.ts";
import { parseSimpleQueryString } from "./simple-query-string.ts";
import { parseTerm } from "./term.ts";
import { parseTermsSet } from "./terms-set.ts";
import { parseTerms } from "./terms.ts";
import {
  parseBoosting,
  parseConstantScore,
  parseDisMax,
  parseWrapper,
} from "./wrapping-queries.ts";

/** The parsers of the core's queries, by the name of the query. */
export const coreQueries: Readonly<Record<string, ParseQuery>> = {
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
  script: parseScriptQuery,
  script_score: parseScriptScore,
  simple_query_string: parseSimpleQueryString,
  term: parseTerm,
  terms: parseTerms,
  terms_set: parseTermsSet,
  wildcard: parseWildcard,
  wrapper: parseWrapper,
};
