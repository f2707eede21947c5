/**
 * A plan is a query resolved for the mapping of one index: fields looked up, texts analyzed, boosts
 * multiplied in; Lucene's `Query`, as OpenSearch's query builders make it. It does not depend on
 * segments. Queries of the DSL build plans, weights run them. A new kind is a member here and a row
 * in `execution/weights/table.ts`; a query that no kind expresses builds an `own` plan.
 */
import type { IdKey } from "@orrery/segment";
import type { Explanation } from "./explanation.ts";
import type { Searcher, SegmentContext } from "./searcher.ts";
import type { Prepare, Weight } from "./weight.ts";

/** A query as one shard executes it. `kind` selects the weight. */
export type Plan =
  | AllPlan
  | NonePlan
  | TermPlan
  | TermSetPlan
  | TermPatternPlan
  | TermRangePlan
  | NumberRangePlan
  | NumberSetPlan
  | ExistsPlan
  | IdsPlan
  | PhrasePlan
  | SynonymPlan
  | BoolPlan
  | DisMaxPlan
  | ConstantPlan
  | NestedPlan
  | OwnPlan;

/** Every document, each with score `boost`. */
export interface AllPlan {
  readonly kind: "all";
  readonly boost: number;
}

/** No document. */
export interface NonePlan {
  readonly kind: "none";
  /** Printed by explanations. */
  readonly reason: string;
}

/** One term, scored by BM25; a term whose hits all score alike is a `term-set`. */
export interface TermPlan {
  readonly kind: "term";
  readonly field: string;
  readonly term: Uint8Array;
  readonly boost: number;
  /**
   * Document frequency by which the term is scored, if not its own: fuzzy expansions share that of
   * the most frequent one. A shard that collects statistics over all shards reports it.
   */
  readonly docFreq?: number | undefined;
}

/** Documents with any of the terms, each with score `boost`. */
export interface TermSetPlan {
  readonly kind: "term-set";
  readonly field: string;
  /** Distinct, in byte order. */
  readonly terms: readonly Uint8Array[];
  readonly boost: number;
}

/** Documents with a term that matches a pattern, each with score `boost`. */
export interface TermPatternPlan {
  readonly kind: "term-pattern";
  readonly field: string;
  /**
   * The common prefix of all terms that can match; it bounds the range of the dictionary that is
   * read.
   */
  readonly prefix: Uint8Array;
  /** Tests the text of a term; `undefined`: every term with the prefix matches. */
  readonly matches: ((term: string) => boolean) | undefined;
  /** Tests the bytes of a term, which spares decoding each term of a dictionary. */
  readonly matchesUtf8?: ((bytes: Uint8Array, length: number) => boolean) | undefined;
  /** Names the pattern in caches and explanations: `prefix:abc`. */
  readonly label: string;
  readonly boost: number;
}

/**
 * Documents with a term between two bounds in byte order; an `undefined` bound is open. Each has
 * score `boost`.
 */
export interface TermRangePlan {
  readonly kind: "term-range";
  readonly field: string;
  readonly lower: Uint8Array | undefined;
  readonly includesLower: boolean;
  readonly upper: Uint8Array | undefined;
  readonly includesUpper: boolean;
  readonly boost: number;
}

/**
 * Documents whose field has a value in [lower, upper], bounds given as they are indexed; each with
 * score `boost`.
 */
export interface NumberRangePlan {
  readonly kind: "number-range";
  readonly field: string;
  readonly lower: number | bigint;
  readonly upper: number | bigint;
  readonly boost: number;
}

/**
 * Documents whose field has at least one of the values, given as they are indexed; each with score
 * `boost`.
 */
export interface NumberSetPlan {
  readonly kind: "number-set";
  readonly field: string;
  /** Distinct, ascending. */
  readonly values: readonly (number | bigint)[];
  readonly boost: number;
}

/** Documents with a value of the field, each with score `boost`. */
export interface ExistsPlan {
  readonly kind: "exists";
  readonly field: string;
  readonly boost: number;
}

/** Documents with any of the ids, each with score `boost`. */
export interface IdsPlan {
  readonly kind: "ids";
  readonly ids: readonly IdKey[];
  readonly boost: number;
}

/**
 * Terms at positions; several terms at one position are alternatives. `slop` is the number of moves
 * that an occurrence may need.
 */
export interface PhrasePlan {
  readonly kind: "phrase";
  readonly field: string;
  readonly positions: readonly PhrasePosition[];
  readonly slop: number;
  readonly boost: number;
  /**
   * The terms of the last position are prefixes, of which at most this many expansions count;
   * `undefined`: they are terms.
   */
  readonly prefixExpansions: number | undefined;
}

/** A position of a phrase. Several terms at one position are alternatives. */
export interface PhrasePosition {
  readonly position: number;
  readonly terms: readonly Uint8Array[];
}

/**
 * Terms that count as one: their frequencies are added, and the highest document frequency counts.
 */
export interface SynonymPlan {
  readonly kind: "synonym";
  readonly field: string;
  readonly terms: readonly Uint8Array[];
  readonly boost: number;
}

/** Clauses as in a `bool` query. */
export interface BoolPlan {
  readonly kind: "bool";
  readonly must: readonly Plan[];
  readonly filter: readonly Plan[];
  readonly should: readonly Plan[];
  readonly mustNot: readonly Plan[];
  readonly minimumShouldMatch: number;
}

/**
 * Documents of any of the plans. The score is the best of the plans' scores, plus `tieBreaker`
 * times the others.
 */
export interface DisMaxPlan {
  readonly kind: "dis-max";
  readonly plans: readonly Plan[];
  readonly tieBreaker: number;
}

/** The documents of the inner plan, each with score `boost`. */
export interface ConstantPlan {
  readonly kind: "constant";
  readonly plan: Plan;
  readonly boost: number;
}

/**
 * Documents that have a nested object of `path` which the inner plan matches. The score is combined
 * from those of the matching nested objects by `scoreMode`.
 */
export interface NestedPlan {
  readonly kind: "nested";
  readonly path: string;
  /** Path of the enclosing nested object; `undefined`: the root document. */
  readonly parentPath: string | undefined;
  readonly plan: Plan;
  readonly scoreMode: "avg" | "sum" | "min" | "max" | "none";
  readonly boost: number;
}

/** A plan that makes its weight itself, for a query that no other kind of plan expresses. */
export interface OwnPlan {
  readonly kind: "own";
  /** Printed by explanations. */
  readonly description: string;
  /** Plans inside this one, which count towards the limits of clauses and depth. */
  readonly inner?: readonly Plan[];
  /** The plans of `inner` whose terms count for statistics over all shards and for highlighting. */
  readonly scored?: readonly Plan[];
  /** The weight that runs the plan. */
  weight(searcher: Searcher, prepare: Prepare): Weight;
  /** The explanation of a hit with this score; absent: score and description. */
  explain?(hit: ExplainedHit): Explanation;
}

/** A hit that is explained. */
export interface ExplainedHit {
  readonly score: number;
  readonly searcher: Searcher;
  readonly segment: SegmentContext;
  readonly doc: number;
}

/** The plan of a query that matches no document. */
export function none(reason: string): NonePlan {
  return { kind: "none", reason };
}

/** The plans directly inside a plan. */
export function innerPlans(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case "bool":
      return [...plan.must, ...plan.filter, ...plan.should, ...plan.mustNot];
    case "dis-max":
      return plan.plans;
    case "constant":
    case "nested":
      return [plan.plan];
    case "own":
      return plan.inner ?? [];
    default:
      return [];
  }
}
