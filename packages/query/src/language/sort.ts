/**
 * A sort key: parsed from a request, read by a reader on each shard, and compared once more on the coordinating node, which has no
 * mapping. Values of sort keys cross the wire.
 */
import type { Points } from "@orrery/segment";
import type { Json } from "@orrery/stdx";
import type { Decimal } from "../json/printable.ts";
import type { Cursor } from "./cursor.ts";
import type { CompiledMapping } from "./mapping.ts";
import type { BuildContext } from "./query.ts";
import type { SortValue } from "./results.ts";
import type { SegmentContext } from "./searcher.ts";

/** The order of values, on shards and between shards. */
export interface SortOrder {
  readonly isDescending: boolean;
  /** Missing values (`null`) come last whatever the direction, or first. */
  readonly isMissingFirst: boolean;
}

export interface SortKey extends SortOrder {
  /** As in the request: `_score`, a field. */
  readonly name: string;
  /** Values are scores: hits are scored. */
  readonly isScore: boolean;
  /** The field whose numbers are the values: its least and its greatest bound them on a shard. */
  readonly field: string | undefined;
  /** The Java type that numbers print as in hits; `undefined`: whole numbers as they are, others as doubles. */
  printsAs(mapping: CompiledMapping): Decimal["type"] | undefined;
  /** Throws `OperationError`. `shardIndex`: the shard's position in the list of shards of the search. */
  reader(context: BuildContext, shardIndex: number): SortReader;
}

/** A row of the language: the sort of one name. Names of sorts begin with `_`; every other name is a field's. */
export interface SortType {
  /** The key of the name alone (`"_doc"`) or with an order (`{"_doc": "desc"}`). Absent: the name alone is a field's. */
  readonly named?: (isDescending: boolean | undefined) => SortKey;
  /** The key of the name with options. */
  parse(at: Cursor): SortKey;
}

/** A key, ready for one shard. */
export interface SortReader extends SortOrder {
  readonly isScore: boolean;
  /** Values are made of scores: documents are scored, and hits show no score. */
  readonly needsScore?: boolean;
  /** Values ascend with documents. */
  readonly isDoc: boolean;
  open(segment: SegmentContext): SegmentSort;
  /** The value that a hit prints, where it is not the value itself. */
  readonly print: ((value: SortValue) => SortValue) | undefined;
  /** The value that `search_after` has. Throws `OperationError`. */
  parse(value: Json): SortValue;
}

export interface SegmentSort {
  value(doc: number, score: number): SortValue;
  /**
   * A number whose order is the values' order within this segment (an ordinal, the value itself), and the same of a value
   * from elsewhere; absent when there is none.
   */
  readonly rank: { of(doc: number): number; ofValue(value: SortValue): number } | undefined;
  /** Ranks by document: one array read. */
  readonly ranks: Int32Array | Float64Array | undefined;
  /** All documents of the segment in the order of these ranks. */
  readonly points?: Points | undefined;
}
