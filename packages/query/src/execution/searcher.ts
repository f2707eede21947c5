/**
 * The searcher of one request on one shard: its segments with their accepted documents, and the
 * statistics of fields and terms, which it looks up when a weight asks for them. The type is in
 * `language/searcher.ts`; Lucene's is `IndexSearcher`.
 */
import type {
  SegmentContext,
  FieldStatistics,
  TermStatistics,
  Searcher,
} from "../language/searcher.ts";
import {
  bm25Idf,
  createBm25Scorer,
  type SegmentReader,
  type TermDictionary,
} from "@orrery/segment";
import { lookup, utf8Decode } from "@orrery/stdx";
import { compiled } from "../mapping/mapping.ts";
import type { SearchOptions, SearchStatistics, ShardView } from "../language/view.ts";
import { Budget } from "../work/budget.ts";

/**
 * Makes the searcher of one request. Statistics that the coordinating node has sent
 * (`options.statistics`, after a DFS phase) replace those of the shard's segments.
 */
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
    // A document count below the document frequency would give a negative idf, so it is raised to
    // it.
    idf: (name, docFreq) => bm25Idf(docFreq, Math.max(field(name).docCount, docFreq)),
    scorer: (name, idf, boost) => {
      const { docCount, sumTotalTermFreq } = field(name);
      return createBm25Scorer({ docCount, sumTotalTermFreq, idf, boost });
    },
    budget,
    shared,
  };
}

/**
 * Root documents that are live, kept for the last live docs of each segment: a refresh replaces
 * them, and every search between two refreshes needs the same ones. Keys are weak, so the words end
 * with their segment.
 */
const combined = new WeakMap<
  Int32Array,
  { readonly live: Int32Array; readonly words: Int32Array }
>();

/**
 * The documents that count as hits: live and not nested. `undefined`: all documents of the segment.
 */
function acceptOf(reader: SegmentReader, live: Int32Array | undefined): Int32Array | undefined {
  const roots = reader.roots?.words;
  if (roots === undefined || live === undefined) return roots ?? live;
  const known = combined.get(roots);
  if (known?.live === live) return known.words;
  const words = live.map((word, i) => word & (roots[i] as number));
  combined.set(roots, { live, words });
  return words;
}

/** Sums over the segments, deleted documents included, as in Lucene: merges remove them. */
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

/**
 * The term's ordinal in each segment is always the shard's own; frequencies come from the
 * coordinating node if it sent some.
 */
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
  return {
    ...(overall ?? { docFreq, totalTermFreq }),
    isOverall: overall !== undefined,
    ords,
  };
}

/**
 * Ordinals [from, to) of the terms between two bounds in byte order; an `undefined` bound is open.
 * Empty ranges have `from` equal to `to`.
 */
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
