/**
 * `script_score`: documents of a query with the scores of a script. Source:
 * `ScriptScoreQueryBuilder`, `ScriptScoreQuery`.
 */
import { illegalArgument, OperationError } from "@orrery/stdx";
import { boostOf, floatOf, members, scalarText, unknownField, wrapField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Explanation } from "../language/explanation.ts";
import type { ExplainedHit, Plan } from "../language/plan.ts";
import type { BuildContext, ParseInner, Query } from "../language/query.ts";
import type { Script } from "../language/script.ts";
import { explainPlan } from "../execution/explanation.ts";
import { scriptScorePlan } from "../execution/weights/script-score.ts";
import { compileScript } from "../scripts/compile-script.ts";
import { scriptLookup } from "../scripts/doc-values.ts";
import { describeScript, scriptField } from "../scripts/parse-script.ts";
import { buildQuery } from "./query.ts";

const NAME = "script_score";

const KNOWN = ["query", "script", "min_score", "boost", "_name"];

/** A parsed query. */
interface ScriptScore {
  readonly query: Query;
  readonly script: Script;
  readonly minScore: number | undefined;
}

/**
 * Parses a `script_score` query.
 * @throws BodyError or OperationError 400
 */
export function parseScriptScore(at: Cursor, parseInner: ParseInner): Query {
  let query: Query | undefined;
  let script: Script | undefined;
  let minScore: number | undefined;
  let boost = 1;
  let label: string | undefined;
  for (const [name, member] of members(at)) {
    if (!KNOWN.includes(name)) throw unknownField(member, NAME, KNOWN);
    if (name === "query") query = parseInner(member);
    else if (name === "script") script = scriptField(member, NAME, false);
    else if (name === "min_score") minScore = wrapField(member, NAME, () => floatOf(member));
    else if (name === "boost") boost = wrapField(member, NAME, () => boostOf(member));
    else label = scalarText(member);
  }
  if (query === undefined || script === undefined) {
    const missing = [query === undefined ? ["query"] : [], script === undefined ? ["script"] : []];
    throw illegalArgument(`Required [${missing.flat().join(", ")}]`);
  }
  const spec: ScriptScore = { query, script, minScore };
  return { boost, label, build: (context, total) => buildScriptScore(spec, context, total) };
}

function buildScriptScore(
  { query, script, minScore }: ScriptScore,
  context: BuildContext,
  boost: number,
): Plan {
  refuseExpensive(context, "script score");
  const plan = buildQuery(query, context, 1);
  // A script is compiled only if a document may run it, as in the product.
  if (plan.kind === "none") return plan;
  const bound = compileScript(context, script, "score").bind(
    script.params,
    scriptLookup(context.searcher),
  );
  const { nestedPath } = context;
  const explain = (hit: ExplainedHit): Explanation =>
    explained({ plan, script, boost, needsScore: bound.needsScore }, hit);
  return scriptScorePlan({ plan, bound, minScore, boost, nestedPath, explain });
}

/** The script of an explained hit. */
interface Explained {
  readonly plan: Plan;
  readonly script: Script;
  readonly boost: number;
  readonly needsScore: boolean;
}

function explained({ plan, script, boost, needsScore }: Explained, hit: ExplainedHit): Explanation {
  const inner = needsScore ? explainPlan(plan, hit.searcher, hit) : undefined;
  const scripted = match(
    Math.fround(hit.score / boost),
    `script score function, computed with script:"${describeScript(script)}"`,
    inner === undefined ? [] : [match(inner.value, "_score: ", [inner])],
  );
  if (boost === 1) return scripted;
  return match(hit.score, "Boosted score, product of:", [match(boost, "boost", []), scripted]);
}

function match(value: number, description: string, details: readonly Explanation[]): Explanation {
  return { isMatch: true, value, description, details };
}

/**
 * Rejects a query if `search.allow_expensive_queries` is false; `kind` is its name in the product's
 * error.
 * @throws OperationError 500
 */
export function refuseExpensive({ allowExpensiveQueries }: BuildContext, kind: string): void {
  if (allowExpensiveQueries) return;
  throw new OperationError({
    type: "exception",
    reason: `[${kind}] queries cannot be executed when 'search.allow_expensive_queries' is set to false.`,
    status: 500,
  });
}
