/**
 * The query phase on one shard: the best documents, the number of hits, and the partials of
 * aggregations and suggestions. Source: `QueryPhase`.
 *
 * For each segment the hits are counted ahead where that is cheap, then a batch source is drained:
 * `min_score`, aggregations, `post_filter`, counting, collecting, in this order. Once no more hits
 * have to be counted (`track_total_hits`), the source skips documents that cannot enter the page.
 */
import { greatest, illegalArgument, type JsonObject } from "@orrery/stdx";
import { BatchScores } from "../aggregations/batch-scores.ts";
import { createChildren, type Children } from "../aggregations/children.ts";
import { checkPlacement } from "../aggregations/placement.ts";
import type { LeafCollector } from "../language/aggregation.ts";
import { executeFetchPhase } from "../fetch/fetch-phase.ts";
import { buildRoot } from "../queries/query.ts";
import { isSuggestOnly, searchRequestOf, type SearchRequest } from "../request/search-request.ts";
import { suggestSteps } from "../suggest/suggest.ts";
import type { QueryResult, TopDoc, TotalHits } from "../language/results.ts";
import type { SearchOptions, ShardView } from "../language/view.ts";
import { collapseDocs } from "./collapse.ts";
import { endsEarly, endsUncounted } from "./early-end.ts";
import { prepareSteps } from "../request/prepared.ts";
import type { Prepared } from "../language/query.ts";
import { checkCollapsedCursor, checkRequest, settingOf } from "../request/request-limits.ts";
import { rescoreDocs } from "../rescore/rescore.ts";
import { Budget } from "../work/budget.ts";
import type { Plan } from "../language/plan.ts";
import type { BatchSource, DocFilter } from "../language/scorer.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { SortReader } from "../language/sort.ts";
import { allSteps, restOf } from "../work/steps.ts";
import { bestFirst } from "../sorts/best-first.ts";
import { TopFields } from "../sorts/top-fields.ts";
import { TopScores } from "../sorts/top-scores.ts";
import { filterOf } from "../execution/weights/bool.ts";
import { ScorerSource } from "../execution/weights/sets.ts";
import { weightOf } from "../execution/weights/table.ts";
import { acceptFilters } from "../execution/weights/term.ts";
import { expandPatterns, patternsOf } from "../execution/weights/terms.ts";
import type { Weight } from "../language/weight.ts";

/**
 * Runs the query phase at once. `body` was checked by `checkSearchBody`.
 * @throws OperationError a shard failure
 */
export function executeQueryPhase(
  view: ShardView,
  body: JsonObject,
  options: SearchOptions,
): QueryResult {
  return allSteps(queryPhaseSteps(view, body, { ...options, isTurnOver: () => false }));
}

/** `executeQueryPhase` in steps: yields when `isTurnOver` returns true. */
export function* queryPhaseSteps(
  view: ShardView,
  body: JsonObject,
  given: SearchOptions,
): Generator<undefined, QueryResult> {
  const request = searchRequestOf(view.mapping.language, body);
  const budget = given.budget ?? new Budget();
  const options = { ...given, budget };
  checkRequest(view, request, options);
  const input = { query: request.query, slice: request.slice };
  const prepared = yield* prepareSteps(view, input, options);
  return yield* new QueryRun(view, request, { prepared, options, budget }).run();
}

/** Bytes of a sort value over its whole way: it is kept, encoded, decoded and printed. */
const SORT_VALUE_BYTES = 64;

/** Batches, of 128 to 1,024 documents, between two looks at the clock. */
const BATCHES_A_LOOK = 4;

/** Documents that aggregations collect at once at most, and the steps that they should take. */
const MOST_DOCS_AT_ONCE = 4096;
const STEPS_AT_ONCE = 1_000_000;

/**
 * The count of a segment whose hits make no difference any more: not 0, because there may be some.
 */
const UNCOUNTED = 1;

/** Highest limit of counting for which hits are counted ahead: counting does not yield. */
const MOST_COUNTED_AHEAD = 65_536;

/** The prepared query. */
interface RunInput {
  readonly prepared: Prepared;
  readonly options: SearchOptions;
  readonly budget: Budget;
}

/** One query phase. Segments are read in order; `total` counts hits so far. */
class QueryRun {
  private readonly request: SearchRequest;
  private readonly prepared: Prepared;
  private readonly options: SearchOptions;
  private readonly budget: Budget;
  private readonly weight: Weight;
  private readonly postFilter: Weight | undefined;
  /**
   * Plans of the query, of `post_filter` and of aggregations, whose patterns are expanded for each
   * segment. Aggregations add theirs while they are created.
   */
  private readonly plans: readonly Plan[];
  private readonly aggregations: Children | undefined;
  private readonly top: TopScores | undefined;
  private readonly topFields: TopFields | undefined;
  private readonly needsScores: boolean;
  /**
   * Scores of hits are shown. Scripts, aggregations and `min_score` may need scores that are not.
   */
  private readonly showsScores: boolean;
  /**
   * Documents that are kept: the page with all before it, the rescoring window, or all hits if they
   * are collapsed.
   */
  private readonly needed: number;
  /** Hits that are counted exactly; beyond, the total is a lower bound. */
  private readonly threshold: number;
  /**
   * True if the request reads only the page and the number of hits, which can then be counted
   * separately.
   */
  private readonly countsAhead: boolean;
  private total = 0;
  private isTimedOut = false;
  private docsAtOnce = 1;
  private isTerminated = false;
  private maxScore = Number.NaN;
  private scoreCopy = new Float32Array(0);
  private readonly batchScores = new BatchScores();

  constructor(view: ShardView, request: SearchRequest, { prepared, options, budget }: RunInput) {
    this.request = request;
    this.prepared = prepared;
    this.options = options;
    this.budget = budget;
    const { context, searcher } = prepared;
    const readers = this.sortKeys();
    const tree = request.aggregations;
    const withoutTurns = { ...options, isTurnOver: undefined };
    this.showsScores =
      request.trackScores ||
      (request.size > 0 && (readers === undefined || readers.some(({ isScore }) => isScore)));
    this.needsScores =
      this.showsScores ||
      request.minScore !== undefined ||
      (tree?.some(({ needsScores }) => needsScores) ?? false) ||
      readers?.some(({ needsScore }) => needsScore === true) === true;
    this.weight = weightOf(prepared.plan, searcher, { needsScores: this.needsScores });
    const plans = [prepared.plan];
    this.plans = plans;
    if (request.postFilter !== undefined) {
      const plan = buildRoot(request.postFilter, context);
      plans.push(plan);
      this.postFilter = weightOf(plan, searcher, { needsScores: false });
    }
    if (tree !== undefined) checkPlacement(tree);
    this.aggregations =
      tree === undefined || tree.length === 0
        ? undefined
        : createChildren(tree, {
            build: context,
            options,
            filters: prepared.filters,
            budget: this.budget,
            plans,
            scores: this.batchScores,
            totalShards: options.totalShards ?? settingOf(view, "index.number_of_shards", 1),
            fetchHits: (docs, fetch) => executeFetchPhase(view, docs, fetch, withoutTurns).hits,
          });
    const { collapse, rescore } = request;
    const window = Math.max(
      request.from + request.size,
      greatest(rescore.map(({ windowSize }) => windowSize)),
    );
    const all = collapse === undefined ? window : searcher.maxDoc;
    this.needed = request.size === 0 ? 0 : Math.min(all, searcher.maxDoc);
    this.top =
      readers === undefined
        ? new TopScores(this.needed, options.after, options.earlier?.minScore ?? 0)
        : undefined;
    this.topFields = readers === undefined ? undefined : this.fieldTop(readers);
    this.threshold = thresholdOf(request, options);
    this.countsAhead =
      this.aggregations === undefined &&
      (this.top !== undefined || this.needed === 0) &&
      this.threshold <= MOST_COUNTED_AHEAD;
  }

  /** Readers of the sort keys; `undefined`: documents are ordered by score. */
  private sortKeys(): SortReader[] | undefined {
    const { sort, searchAfter } = this.request;
    if (sort === undefined || sort.length === 0) {
      if (searchAfter !== undefined) throw illegalArgument("Sort must contain at least one field.");
      return undefined;
    }
    const [only] = sort;
    // The default order, for which hits have no sort values.
    if (sort.length === 1 && only?.isScore === true && only.isDescending) {
      if (searchAfter !== undefined) throw illegalArgument("Sort must contain at least one field.");
      return undefined;
    }
    const { context } = this.prepared;
    const { shardIndex = 0 } = this.options;
    return sort.map((key) => key.reader(context, shardIndex));
  }

  /** The collector by sort keys, with the cursor of `search_after`. */
  private fieldTop(readers: SortReader[]): TopFields {
    const { searchAfter } = this.request;
    if (searchAfter !== undefined && searchAfter.length !== readers.length) {
      throw illegalArgument(
        `search_after has ${searchAfter.length} value(s) but sort has ${readers.length}.`,
      );
    }
    checkCollapsedCursor(this.request);
    const { from, size } = this.request;
    this.budget.hold(Math.min(this.needed, from + size) * readers.length * SORT_VALUE_BYTES);
    return new TopFields(readers, {
      capacity: this.needed,
      after: searchAfter?.map((value, i) => readers[i]?.parse(value) ?? null),
      afterDoc: this.options.after,
    });
  }

  /** Runs all segments. Patterns are expanded per segment before weights ask for their sets. */
  *run(): Generator<undefined, QueryResult> {
    const segments = isSuggestOnly(this.request) ? [] : this.prepared.searcher.segments;
    const patterns = this.plans.flatMap(patternsOf);
    for (const segment of segments) {
      if (this.isTimedOut || this.isTerminated || this.isAtLimit()) break;
      yield* restOf(this.options);
      if (patterns.length > 0) yield* expandPatterns(patterns, segment, this.options);
      yield* this.runSegment(segment);
    }
    return yield* this.result();
  }

  // ------------------------------------------------------------------------------------------ one segment

  private *runSegment(segment: SegmentContext): Generator<undefined, void> {
    const known = this.knownCount(segment);
    const isCounted = known >= 0;
    if (isCounted) {
      this.total += known;
      // Aggregations still open the segment: buckets without documents come from its values.
      if (known === 0) {
        // Empty buckets are of values, not of hits.
        this.aggregations?.open(segment);
        return;
      }
      if (this.needed === 0 && this.aggregations === undefined) return;
    }
    this.topFields?.open(segment);
    const source = this.bestFirst(segment, known) ?? this.open(segment);
    if (source === undefined) {
      this.aggregations?.open(segment);
      return;
    }
    const leaf = this.aggregations?.open(segment);
    const postFilter =
      this.postFilter === undefined ? undefined : filterOf(this.postFilter, segment);
    yield* this.drain(source, { segment, leaf, postFilter, isCounted });
  }

  /**
   * Number of hits in the segment if it is known before they are read; -1: they are counted as they
   * are read.
   */
  private knownCount(segment: SegmentContext): number {
    const { request, postFilter } = this;
    if (postFilter !== undefined || request.minScore !== undefined || request.terminateAfter !== 0)
      return -1;
    const known = this.weight.count?.(segment) ?? -1;
    return known >= 0 || !this.countsAhead ? known : this.countAhead(segment);
  }

  /**
   * Counts up to the limit. Once there are more hits than are counted, further segments make no
   * difference.
   */
  private countAhead(segment: SegmentContext): number {
    const left = this.threshold - this.total;
    return left < 0 ? UNCOUNTED : (this.weight.countAhead?.(segment, left) ?? -1);
  }

  /**
   * The best hits from the points of the sort field, if the number of hits is known and only the
   * page reads them.
   */
  private bestFirst(segment: SegmentContext, hits: number): BatchSource | undefined {
    const order = this.topFields?.order;
    if (hits < 0 || order === undefined || this.needsScores || this.aggregations !== undefined)
      return undefined;
    const filters = (): DocFilter[] => [...acceptFilters(segment), filterOf(this.weight, segment)];
    return bestFirst(order, { hits, needed: this.needed, filters });
  }

  /** All hits of the segment; `undefined`: there are none. */
  private open(segment: SegmentContext): BatchSource | undefined {
    const source = this.weight.source?.(segment, this.needsScores);
    if (source !== undefined) return source;
    const scorer = this.weight.scorer(segment);
    return (
      scorer &&
      new ScorerSource(scorer, segment, { filters: [], score: this.needsScores ? undefined : 0 })
    );
  }

  /**
   * Reads all batches of a segment. The order of steps is part of the results: aggregations see
   * hits before `post_filter`, and only hits above `min_score`.
   */
  private *drain(source: BatchSource, segmentRun: SegmentRun): Generator<undefined, void> {
    const { segment, leaf, postFilter, isCounted } = segmentRun;
    const { request, options } = this;
    for (let batch = 1; ; batch += 1) {
      if (this.canSkip(isCounted, leaf)) {
        if (this.isPageSettled()) return;
        const minScore = this.top?.minScore ?? this.topFields?.minScore ?? 0;
        // Set before each batch, as the page improves with every one.
        if (minScore > 0) source.setMinScore(minScore);
      }
      let count = source.next();
      if (count === 0) return;
      if (request.minScore !== undefined && source.scores !== undefined) {
        count = keepScores(source.docs, source.scores, count, request.minScore);
      }
      if (request.terminateAfter !== 0) {
        count = yield* this.limited(source, count, segmentRun);
      } else {
        const scores = this.needsScores ? source.scores : undefined;
        if (leaf !== undefined && count > 0)
          yield* this.aggregate(leaf, source.docs, count, scores);
        count = keepFiltered(source, count, postFilter);
      }
      // Counted after the filters, and not again if they were counted ahead.
      if (!isCounted) this.total += count;
      this.collect(segment, source, count);
      if (this.isTerminated) return;
      if (options.isTimedOut?.() === true) {
        this.isTimedOut = true;
        return;
      }
      if (batch % BATCHES_A_LOOK === 0 || this.budget.isRestDue) yield* restOf(options);
      else options.checkCancelled?.();
    }
  }

  /**
   * Passes a batch to the aggregations in parts. A document may be in millions of buckets, so a
   * part has as many documents as took few steps before.
   */
  private *aggregate(
    leaf: LeafCollector,
    docs: Int32Array,
    count: number,
    scores: Float32Array | undefined,
  ): Generator<undefined, void> {
    const { budget, options } = this;
    for (let from = 0; from < count;) {
      const size = Math.min(count - from, this.docsAtOnce);
      const before = budget.stepsTaken;
      const batch = from === 0 ? docs : docs.subarray(from);
      const given = from === 0 ? scores : scores?.subarray(from);
      this.batchScores.set(batch, given, size);
      const first = docs[from] as number;
      const end = (docs[from + size - 1] as number) + 1;
      // Documents without gaps are passed as a run.
      if (leaf.collectRun !== undefined && scores === undefined && end - first === size)
        leaf.collectRun(first, end, 0);
      else leaf.collect(batch, undefined, size, given);
      from += size;
      const steps = Math.max(1, budget.stepsTaken - before);
      const fitting = Math.floor((size * STEPS_AT_ONCE) / steps);
      this.docsAtOnce = Math.max(1, Math.min(fitting, size * 4, MOST_DOCS_AT_ONCE));
      if (budget.isRestDue) yield* restOf(options);
    }
  }

  /**
   * Offers a batch to the page. Without an order by score, the best score is tracked for
   * `track_scores`.
   */
  private collect(segment: SegmentContext, source: BatchSource, count: number): void {
    if (count === 0) return;
    if (this.top !== undefined) {
      this.top.collect(segment.ord, source.docs, source.scores ?? this.zeros(count), count);
      return;
    }
    const scores = this.needsScores ? source.scores : undefined;
    this.topFields?.collect(source.docs, scores, count);
    if (!this.request.trackScores || scores === undefined) return;
    for (let i = 0; i < count; i += 1) {
      const score = scores[i] as number;
      if (!(score <= this.maxScore)) this.maxScore = score;
    }
  }

  /** Scores of hits that have none. */
  private zeros(count: number): Float32Array {
    if (this.scoreCopy.length < count) this.scoreCopy = new Float32Array(count);
    return this.scoreCopy;
  }

  /**
   * Whether documents that cannot enter the page may be skipped: nothing else reads them, and they
   * need not be counted.
   */
  private canSkip(isCounted: boolean, leaf: LeafCollector | undefined): boolean {
    if (leaf !== undefined || (this.request.trackScores && this.topFields !== undefined))
      return false;
    if (this.request.terminateAfter !== 0) return false;
    return isCounted || !this.countsHits || this.total > this.threshold;
  }

  /**
   * Whether no later document can be better: all hits score alike, or come in the order of the
   * sort.
   */
  private isPageSettled(): boolean {
    if (this.needed === 0) return true;
    if (this.topFields !== undefined) return this.topFields.isSettled;
    const { constantScore } = this.weight;
    return constantScore !== undefined && this.top?.isSettledFor(constantScore) === true;
  }

  /**
   * Whether `terminate_after` documents were collected before this segment: opening another one
   * ends the search.
   */
  private isAtLimit(): boolean {
    const { terminateAfter } = this.request;
    this.isTerminated = terminateAfter !== 0 && this.total >= terminateAfter;
    return this.isTerminated;
  }

  /**
   * `terminate_after` counts the documents of the shard that pass `post_filter`. The first one too
   * many ends the search, and aggregations see every document before it. Returns the number of hits
   * in the batch.
   */
  private *limited(
    source: BatchSource,
    count: number,
    { leaf, postFilter }: SegmentRun,
  ): Generator<undefined, number> {
    // `post_filter` compacts the batch in place, while aggregations read it whole.
    const isCopied = leaf !== undefined && postFilter !== undefined;
    const docs = isCopied ? source.docs.slice(0, count) : source.docs;
    const given = this.needsScores ? source.scores : undefined;
    const scores = isCopied ? given?.slice(0, count) : given;
    const kept = keepFiltered(source, count, postFilter);
    const left = this.request.terminateAfter - this.total;
    this.isTerminated = kept > left;
    const seen = this.isTerminated ? docs.indexOf(source.docs[left] as number) : count;
    if (leaf !== undefined && seen > 0) yield* this.aggregate(leaf, docs, seen, scores);
    return Math.min(kept, left);
  }

  // ------------------------------------------------------------------------------------------ result

  /** Rescores, collapses and cuts the documents, in this order, and collects the partials. */
  private *result(): Generator<undefined, QueryResult> {
    const { request, prepared, options } = this;
    let docs: TopDoc[] = this.top?.finish() ?? this.topFields?.finish() ?? [];
    if (request.rescore.length > 0) docs = rescoreDocs(docs, request.rescore, prepared);
    if (request.collapse !== undefined) docs = collapseDocs(docs, request.collapse, prepared);
    docs = docs.slice(0, request.from + request.size);
    const isByScore = this.topFields === undefined;
    const [firstKey] = request.sort ?? [];
    const isFirstBest = isByScore || (firstKey?.isScore === true && firstKey.isDescending);
    const bestScore = request.size === 0 ? Number.NaN : this.maxScore;
    const maxScore = isFirstBest ? (docs[0]?.score ?? Number.NaN) : bestScore;
    const shown =
      isByScore || request.trackScores || this.showsScores
        ? docs
        : docs.map((doc) => ({ ...doc, score: Number.NaN }));
    return {
      totalHits: this.totalHits(),
      maxScore,
      topDocs: shown,
      aggregations: this.aggregations?.partials(0),
      suggest:
        request.suggest === undefined
          ? undefined
          : yield* suggestSteps(request.suggest, prepared, () => restOf(options)),
      profile: undefined,
      timedOut: this.isTimedOut,
      terminatedEarly: this.terminatedEarly(),
    };
  }

  private terminatedEarly(): boolean | undefined {
    const { request, prepared } = this;
    if (request.terminateAfter !== 0) return this.isTerminated;
    return endsEarly(request, prepared, this.total) ? true : undefined;
  }

  private get countsHits(): boolean {
    return this.request.trackTotalHits !== false && this.options.skipCount !== true;
  }

  /**
   * The total, a lower bound if more hits exist than are counted; `undefined`: hits are not
   * counted.
   */
  private totalHits(): TotalHits | undefined {
    if (!this.countsHits) return undefined;
    if (this.total > this.threshold || endsUncounted(this.request, this.prepared))
      return { value: Math.max(0, this.threshold), relation: "gte" };
    return { value: this.total, relation: "eq" };
  }
}

/** One segment with its collectors. */
interface SegmentRun {
  readonly segment: SegmentContext;
  readonly leaf: LeafCollector | undefined;
  readonly postFilter: DocFilter | undefined;
  /** The total includes the segment's hits already. */
  readonly isCounted: boolean;
}

/** The number of hits to count exactly; -1: none, since other shards have more than are counted. */
function thresholdOf(request: SearchRequest, options: SearchOptions): number {
  const { trackTotalHits } = request;
  if (trackTotalHits === false || options.skipCount === true) return 0;
  if (trackTotalHits === true) return Infinity;
  return Math.max(-1, trackTotalHits - (options.earlier?.total ?? 0));
}

/** The documents of a batch that pass `post_filter`; scores move along. */
function keepFiltered(
  { docs, scores }: BatchSource,
  count: number,
  postFilter: DocFilter | undefined,
): number {
  return postFilter?.keep(docs, scores && new Int32Array(scores.buffer), count) ?? count;
}

/** The documents of a batch with at least `minScore`. */
function keepScores(
  docs: Int32Array,
  scores: Float32Array,
  count: number,
  minScore: number,
): number {
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const score = scores[i] as number;
    if (score < minScore) continue;
    docs[kept] = docs[i] as number;
    scores[kept] = score;
    kept += 1;
  }
  return kept;
}
