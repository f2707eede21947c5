/**
 * A query with its meaning for one index: fields resolved, texts analysed, boosts multiplied in. Segment-independent.
 * The DSL's queries build plans; weights run them. To add a member: a row in `execution/weights/table.ts`. A query that none of them
 * expresses builds an `own` plan.
 */
import type { IdKey } from "@orrery/segment";
import type { Explanation } from "./explanation.ts";
import type { Searcher, SegmentContext } from "./searcher.ts";
import type { Prepare, Weight } from "./weight.ts";

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

/** Every document, with one score. */
export interface AllPlan {
  readonly kind: "all";
  readonly boost: number;
}

export interface NonePlan {
  readonly kind: "none";
  /** For explanations. */
  readonly reason: string;
}

/** One term by BM25; see `constant` for terms that all score alike. */
export interface TermPlan {
  readonly kind: "term";
  readonly field: string;
  readonly term: Uint8Array;
  readonly boost: number;
  /** Fuzzy expansions share the frequency of the most frequent one. */
  readonly docFreq?: number | undefined;
}

/** Any of these terms; every hit scores `boost`. */
export interface TermSetPlan {
  readonly kind: "term-set";
  readonly field: string;
  /** In byte order, distinct. */
  readonly terms: readonly Uint8Array[];
  readonly boost: number;
}

/** Terms that match a pattern; every hit scores `boost`. */
export interface TermPatternPlan {
  readonly kind: "term-pattern";
  readonly field: string;
  /** All matching terms start with it. */
  readonly prefix: Uint8Array;
  /** `undefined`: the prefix alone decides. Gets the term's text. */
  readonly matches: ((term: string) => boolean) | undefined;
  /** The same of a term's bytes: spares a text for each term of a dictionary. */
  readonly matchesUtf8?: ((bytes: Uint8Array, length: number) => boolean) | undefined;
  /** For caching and explanations: `prefix:abc`. */
  readonly label: string;
  readonly boost: number;
}

export interface TermRangePlan {
  readonly kind: "term-range";
  readonly field: string;
  readonly lower: Uint8Array | undefined;
  readonly includesLower: boolean;
  readonly upper: Uint8Array | undefined;
  readonly includesUpper: boolean;
  readonly boost: number;
}

/** Index values, both ends included. */
export interface NumberRangePlan {
  readonly kind: "number-range";
  readonly field: string;
  readonly lower: number | bigint;
  readonly upper: number | bigint;
  readonly boost: number;
}

export interface NumberSetPlan {
  readonly kind: "number-set";
  readonly field: string;
  /** Ascending, distinct. */
  readonly values: readonly (number | bigint)[];
  readonly boost: number;
}

export interface ExistsPlan {
  readonly kind: "exists";
  readonly field: string;
  readonly boost: number;
}

export interface IdsPlan {
  readonly kind: "ids";
  readonly ids: readonly IdKey[];
  readonly boost: number;
}

/** Terms at positions; several terms at one position are alternatives. */
export interface PhrasePlan {
  readonly kind: "phrase";
  readonly field: string;
  readonly positions: readonly PhrasePosition[];
  readonly slop: number;
  readonly boost: number;
  /** The last position's terms are prefixes, at most `maxExpansions` of them count. */
  readonly prefixExpansions: number | undefined;
}

export interface PhrasePosition {
  readonly position: number;
  readonly terms: readonly Uint8Array[];
}

/** Terms at one place count as one term: frequencies add up, the highest document frequency counts. */
export interface SynonymPlan {
  readonly kind: "synonym";
  readonly field: string;
  readonly terms: readonly Uint8Array[];
  readonly boost: number;
}

export interface BoolPlan {
  readonly kind: "bool";
  readonly must: readonly Plan[];
  readonly filter: readonly Plan[];
  readonly should: readonly Plan[];
  readonly mustNot: readonly Plan[];
  readonly minimumShouldMatch: number;
}

export interface DisMaxPlan {
  readonly kind: "dis-max";
  readonly plans: readonly Plan[];
  readonly tieBreaker: number;
}

/** Documents of the inner plan, each with score `boost`. */
export interface ConstantPlan {
  readonly kind: "constant";
  readonly plan: Plan;
  readonly boost: number;
}

/** Root documents by their nested ones. */
export interface NestedPlan {
  readonly kind: "nested";
  readonly path: string;
  /** Path of the enclosing nested object; `undefined`: roots. */
  readonly parentPath: string | undefined;
  readonly plan: Plan;
  readonly scoreMode: "avg" | "sum" | "min" | "max" | "none";
  readonly boost: number;
}

/** A plan that brings its own weight: of a query that the other kinds cannot express. */
export interface OwnPlan {
  readonly kind: "own";
  /** In explanations. */
  readonly description: string;
  /** Plans within this one, which count towards the limits of clauses and depth. */
  readonly inner?: readonly Plan[];
  /** Those of `inner` whose terms count for statistics over all shards and for highlighting. */
  readonly scored?: readonly Plan[];
  weight(searcher: Searcher, prepare: Prepare): Weight;
  /** The explanation of a hit with this score; default: score and description. */
  explain?(hit: ExplainedHit): Explanation;
}

export interface ExplainedHit {
  readonly score: number;
  readonly searcher: Searcher;
  readonly segment: SegmentContext;
  readonly doc: number;
}

export function none(reason: string): NonePlan {
  return { kind: "none", reason };
}

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
