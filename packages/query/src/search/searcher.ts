/** One search's view of a shard: its segments with accepted documents, and statistics over all of them. */
import {
  bm25Idf,
  createBm25Scorer,
  type Bm25Scorer,
  type SegmentReader,
  type TermDictionary,
} from "@orrery/segment";
import { lookup, utf8Decode } from "@orrery/stdx";
import { compiled, type CompiledMapping } from "../mapping/mapping.ts";
import type { SearchOptions, SearchStatistics, ShardView } from "../types.ts";
import { Budget } from "./budget.ts";

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

export function createSearcher(view: ShardView, options: SearchOptions): Searcher {
  let base = 0;
  const budget = options.budget ?? new Budget();
  const segments = view.segments.map(({ reader, live }, ord): SegmentContext => {
    const liveWords = live?.words;
    base += reader.maxDoc;
    return {
      ord,
      base: base - reader.maxDoc,
      reader,
      maxDoc: reader.maxDoc,
      live: liveWords,
      accept: acceptOf(reader, liveWords),
      budget,
    };
  });
  const fields = new Map<string, FieldStatistics>();
  const shared = options.statistics;
  const field = (name: string): FieldStatistics => {
    const known = fields.get(name);
    if (known !== undefined) return known;
    const statistics = lookup(shared?.fields, name) ?? fieldStatistics(segments, name);
    fields.set(name, statistics);
    return statistics;
  };
  return {
    view,
    mapping: compiled(view.mapping),
    segments,
    nowMs: options.nowMs,
    maxDoc: segments.reduce((sum, { maxDoc }) => sum + maxDoc, 0),
    field,
    term: (name, term) => termStatistics(segments, shared, name, term),
    idf: (name, docFreq) => bm25Idf(docFreq, Math.max(field(name).docCount, docFreq)),
    scorer: (name, idf, boost) => {
      const { docCount, sumTotalTermFreq } = field(name);
      return createBm25Scorer({ docCount, sumTotalTermFreq, idf, boost });
    },
    budget,
    shared,
  };
}

const combined = new WeakMap<
  Int32Array,
  { readonly live: Int32Array; readonly words: Int32Array }
>();

function acceptOf(reader: SegmentReader, live: Int32Array | undefined): Int32Array | undefined {
  const roots = reader.roots?.words;
  if (roots === undefined || live === undefined) return roots ?? live;
  const known = combined.get(roots);
  if (known?.live === live) return known.words;
  const words = live.map((word, i) => word & (roots[i] as number));
  combined.set(roots, { live, words });
  return words;
}

function fieldStatistics(segments: readonly SegmentContext[], name: string): FieldStatistics {
  let docCount = 0;
  let sumTotalTermFreq = 0;
  for (const { reader } of segments) {
    const stats = reader.terms(name)?.stats;
    if (stats === undefined) continue;
    docCount += stats.docCount;
    sumTotalTermFreq += stats.sumTotalTermFreq;
  }
  return { docCount, sumTotalTermFreq };
}

function termStatistics(
  segments: readonly SegmentContext[],
  shared: SearchStatistics | undefined,
  field: string,
  term: Uint8Array,
): TermStatistics {
  const ords = new Int32Array(segments.length).fill(-1);
  let docFreq = 0;
  let totalTermFreq = 0;
  for (const { reader, ord } of segments) {
    const terms = reader.terms(field);
    if (terms === undefined) continue;
    const found = terms.find(term);
    ords[ord] = found;
    if (found < 0) continue;
    docFreq += terms.docFreq(found);
    totalTermFreq += terms.totalTermFreq(found);
  }
  const overall = lookup(shared?.terms, `${field}\0${utf8Decode(term)}`);
  return { ...(overall ?? { docFreq, totalTermFreq }), ords };
}

/** Ordinals [from, to) of the terms between two bounds. */
export function termRange(
  dictionary: TermDictionary,
  bounds: {
    readonly lower: Uint8Array | undefined;
    readonly includesLower: boolean;
    readonly upper: Uint8Array | undefined;
    readonly includesUpper: boolean;
  },
): { readonly from: number; readonly to: number } {
  const { lower, upper } = bounds;
  let from = lower === undefined ? 0 : dictionary.ceiling(lower);
  if (lower !== undefined && !bounds.includesLower && dictionary.find(lower) === from) from += 1;
  let to = upper === undefined ? dictionary.size : dictionary.ceiling(upper);
  if (upper !== undefined && bounds.includesUpper && dictionary.find(upper) === to) to += 1;
  return { from, to: Math.max(from, to) };
}
