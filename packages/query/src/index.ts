/**
 * Mapping, query DSL, execution over segments, aggregations, sorting, fetching, and reducing.
 *
 * A shard calls `executeQueryPhase`, `executeFetchPhase`, `executeCount`, and `canMatch`. The
 * coordinating node calls `checkSearchBody` and `createReducer`.
 */
export { composeLanguage, type LanguageModule, type SearchLanguage } from "./language/language.ts";
export { coreLanguage, coreModule } from "./core/core.ts";
export { createMapping, extendMapping } from "./mapping/mapping.ts";
export { checkAnalysis } from "./mapping/analysis-settings.ts";
export { checkPartitioned, composeMappings, mergeMapping } from "./mapping/merge.ts";
export { describeFields, type DescribedField } from "./mapping/describe.ts";
export { fieldCapabilities, type FieldCapability } from "./mapping/field-capabilities.ts";
export type { DocumentSource } from "./language/mapping.ts";
export { JsonLiteral, MAX_NESTING, readJson, type JsonTree } from "./json/exact-json.ts";
export { keysOf, objectOf, type TreeObject } from "./json/key-order.ts";
export { isTreeObject, mergeTrees, type MergedTree } from "./json/merge-trees.ts";
export { treeJson } from "./json/tree-text.ts";
export {
  readStoredTree,
  readTree,
  sourceOfBytes,
  sourceOfTree,
} from "./mapping/document-source.ts";
export { parseJson, scanJson, toJson, type JsonScan, type ParsedJson } from "./json/parse-json.ts";
export { endOfValue, findValue, lineOf, type JsonPath } from "./json/find-value.ts";
export { parseJsonSteps } from "./json/parse-in-slices.ts";
export { double, float, javaDouble, jsonText, rawJson } from "./json/json-text.ts";
export { filterSource, type SourceFilter, type SourceOption } from "./source/source-filter.ts";
export { sourceFilterOf } from "./source/source-filter.ts";
export { valuesAt } from "./source/source-values.ts";
export { storedFieldValues } from "./fetch/stored-fields.ts";
export {
  checkAliasFilter,
  checkQuery,
  checkQueryBody,
  checkSearchBody,
  searchBodyOf,
  type UriSearch,
} from "./request/check.ts";
export type { QueryLimits } from "./language/query-limits.ts";
export { isSuggestOnly, searchRequestOf, type SearchRequest } from "./request/search-request.ts";
export type { PointInTime } from "./request/options.ts";
export type { Slice } from "./request/slice.ts";
export { sliceMeets } from "./request/slice.ts";
export { executeQueryPhase, queryPhaseSteps } from "./search/query-phase.ts";
export { createEarlierShards, type EarlierShards } from "./search/earlier-shards.ts";
export { pageOf } from "./search/page.ts";
export { executeFetchPhase, fetchPhaseSteps } from "./fetch/fetch-phase.ts";
export { countSteps, executeCount, type ShardCount } from "./search/count.ts";
export { SharedMemory, withBudget, type Budget } from "./work/budget.ts";
export { canMatch, type CanMatch } from "./search/can-match.ts";
export { collectStatistics, mergeStatistics, statisticsSteps } from "./search/statistics.ts";
export { explainDocument, type Explanation } from "./search/explain.ts";
export { bothRestrictions, isRestricting, type Restriction } from "./restrict/restriction.ts";
export { restrictedView, restrictedViewSteps, shownSource } from "./restrict/restricted-view.ts";
export { createReducer, mergeResults, type ShardResult } from "./reduce/reducer.ts";
export { decodeFetchResult, decodePage, encodeFetchResult, encodePage } from "./codec/hits.ts";
export { hitMembers } from "./codec/hit-members.ts";
export { jsonTextSteps } from "./json/print-in-steps.ts";
export {
  decodeQueryResult,
  decodeStatistics,
  decodeTopDocs,
  queryResultSteps,
  decodePlain,
  encodePlain,
  encodeQueryResult,
} from "./codec/codec.ts";
export { Decimal, RawJson } from "./json/printable.ts";
export type { AggregationResults } from "./language/aggregation.ts";
export type { MergedDoc, QueryReducer, ReducedSearch } from "./reduce/reduced-search.ts";
export type {
  FetchResult,
  Hit,
  HitDetails,
  HitFields,
  HitSortValue,
  HitValue,
  MatchedQuery,
} from "./language/hits.ts";
export type {
  IndexSettings,
  MappedField,
  MappedObject,
  Mapping,
  ParsedDocument,
} from "./language/mapping.ts";
export type { Plain } from "./json/plain.ts";
export type { Printable, PrintedJson } from "./json/printable.ts";
export type {
  CompiledScripts,
  Script,
  ScriptContextName,
  ScriptEngine,
  Scripts,
} from "./language/script.ts";
export { DEFAULT_SCRIPT_SETTINGS, ScriptCompiler } from "./scripts/script-compiler.ts";
export { scriptContexts, type ScriptContext } from "./scripts/contexts.ts";
export type { QueryResult, SortValue, TopDoc, TotalHits } from "./language/results.ts";
export type {
  EarlierHits,
  SearchOptions,
  SearchStatistics,
  SegmentView,
  ShardView,
} from "./language/view.ts";
