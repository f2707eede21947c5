/**
 * Mapping, query DSL, execution over segments, aggregations, sorting, fetching and reducing.
 *
 * A shard calls `executeQueryPhase`, `executeFetchPhase`, `executeCount`, `canMatch`; the coordinating node
 * `checkSearchBody`, `createReducer`.
 */
export { composeLanguage, type LanguageModule, type SearchLanguage } from "./language/language.ts";
export { coreLanguage, coreModule } from "./language/core.ts";
export { createMapping, extendMapping } from "./mapping/mapping.ts";
export { checkAnalysis } from "./mapping/analysis-settings.ts";
export { checkPartitioned, composeMappings, mergeMapping } from "./mapping/merge.ts";
export { describeFields, type DescribedField } from "./mapping/describe.ts";
export { fieldCapabilities, type FieldCapability } from "./mapping/field-capabilities.ts";
export { JsonLiteral, MAX_NESTING, type JsonTree } from "./json/exact-json.ts";
export type { TreeObject } from "./json/key-order.ts";
export { isTreeObject, mergeTrees, type MergedTree } from "./json/merge-trees.ts";
export { treeJson } from "./json/tree-text.ts";
export {
  readStoredTree,
  readTree,
  sourceOfBytes,
  sourceOfTree,
  type DocumentSource,
} from "./mapping/document-source.ts";
export { parseJson, scanJson, toJson, type JsonScan, type ParsedJson } from "./json/parse-json.ts";
export { endOfValue, findValue, lineOf, type JsonPath } from "./json/find-value.ts";
export { parseJsonSteps } from "./json/parse-in-slices.ts";
export { double, float, jsonText, rawJson } from "./json/json-text.ts";
export { filterSource, type SourceFilter, type SourceOption } from "./fetch/source-filter.ts";
export { sourceFilterOf } from "./fetch/source-filter.ts";
export { valuesAt } from "./fetch/source-values.ts";
export { storedFieldValues } from "./fetch/stored-fields.ts";
export {
  checkAliasFilter,
  checkQuery,
  checkQueryBody,
  checkSearchBody,
  searchBodyOf,
  type UriSearch,
} from "./request/check.ts";
export type { QueryLimits } from "./queries/limits.ts";
export { searchRequestOf, type SearchRequest } from "./request/search-request.ts";
export type { PointInTime, Slice } from "./request/options.ts";
export { sliceMeets } from "./search/slice.ts";
export { executeQueryPhase, queryPhaseSteps } from "./search/query-phase.ts";
export { pageOf } from "./search/page.ts";
export { executeFetchPhase, fetchPhaseSteps } from "./fetch/fetch-phase.ts";
export { countSteps, executeCount, type ShardCount } from "./search/count.ts";
export { SharedMemory, withBudget, type Budget } from "./search/budget.ts";
export { canMatch } from "./search/can-match.ts";
export { collectStatistics, mergeStatistics, statisticsSteps } from "./search/statistics.ts";
export { explainDocument, type Explanation } from "./search/explain.ts";
export { bothRestrictions, isRestricting, type Restriction } from "./restrict/restriction.ts";
export { restrictedView, shownSource } from "./restrict/restricted-view.ts";
export { createReducer } from "./reduce/reducer.ts";
export { decodeFetchResult, encodeFetchResult } from "./codec/hits.ts";
export { hitMembers } from "./fetch/hit-members.ts";
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
export { Decimal, RawJson } from "./types.ts";
export type {
  AggregationResults,
  FetchResult,
  Hit,
  HitDetails,
  HitFields,
  HitSortValue,
  HitValue,
  IndexSettings,
  MappedField,
  MappedObject,
  Mapping,
  MatchedQuery,
  MergedDoc,
  ParsedDocument,
  Plain,
  Printable,
  PrintedJson,
  QueryReducer,
  QueryResult,
  ReducedSearch,
  SearchOptions,
  SearchStatistics,
  SegmentView,
  ShardView,
  SortValue,
  TopDoc,
  TotalHits,
} from "./types.ts";
