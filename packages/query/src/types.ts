/**
 * The vocabulary of searching: a shard's view, requests as the JSON DSL, results as plain data.
 *
 * Everything that crosses the wire here is plain data and has a codec (`encodeQueryResult` …). Requests travel as the
 * JSON DSL and are parsed where they run; `checkSearchBody` refuses a bad one early, with line and column.
 */
import type { FieldSpec, FieldValue, LiveDocs, SegmentReader } from "@orrery/segment";
import type { Json, JsonObject } from "@orrery/stdx";
import type { SearchLanguage } from "./language/language.ts";
import type { Explanation } from "./search/explanation.ts";
import type { DocumentSource } from "./mapping/document-source.ts";
import type { QueryLimits } from "./queries/limits.ts";
import type { Budget } from "./search/budget.ts";
import type { SuggestPartial } from "./suggest/run.ts";

/** An index's settings, flat, as the cluster state holds them: `"index.mapping.depth.limit": "20"`. */
export type IndexSettings = Readonly<Record<string, string | readonly string[]>>;

// ---------------------------------------------------------------------------------------------- mapping

/** One index's fields, compiled. Immutable; make a new one when the mapping JSON changes. */
export interface Mapping {
  /** Its field types are what the mapping was made of; search bodies of the index are read in it. */
  readonly language: SearchLanguage;
  /** Normalised JSON, as `GET _mapping` shows it. */
  readonly json: JsonObject;
  /** `_routing: {required: true}`. */
  readonly isRoutingRequired: boolean;
  readonly hasNested: boolean;
  /**
   * The document as the segment writer wants it. Throws `OperationError` (`mapper_parsing_exception`,
   * `strict_dynamic_mapping_exception` …) in OpenSearch's words.
   */
  parseDocument(
    id: string,
    source: Uint8Array | DocumentSource,
    routing: string | undefined,
  ): ParsedDocument;
  /** A field by its full path, multi-fields and aliases (resolved) included; metadata fields too. */
  field(name: string): MappedField | undefined;
  /** Full paths that match a pattern with `*`, in order of name. */
  matchFields(pattern: string): string[];
  object(path: string): MappedObject | undefined;
  /** All fields, in order of name. */
  readonly fields: ReadonlyMap<string, MappedField>;
  readonly objects: ReadonlyMap<string, MappedObject>;
}

export interface ParsedDocument {
  readonly fields: readonly FieldValue[];
  readonly children: readonly (readonly FieldValue[])[];
  /** What dynamic mapping wants to add, to be merged with `mergeMapping`; until then the document must not be indexed. */
  readonly mappingUpdate: JsonObject | undefined;
  /** What to store as `_source`: the same bytes unless the mapping filters it; `undefined` when `_source` is disabled. */
  readonly source: Uint8Array | undefined;
}

/** A compiled leaf field: definition, how it is stored, and the way from JSON value to index and back. */
export interface MappedField {
  /** Full path. */
  readonly name: string;
  /** As in the mapping: `long`, `keyword` … */
  readonly type: string;
  /** The definition as the mapping shows it (defaults left out). */
  readonly definition: JsonObject;
  readonly spec: FieldSpec;
  readonly isIndexed: boolean;
  readonly hasDocValues: boolean;
  readonly isStored: boolean;
  /** Path of the nearest nested object, or `undefined`. */
  readonly nestedPath: string | undefined;
}

export interface MappedObject {
  readonly path: string;
  readonly isNested: boolean;
}

// ---------------------------------------------------------------------------------------------- shard view

/** A point in time of one shard: what a searcher sees. Segments in order; doc values of `segment` count this list. */
export interface ShardView {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly settings: IndexSettings;
  readonly mapping: Mapping;
  readonly segments: readonly SegmentView[];
}

export interface SegmentView {
  readonly reader: SegmentReader;
  /** `undefined`: every document is live. */
  readonly live: LiveDocs | undefined;
}

export interface SearchOptions {
  /** For `now` in date math. The coordinating node decides it once per request. */
  readonly nowMs: number;
  /** Filter of the alias through which the index was named. */
  readonly aliasFilter?: JsonObject | undefined;
  /** From `indices_boost`; default 1. */
  readonly indexBoost?: number | undefined;
  /** Called between batches of documents: throws to cancel. */
  readonly checkCancelled?: (() => void) | undefined;
  /** Called between batches: true ends collection with `timedOut`. */
  readonly isTimedOut?: (() => boolean) | undefined;
  /** Asked now and then: true lets others have a turn, where the caller takes the query phase step by step. */
  readonly isTurnOver?: (() => boolean) | undefined;
  /** Memory and work of the request; each phase makes a budget where none is given. */
  readonly budget?: Budget | undefined;
  /** Only the documents after this one, in the request's order: scroll. */
  readonly after?: TopDoc | undefined;
  /** Statistics over all shards, for `dfs_query_then_fetch`. */
  readonly statistics?: SearchStatistics | undefined;
  /** `search.allow_expensive_queries`; default true. */
  readonly allowExpensiveQueries?: boolean | undefined;
  /** Of the node; the product's defaults where there are none. */
  readonly limits?: QueryLimits | undefined;
  /** `search.max_buckets`; default 65535. */
  readonly maxBuckets?: number | undefined;
  /** Shards in the whole search, for the sizes of `terms`; default: the index's shards. */
  readonly totalShards?: number | undefined;
  /** The search opens or continues a scroll; runs on a point in time. They may use `slice`. */
  readonly isScroll?: boolean | undefined;
  readonly isPointInTime?: boolean | undefined;
  /** Position of the shard in the search's list of shards: the upper half of `_shard_doc`. */
  readonly shardIndex?: number | undefined;
  /** Which of how many shards this is, for `slice`; default: the only one. */
  readonly slicing?: { readonly shard: number; readonly shards: number } | undefined;
  /** Do not count hits beyond what the page needs: set for scroll pages after the first. */
  readonly skipCount?: boolean | undefined;
}

/** Term and field statistics, summed over shards by `mergeStatistics`. */
export interface SearchStatistics {
  readonly maxDoc: number;
  /** By `field \0 term`. */
  readonly terms: Readonly<
    Record<string, { readonly docFreq: number; readonly totalTermFreq: number }>
  >;
  readonly fields: Readonly<
    Record<string, { readonly docCount: number; readonly sumTotalTermFreq: number }>
  >;
}

// ---------------------------------------------------------------------------------------------- query phase

/** A sort value as on the wire: numbers (bigint beyond 2^53), text, booleans never; `null` is a missing keyword. */
export type SortValue = number | bigint | string | null;

export interface TopDoc {
  readonly segment: number;
  readonly doc: number;
  /** `NaN` when scores are not tracked. */
  readonly score: number;
  /** Present when the request sorts: the comparable value of each sort key. */
  readonly sort?: readonly SortValue[] | undefined;
  /** What the hit prints under `sort`, when it differs from `sort` (formatted dates, decoded ips). */
  readonly sortText?: readonly SortValue[] | undefined;
  /** With `collapse`: the group's value. */
  readonly collapse?: SortValue | undefined;
}

export interface TotalHits {
  readonly value: number;
  readonly relation: "eq" | "gte";
}

export interface QueryResult {
  /** `undefined` with `track_total_hits: false`. */
  readonly totalHits: TotalHits | undefined;
  /** `NaN` when there is none. */
  readonly maxScore: number;
  /** Best first, at most `from + size`. */
  readonly topDocs: readonly TopDoc[];
  /** Partial aggregations by name; opaque but for the reducer. `undefined` when none were asked for. */
  readonly aggregations: Plain | undefined;
  readonly suggest: SuggestPartial | undefined;
  /** `"profile"` section of this shard, when asked for. */
  readonly profile: Plain | undefined;
  readonly timedOut: boolean;
  /** `undefined` unless `terminate_after` was given. */
  readonly terminatedEarly: boolean | undefined;
}

/** What the compact codec carries. */
export type Plain =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Decimal
  | readonly Plain[]
  | { readonly [key: string]: Plain };

/** A type extends this if the compact codec carries its members. An interface is no `Plain`: it has no index signature. */
export type PlainShape<Value> = Plain | { readonly [Key in keyof Value]: PlainMember<Value[Key]> };

type PlainMember<Value> = Value extends Plain
  ? Value
  : Value extends symbol | ((...parameters: never) => unknown)
    ? never
    : PlainShape<Value>;

// ---------------------------------------------------------------------------------------------- fetch phase

export interface FetchResult {
  /** In the order of the documents asked for. */
  readonly hits: readonly Hit[];
}

/** A document that a search found, from the shard that has it to the answer. What is `undefined` is not shown. */
export interface Hit {
  readonly index: string;
  readonly id: string | undefined;
  /** `NaN`: scores are not tracked. */
  readonly score: number;
  /** The bytes that were indexed, or what a filter left of them. */
  readonly source: Uint8Array | undefined;
  /** As they are shown, in the order of the sort keys. */
  readonly sort: readonly HitSortValue[] | undefined;
  /** `undefined`: none of them. */
  readonly details: HitDetails | undefined;
}

/** Parts of a hit that few requests ask for, and few documents have. */
export interface HitDetails {
  /** The copy that was asked, with `explain`. */
  readonly copy?: { readonly shard: number; readonly nodeId: string } | undefined;
  readonly version?: number | undefined;
  readonly seqNo?: number | undefined;
  readonly primaryTerm?: number | undefined;
  /** Fields whose values were not indexed. */
  readonly ignored?: readonly string[] | undefined;
  readonly routing?: string | undefined;
  readonly fields?: HitFields | undefined;
  /** Marked fragments by field. */
  readonly highlight?: { readonly [field: string]: readonly string[] } | undefined;
  readonly matchedQueries?: readonly MatchedQuery[] | undefined;
  readonly explanation?: Explanation | undefined;
}

/** Values by field. */
export type HitFields = { readonly [field: string]: readonly HitValue[] };

export type HitValue = Json | Decimal;

export type HitSortValue = SortValue | Decimal;

export interface MatchedQuery {
  readonly name: string;
  /** `undefined`: not asked for. */
  readonly score: number | undefined;
}

// ---------------------------------------------------------------------------------------------- reduce

/** A document of the merged page; `shard` is the number under which its result was added. */
export interface MergedDoc extends TopDoc {
  readonly shard: number;
}

export interface ReducedSearch {
  readonly totalHits: TotalHits | undefined;
  /** `NaN` prints as `null`. */
  readonly maxScore: number;
  /** The page: after `from`, at most `size`. Fetch these. */
  readonly docs: readonly MergedDoc[];
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  /** `undefined`: none were asked for. */
  readonly aggregations: AggregationResults | undefined;
  /** Suggestions by name; `undefined`: none were asked for. */
  readonly suggest: { readonly [name: string]: PrintedJson } | undefined;
  /** How many partial reductions happened (`num_reduce_phases` is printed when it is not 1). */
  readonly reducePhases: number;
}

/** Aggregations of all shards, reduced. */
export interface AggregationResults {
  /** By name, and with `typedKeys` by type and name. Lists of buckets are made as they are printed. */
  render(options: { readonly typedKeys: boolean }): { readonly [name: string]: Printable };
}

export interface QueryReducer {
  /** Throws what `finish` would throw for any result of a shard, as far as the request alone tells. */
  check(): void;
  /** `shard` numbers the result; ties sort by it. May be called in any order. */
  add(shard: number, result: QueryResult): void;
  /**
   * The final reduction; yields between two results of a bucket, when `isTurnOver` says so. With no result at all: empty hits and
   * empty aggregations.
   */
  finish(isTurnOver: () => boolean): Generator<undefined, ReducedSearch>;
}

// ---------------------------------------------------------------------------------------------- JSON with raw parts

/** JSON text that is already right: printed as it is (`1.0`, a stored document). A class, as no JSON of a client is one. */
export class RawJson {
  /** A text, or its UTF-8. */
  readonly rawJson: string | Uint8Array;
  constructor(json: string | Uint8Array) {
    this.rawJson = json;
  }
}

/** A number that prints as a Java `double` or `float`, always with a fraction. A class, as no JSON of a client is one. */
export class Decimal {
  readonly value: number;
  readonly type: "double" | "float";
  constructor(value: number, type: "double" | "float") {
    this.value = value;
    this.type = type;
  }
}

/** A list, or an object where there are keys, whose items are made as they are printed. A class, as no JSON of a client is one. */
export class LazyItems {
  readonly length: number;
  readonly at: (index: number) => Printable;
  readonly key: ((index: number) => string) | undefined;
  constructor(length: number, at: (index: number) => Printable, key?: (index: number) => string) {
    this.length = length;
    this.at = at;
    this.key = key;
  }
}

/** JSON with parts that are text already; `undefined` properties are left out. */
export type PrintedJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly PrintedJson[]
  | { readonly [key: string]: PrintedJson | undefined };

/** What `jsonText` prints; `undefined` properties are left out. */
export type Printable =
  | PrintedJson
  | LazyItems
  | undefined
  | readonly Printable[]
  | { readonly [key: string]: Printable };
