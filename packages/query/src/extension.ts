/**
 * The interface of modules that extend the search language: the types of their definitions, and
 * building blocks of the core.
 *
 * - A field type compiles mapping parameters to a column, to terms, or to numbers, and converts a
 *   document's values.
 * - A query is parsed at a `Cursor` and builds a `Plan`. One that no kind of plan expresses brings
 *   a `Weight` of its own.
 * - An aggregation collects on each shard, leaves plain data, and is reduced and rendered on the
 *   coordinating node. A suggestion, which reads terms, works likewise.
 * - A sort gives a value for each document. A rescorer gives new scores to the best documents.
 * - A script engine compiles sources to functions of documents and of buckets.
 */
export type { LanguageModule } from "./language/language.ts";

export type {
  BoundContext,
  ColumnValues,
  CompiledField,
  CompiledType,
  CompileInput,
  DocumentSink,
  FieldQueries,
  FieldType,
  FieldValues,
  NumberValues,
  TermValues,
  TextKind,
} from "./language/field-type.ts";
export {
  decimal,
  flag,
  integer,
  mappingFailure,
  meta,
  oneOf,
  text,
  textOf,
} from "./mapping/parameters.ts";
export type { Parameter, Parameters } from "./language/parameter.ts";
export type { JsonTree } from "./json/exact-json.ts";
export { presentText, stringOf } from "./mapping/types/text.ts";

export {
  booleanOf,
  boostOf,
  child,
  floatOf,
  intOf,
  items,
  members,
  parsingError,
  scalarText,
} from "./body/cursor.ts";
export type { Cursor } from "./language/cursor.ts";
export { parseFieldForm, parseParameters } from "./queries/common.ts";
export { buildQuery, fieldOf, shardError } from "./queries/query.ts";
export type { BuildContext, ParseInner, ParseQuery, Query } from "./language/query.ts";
export { rangePlan, termPlan, termsPlan } from "./queries/term-plan.ts";
export type { RangeBounds } from "./language/field-type.ts";
export { none, type ExplainedHit, type OwnPlan, type Plan } from "./language/plan.ts";
export type { Searcher, SegmentContext } from "./language/searcher.ts";
export type { BatchSource, DocFilter, Scorer } from "./language/scorer.ts";
export type { Prepare, Weight } from "./language/weight.ts";
export { setWeight, type SegmentSet } from "./execution/weights/sets.ts";
export { ordinalRangeSet } from "./execution/weights/columns.ts";
export type { Explanation } from "./language/explanation.ts";

export type { AggregationHead, ParseAggregation } from "./language/aggregation.ts";
export {
  defineBuckets,
  defineMetric,
  definePipeline,
  type BucketDefinition,
  type MetricDefinition,
  type PipelineDefinition,
} from "./aggregations/define.ts";
export { createChildren, reduceChildren, renderChildren } from "./aggregations/children.ts";
export { partialOf, reduceBuckets } from "./aggregations/reduce-steps.ts";
export { Options } from "./aggregations/options.ts";
export { aggregatedField, numberSource, type ValuesSpec } from "./aggregations/values.ts";
export type {
  Aggregation,
  AggregationContext,
  Aggregator,
  LeafCollector,
  ReduceContext,
  RenderOptions,
} from "./language/aggregation.ts";
export type { SegmentSort, SortKey, SortOrder, SortReader, SortType } from "./language/sort.ts";
export { defineSort, type SortSource } from "./sorts/define-sort.ts";
export { readOptions } from "./sorts/sort-options.ts";
export type { SortValue, TopDoc } from "./language/results.ts";

export type { ParseSuggestion, Suggestion, SuggestionHead } from "./language/suggester.ts";
export { defineSuggestion } from "./suggest/define-suggestion.ts";
export type { Prepared } from "./language/query.ts";
export type { Rest } from "./work/steps.ts";

export type { ParseRescorer, Rescorer } from "./language/rescorer.ts";
export type {
  BoundScript,
  BucketScript,
  CompiledScripts,
  DocumentScript,
  DocValues,
  ScriptEngine,
  ScriptLookup,
  ScriptValue,
} from "./language/script.ts";
export type { HitValue } from "./language/hits.ts";
export type { Plain } from "./json/plain.ts";
export type { Printable, PrintedJson } from "./json/printable.ts";
