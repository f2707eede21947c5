/** One search's view of a shard: its segments with accepted documents, and statistics over all of them. */
import type { SegmentReader, Bm25Scorer } from "@orrery/segment";
import type { Budget } from "../work/budget.ts";
import type { CompiledMapping } from "./mapping.ts";
import type { SearchStatistics, ShardView } from "./view.ts";

export interface SegmentContext {
  readonly ord: number;
  /** Documents in the segments before this one. */
  readonly base: number;
  readonly reader: SegmentReader;
  readonly maxDoc: number;
  /** Documents that count: live and not nested. `undefined`: all. */
  readonly accept: Int32Array | undefined;
  /** Live documents, nested ones included; `undefined`: all. */
  readonly live: Int32Array | undefined;
  /** Of the request's phase. */
  readonly budget: Budget;
}

export interface FieldStatistics {
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
}

export interface TermStatistics {
  readonly docFreq: number;
  readonly totalTermFreq: number;
  /** The term's ordinal per segment, -1 where it is missing. */
  readonly ords: Int32Array;
}

export interface Searcher {
  readonly view: ShardView;
  readonly mapping: CompiledMapping;
  readonly segments: readonly SegmentContext[];
  readonly nowMs: number;
  /** Documents of all segments, deleted ones included. */
  readonly maxDoc: number;
  field(name: string): FieldStatistics;
  term(field: string, term: Uint8Array): TermStatistics;
  /** BM25 for terms whose idfs add up to `idf`. */
  scorer(field: string, idf: number, boost: number): Bm25Scorer;
  idf(field: string, docFreq: number): number;
  /** Of the request's phase. */
  readonly budget: Budget;
  /** Overall statistics, if the coordinating node sent some (dfs). */
  readonly shared: SearchStatistics | undefined;
}
