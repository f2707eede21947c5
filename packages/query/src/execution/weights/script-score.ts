/**
 * `script_score`: documents of an inner query with the scores of a script. Source:
 * `ScriptScoreQuery` of OpenSearch.
 */
import { illegalArgument } from "@orrery/stdx";
import { float, jsonText } from "../../json/json-text.ts";
import type { ExplainedHit, Plan } from "../../language/plan.ts";
import type { BoundScript } from "../../language/script.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher } from "../../language/searcher.ts";
import type { Prepare, Weight } from "../../language/weight.ts";
import type { Explanation } from "../../language/explanation.ts";
import { acceptedBy } from "../accepted.ts";

/** The inner query and its compiled script; `boost` multiplies the script's score. */
export interface ScriptScoring {
  readonly plan: Plan;
  readonly bound: BoundScript<[score: number], number>;
  /** Hits below this score are no matches; `undefined`: all are. */
  readonly minScore: number | undefined;
  readonly boost: number;
  /** Path of the nested objects in which the query runs; `undefined`: root documents. */
  readonly nestedPath: string | undefined;
  /** The explanation of a hit. */
  explain(hit: ExplainedHit): Explanation;
}

/** The plan of a `script_score` query. */
export function scriptScorePlan(scoring: ScriptScoring): Plan {
  return {
    kind: "own",
    description: "script_score",
    inner: [scoring.plan],
    scored: [scoring.plan],
    weight: (searcher, prepare) => scriptScoreWeight(scoring, searcher, prepare),
    explain: scoring.explain,
  };
}

function scriptScoreWeight(
  { plan, bound, minScore, boost, nestedPath }: ScriptScoring,
  searcher: Searcher,
  prepare: Prepare,
): Weight {
  // If nothing reads scores and there is no minimum, the script does not run at all.
  const isScored = prepare.needsScores || minScore !== undefined;
  const needsScores = isScored && bound.needsScore;
  const inner = prepare.weightOf(plan, searcher, { ...prepare, needsScores });
  if (!isScored) return inner;
  return {
    constantScore: undefined,
    scorer: (segment) => {
      const scorer = inner.scorer(segment);
      if (scorer === undefined) return undefined;
      const run = bound.open(segment);
      const value = (doc: number): number => {
        // A script that does not read `_score` runs without the inner score.
        const score = Math.fround(run(doc, needsScores ? scorer.score() : Number.NaN));
        return Math.fround(valid(score, doc) * boost);
      };
      return new ScriptScorer(scorer, value, {
        minScore,
        isAccepted: acceptedBy(segment, nestedPath),
      });
    },
  };
}

interface ScorerOptions {
  readonly minScore: number | undefined;
  readonly isAccepted: (doc: number) => boolean;
}

/**
 * The inner cursor's candidates. The script runs once for a document, when `matches` or `score`
 * first needs it, and only on accepted documents, as it may fail on others.
 */
class ScriptScorer implements Scorer {
  readonly cost: number;
  readonly maxScore = Infinity;
  private readonly inner: Scorer;
  private readonly value: (doc: number) => number;
  private readonly options: ScorerOptions;
  private scored = -1;
  private last = 0;

  constructor(inner: Scorer, value: (doc: number) => number, options: ScorerOptions) {
    this.inner = inner;
    this.value = value;
    this.options = options;
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
    const { minScore, isAccepted } = this.options;
    if (!isAccepted(this.inner.doc()) || !this.inner.matches()) return false;
    return minScore === undefined || this.score() >= minScore;
  }
  score(): number {
    const doc = this.inner.doc();
    if (this.scored !== doc) {
      this.scored = doc;
      this.last = this.value(doc);
    }
    return this.last;
  }
}

/**
 * Rejects negative scores and NaN, by which hits cannot be ordered.
 * @throws OperationError 400
 */
function valid(score: number, doc: number): number {
  if (score >= 0) return score;
  const shown = jsonText(float(score)).replaceAll('"', "");
  throw illegalArgument(
    `script_score script returned an invalid score [${shown}] for doc [${doc}]. Must be a non-negative score!`,
  );
}
