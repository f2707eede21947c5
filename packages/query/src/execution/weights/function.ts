/**
 * `function_score`: scores of an inner query changed by functions. Source: `FunctionScoreQuery` of
 * OpenSearch. Functions are evaluated for a document only once it matches, and once for it.
 */
import { greatest, least, OperationError } from "@orrery/stdx";
import type { Plan } from "../../language/plan.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import { acceptedBy } from "../accepted.ts";
import { functionSegment, type FunctionSegment } from "./function-values.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/**
 * The inner query and its functions: `scoreMode` combines the values of the functions that apply to
 * a document, `maxBoost` caps the result, `boostMode` combines it with the inner score.
 */
export interface FunctionScoring {
  readonly plan: Plan;
  readonly functions: readonly ScoreFunction[];
  readonly scoreMode: "multiply" | "sum" | "avg" | "first" | "max" | "min";
  readonly boostMode: "multiply" | "replace" | "sum" | "avg" | "max" | "min";
  readonly maxBoost: number;
  /** Hits below this score are no matches; `undefined`: all are. */
  readonly minScore: number | undefined;
  readonly boost: number;
  /** Path of the nested objects in which the query runs; `undefined`: root documents. */
  readonly nestedPath: string | undefined;
}

/** One function, which applies to documents that match `filter` (`undefined`: all). */
export interface ScoreFunction {
  readonly filter: Plan | undefined;
  readonly weight: number;
  /** Opens a segment, once; `undefined`: the function is its weight alone. */
  readonly open: OpenFunction | undefined;
}

/** Returns the function of a document and its inner score. */
type OpenFunction = (
  values: FunctionSegment,
  segment: SegmentContext,
) => (doc: number, score: number) => number;

/**
 * The plan of a `function_score` query. Filters of functions count towards the limit of clauses,
 * but not for statistics and highlighting.
 */
export function functionPlan(scoring: FunctionScoring): Plan {
  const filters = scoring.functions.flatMap(({ filter }) => filter ?? []);
  return {
    kind: "own",
    description: "function",
    inner: [scoring.plan, ...filters],
    scored: [scoring.plan],
    weight: (searcher, prepare) => functionWeight(scoring, searcher, prepare),
  };
}

function functionWeight(plan: FunctionScoring, searcher: Searcher, prepare: Prepare): Weight {
  const inner = prepare.weightOf(plan.plan, searcher, prepare);
  const filters = plan.functions.map(
    ({ filter }) =>
      filter && prepare.weightOf(filter, searcher, { ...prepare, needsScores: false }),
  );
  return {
    constantScore: undefined,
    scorer: (segment) => {
      const scorer = inner.scorer(segment);
      if (scorer === undefined) return undefined;
      const opened = plan.functions.map((one, i) => ({
        weight: one.weight,
        value: one.open?.(functionSegment(segment, searcher), segment),
        filter: filters[i],
        matches: matcherOf(filters[i], segment),
      }));
      return new FunctionScorer(scorer, {
        plan,
        functions: opened,
        isAccepted: acceptedBy(segment, plan.nestedPath),
      });
    },
  };
}

interface OpenedFunction {
  readonly weight: number;
  readonly value: ((doc: number, score: number) => number) | undefined;
  readonly matches: (doc: number) => boolean;
}

/** A test for ascending documents. */
function matcherOf(filter: Weight | undefined, segment: SegmentContext): (doc: number) => boolean {
  if (filter === undefined) return () => true;
  const scorer = filter.scorer(segment);
  if (scorer === undefined) return () => false;
  return (doc) =>
    (scorer.doc() < doc ? scorer.advance(doc) : scorer.doc()) === doc && scorer.matches();
}

interface FunctionScorerInput {
  readonly plan: FunctionScoring;
  readonly functions: readonly OpenedFunction[];
  readonly isAccepted: (doc: number) => boolean;
}

/**
 * The inner cursor's candidates. The score is kept for the current document: `matches` needs it for
 * `min_score`, and `score` returns it again.
 */
class FunctionScorer implements Scorer {
  readonly cost: number;
  readonly maxScore = Infinity;
  private readonly inner: Scorer;
  private readonly plan: FunctionScoring;
  private readonly functions: readonly OpenedFunction[];
  private readonly isAccepted: (doc: number) => boolean;
  private scored = -1;
  private value = 0;

  constructor(inner: Scorer, { plan, functions, isAccepted }: FunctionScorerInput) {
    this.inner = inner;
    this.plan = plan;
    this.functions = functions;
    this.isAccepted = isAccepted;
    this.cost = inner.cost;
  }
  doc(): number {
    return this.inner.doc();
  }
  next(): number {
    return this.inner.next();
  }
  advance(target: number): number {
    return this.inner.advance(target);
  }
  matches(): boolean {
    // A function may fail on a document that is deleted or not of the path, such as one without the
    // field, so it must not run there.
    if (!this.isAccepted(this.inner.doc()) || !this.inner.matches()) return false;
    const { minScore } = this.plan;
    return minScore === undefined || this.score() >= minScore;
  }
  score(): number {
    const doc = this.inner.doc();
    if (this.scored !== doc) {
      this.scored = doc;
      const score = this.inner.score();
      const factor = Math.min(this.factor(doc, score), this.plan.maxBoost);
      this.value = valid(Math.fround(combine(this.plan.boostMode, score, factor)), doc);
    }
    return this.value;
  }

  /**
   * The combined value of the functions that apply; 1 if none does, which leaves the score alone.
   */
  private factor(doc: number, score: number): number {
    const values: number[] = [];
    let weights = 0;
    for (const one of this.functions) {
      if (!one.matches(doc)) continue;
      values.push((one.value?.(doc, score) ?? 1) * one.weight);
      weights += one.weight;
      if (this.plan.scoreMode === "first") break;
    }
    if (values.length === 0) return 1;
    switch (this.plan.scoreMode) {
      case "first":
        return values[0] ?? 1;
      case "max":
        return greatest(values);
      case "min":
        return least(values);
      case "multiply":
        return values.reduce((product, value) => product * value, 1);
      case "sum":
        return values.reduce((sum, value) => sum + value, 0);
      case "avg":
        return weights === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / weights;
    }
  }
}

/**
 * Rejects negative scores and NaN, by which hits cannot be ordered. Source:
 * `FunctionScoreQuery.FunctionFactorScorer`.
 * @throws OperationError 500
 */
function valid(score: number, doc: number): number {
  if (score >= 0) return score;
  const reason = `function score query returned an invalid score: ${score} for doc: ${doc}`;
  throw new OperationError({ type: "exception", reason, status: 500 });
}

function combine(mode: FunctionScoring["boostMode"], score: number, factor: number): number {
  switch (mode) {
    case "multiply":
      return score * factor;
    case "replace":
      return factor;
    case "sum":
      return score + factor;
    case "avg":
      return (score + factor) / 2;
    case "max":
      return Math.max(score, factor);
    case "min":
      return Math.min(score, factor);
  }
}
