/**
 * The view that one search has of a shard: its segments with their accepted documents, and
 * statistics over all of them. `execution/searcher.ts` implements it.
 */
import type { SegmentReader, Bm25Scorer } from "@orrery/segment";
import type { Budget } from "../work/budget.ts";
import type { CompiledMapping } from "./mapping.ts";
import type { SearchStatistics, ShardView } from "./view.ts";

/**
 * One segment of the shard, as one request sees it. Document numbers are local to the segment and
 * begin at 0.
 */
export interface SegmentContext {
  /** Index of the segment in the view. */
  readonly ord: number;
  /** Number of documents in the segments before this one, deleted ones included. */
  readonly base: number;
  readonly reader: SegmentReader;
  readonly maxDoc: number;
  /** Bit set of the documents that may be hits: live and not nested. `undefined`: all of them. */
  readonly accept: Int32Array | undefined;
  /** Bit set of the live documents, nested ones included; `undefined`: all of them. */
  readonly live: Int32Array | undefined;
  /** The budget of the phase (query, fetch) that the request is in. */
  readonly budget: Budget;
}

/**
 * Lucene's `CollectionStatistics`: documents with the field and tokens in them, deleted documents
 * included.
 */
export interface FieldStatistics {
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
}

/** Lucene's `TermStatistics`, deleted documents included. */
export interface TermStatistics {
  readonly docFreq: number;
  readonly totalTermFreq: number;
  /**
   * The frequencies are those of all shards (dfs). They override the document frequency of a plan
   * (`TermPlan.docFreq`).
   */
  readonly isOverall: boolean;
  /**
   * The term's ordinal in each segment by `SegmentContext.ord`; -1 where the segment lacks the
   * term.
   */
  readonly ords: Int32Array;
}

/** The segments and statistics of a shard for one request (Lucene's `IndexSearcher`). */
export interface Searcher {
  readonly view: ShardView;
  readonly mapping: CompiledMapping;
  readonly segments: readonly SegmentContext[];
  /** The time of the request in milliseconds of Unix time, equal on all shards. */
  readonly nowMs: number;
  /** Number of documents in all segments, deleted and nested ones included. */
  readonly maxDoc: number;
  /** Statistics of a field; zeros if no segment has it. */
  field(name: string): FieldStatistics;
  term(field: string, term: Uint8Array): TermStatistics;
  /** A BM25 scorer for a term or a phrase, whose terms' idfs add up to `idf`. */
  scorer(field: string, idf: number, boost: number): Bm25Scorer;
  /** Inverse document frequency of a term with this document frequency, a float. */
  idf(field: string, docFreq: number): number;
  /** The budget of the phase (query, fetch) that the request is in. */
  readonly budget: Budget;
  /**
   * Statistics over all shards, sent by the coordinating node (dfs); `undefined`: the shard's own
   * count.
   */
  readonly shared: SearchStatistics | undefined;
}
