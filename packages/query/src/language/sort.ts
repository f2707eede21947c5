/**
 * A sort key is parsed from a request, read by a reader on each shard, and compared once more on
 * the coordinating node, which has no mapping. Values of sort keys cross the wire. Source:
 * `SortBuilder`, Lucene's `SortField` and `FieldComparator`.
 */
import type { Points } from "@orrery/segment";
import type { Json } from "@orrery/stdx";
import type { Decimal } from "../json/printable.ts";
import type { Cursor } from "./cursor.ts";
import type { CompiledMapping } from "./mapping.ts";
import type { BuildContext } from "./query.ts";
import type { SortValue } from "./results.ts";
import type { SegmentContext } from "./searcher.ts";

/** The order of values, the same on shards and between shards. */
export interface SortOrder {
  readonly isDescending: boolean;
  /** Missing values (`null`) come first; otherwise last. Either holds in both directions. */
  readonly isMissingFirst: boolean;
}

/** One key of a request's `sort`. */
export interface SortKey extends SortOrder {
  /** The name in the request: `_score`, or a field. */
  readonly name: string;
  /** The values are scores, so hits are scored. */
  readonly isScore: boolean;
  /**
   * The field whose numbers are the sort values, so that its least and greatest number on a shard
   * bound them; `undefined`: the sort values are not the numbers of one field.
   */
  readonly field: string | undefined;
  /**
   * The Java type as which numbers print in hits; `undefined`: integers as they are, others as
   * doubles.
   */
  printsAs(mapping: CompiledMapping): Decimal["type"] | undefined;
  /**
   * The reader for one shard. `shardIndex` is the shard's position in the list of shards of the
   * search.
   * @throws OperationError a shard failure
   */
  reader(context: BuildContext, shardIndex: number): SortReader;
}

/**
 * A sort of the search language, by its name, which begins with `_`. Any other name in a `sort` is
 * a field's.
 */
export interface SortType {
  /**
   * The key of the name alone (`"_doc"`) or with an order (`{"_doc": "desc"}`); `undefined` as
   * argument: the default order. Absent: the name alone is a field's.
   */
  readonly named?: (isDescending: boolean | undefined) => SortKey;
  /**
   * The key of the name with options.
   * @throws OperationError 400
   */
  parse(at: Cursor): SortKey;
}

/** A sort key on one shard: reads the values of documents. */
export interface SortReader extends SortOrder {
  /** The values are scores. */
  readonly isScore: boolean;
  /** The values are computed from scores: documents are scored, though hits show no score. */
  readonly needsScore?: boolean;
  /** The values ascend with documents, so a full page in ascending order is final. */
  readonly isDoc: boolean;
  /** The values of a segment. */
  open(segment: SegmentContext): SegmentSort;
  /** The value that a hit prints; `undefined`: the value itself. */
  readonly print: ((value: SortValue) => SortValue) | undefined;
  /**
   * The value for which a value of `search_after` stands.
   * @throws OperationError 400
   */
  parse(value: Json): SortValue;
}

/** The values of one segment's documents. */
export interface SegmentSort {
  /** The value of a document; `null`: missing. */
  value(doc: number, score: number): SortValue;
  /**
   * Numbers in the order of the values within this segment (an ordinal, or the value itself), of a
   * document and of a value from another segment. `undefined`: the values have none.
   */
  readonly rank: { of(doc: number): number; ofValue(value: SortValue): number } | undefined;
  /**
   * Ranks by document, so that a comparison reads one array; `undefined`: `rank` has to be called.
   */
  readonly ranks: Int32Array | Float64Array | undefined;
  /** All documents of the segment in the order of these ranks. */
  readonly points?: Points | undefined;
}
