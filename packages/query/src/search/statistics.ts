/**
 * Statistics of a query's terms for `dfs_query_then_fetch`: collected on each shard, added up on
 * the coordinating node, so that scores of all shards are comparable. Source: `DfsPhase`,
 * `SearchPhaseController.aggregateDfs`.
 */
import { lookup, setKey, utf8Decode, type JsonObject } from "@orrery/stdx";
import { searchRequestOf } from "../request/search-request.ts";
import type { SearchOptions, SearchStatistics, ShardView } from "../language/view.ts";
import type { Plan } from "../language/plan.ts";
import { buildRootSteps } from "../queries/query.ts";
import { prepareSteps } from "../request/prepared.ts";
import { allSteps, restOf } from "../work/steps.ts";

/** Terms between two looks at the clock. */
const TERMS_A_LOOK = 256;

/** The statistics of the query's scored terms on one shard. */
export function collectStatistics(
  view: ShardView,
  body: JsonObject,
  options: SearchOptions,
): SearchStatistics {
  return allSteps(statisticsSteps(view, body, { ...options, isTurnOver: undefined }));
}

/** `collectStatistics` in steps: yields when `isTurnOver` returns true. */
export function* statisticsSteps(
  view: ShardView,
  body: JsonObject,
  options: SearchOptions,
): Generator<undefined, SearchStatistics> {
  const request = searchRequestOf(view.mapping.language, body);
  const { plan, searcher, context } = yield* prepareSteps(
    view,
    { query: request.query },
    { ...options, statistics: undefined },
  );
  const plans = [plan];
  for (const { rescorer } of request.rescore) {
    for (const query of rescorer.queries ?? [])
      plans.push(yield* buildRootSteps(query, context, { boost: 1, rest: () => restOf(options) }));
  }
  const terms: Record<string, { docFreq: number; totalTermFreq: number }> = {};
  const fields: Record<string, { docCount: number; sumTotalTermFreq: number }> = {};
  let seen = 0;
  for (const { field, term, docFreq: chosen } of plans.flatMap(termsOf)) {
    seen += 1;
    if (seen % TERMS_A_LOOK === 0) yield* restOf(options);
    const { docFreq, totalTermFreq } = searcher.term(field, term);
    setKey(terms, `${field}\0${utf8Decode(term)}`, { docFreq: chosen ?? docFreq, totalTermFreq });
    setKey(fields, field, { ...searcher.field(field) });
  }
  return { maxDoc: searcher.maxDoc, terms, fields };
}

/** A term that is scored. */
export interface PlanTerm {
  readonly field: string;
  readonly term: Uint8Array;
  /** Document frequency that the plan chose; `undefined`: the term's own. */
  readonly docFreq?: number | undefined;
}

/** The scored terms of a plan; filters, exclusions and terms with constant scores have none. */
export function termsOf(plan: Plan): PlanTerm[] {
  switch (plan.kind) {
    case "term":
      return [plan];
    case "synonym":
      return plan.terms.map((term) => ({ field: plan.field, term }));
    case "phrase":
      return plan.positions.flatMap(({ terms }) =>
        terms.map((term) => ({ field: plan.field, term })),
      );
    case "bool":
      return [...plan.must, ...plan.should].flatMap(termsOf);
    case "dis-max":
      return plan.plans.flatMap(termsOf);
    case "own":
      return (plan.scored ?? []).flatMap(termsOf);
    case "nested":
      return termsOf(plan.plan);
    default:
      return [];
  }
}

/** Adds up the statistics of all shards. */
export function mergeStatistics(all: readonly SearchStatistics[]): SearchStatistics {
  const terms: Record<string, { docFreq: number; totalTermFreq: number }> = {};
  const fields: Record<string, { docCount: number; sumTotalTermFreq: number }> = {};
  let maxDoc = 0;
  for (const one of all) {
    maxDoc += one.maxDoc;
    for (const [key, { docFreq, totalTermFreq }] of Object.entries(one.terms)) {
      const sum = lookup(terms, key) ?? { docFreq: 0, totalTermFreq: 0 };
      setKey(terms, key, {
        docFreq: sum.docFreq + docFreq,
        totalTermFreq: sum.totalTermFreq + totalTermFreq,
      });
    }
    for (const [key, { docCount, sumTotalTermFreq }] of Object.entries(one.fields)) {
      const sum = lookup(fields, key) ?? { docCount: 0, sumTotalTermFreq: 0 };
      setKey(fields, key, {
        docCount: sum.docCount + docCount,
        sumTotalTermFreq: sum.sumTotalTermFreq + sumTotalTermFreq,
      });
    }
  }
  return { maxDoc, terms, fields };
}
