/**
 * What a module of the search language is made of: the types of its rows, and the core's own building blocks for them.
 *
 * A field type compiles its parameters to a column, terms or numbers, and the way of a document's value into them. A query is
 * parsed at a `Cursor` and builds a `Plan`; one that no kind of plan expresses brings its own `Weight`. An aggregation collects
 * on each shard, leaves plain data, and is reduced and rendered on the coordinating node.
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
} from "./mapping/field.ts";
export {
  decimal,
  flag,
  integer,
  mappingFailure,
  meta,
  oneOf,
  text,
  textOf,
  type Parameter,
  type Parameters,
} from "./mapping/parameters.ts";
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
  type Cursor,
} from "./queries/cursor.ts";
export { parseFieldForm, parseParameters } from "./queries/common.ts";
export {
  buildQuery,
  fieldOf,
  shardError,
  type BuildContext,
  type ParseInner,
  type ParseQuery,
  type Query,
} from "./queries/query.ts";
export { rangePlan, termPlan, termsPlan, type RangeBounds } from "./queries/term-plan.ts";
export { none, type ExplainedHit, type OwnPlan, type Plan } from "./search/plan.ts";
export type { Searcher, SegmentContext } from "./search/searcher.ts";
export type { BatchSource, DocFilter, Scorer } from "./search/scorer.ts";
export type { Prepare, Weight } from "./search/weights/weight.ts";
export { setWeight, type SegmentSet } from "./search/weights/sets.ts";
export { ordinalRangeSet } from "./search/weights/columns.ts";
export type { Explanation } from "./search/explanation.ts";

export type { AggregationHead, ParseAggregation } from "./aggregations/parse.ts";
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
} from "./aggregations/types.ts";
export type { HitValue, Plain, Printable } from "./types.ts";
