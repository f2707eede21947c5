/**
 * Limits on the size of a query, checked before the stack or the memory is exhausted: nesting,
 * brackets, clauses, text. Functions that recurse over a query or plan rely on them: a parsed query
 * is at most `MAX_DEPTH` deep, a plan at most `MAX_PLAN_DEPTH`.
 */
import { type QueryLimits, tooManyNested } from "../language/query-limits.ts";
import { TooDeepError } from "../body/too-deep.ts";
import { appendAll, OperationError, type Problem } from "@orrery/stdx";
import { innerPlans, type Plan } from "../language/plan.ts";
import { countDistinctLeaves } from "./distinct-leaves.ts";

/**
 * Greatest depth of queries: JSON may be nested 1,000 deep in the product, and each query takes two
 * levels.
 */
export const MAX_DEPTH = 500;

/** Greatest depth of brackets in the text of a query language. */
export const MAX_BRACKETS = 1000;

/**
 * Depth of plans: a query language nests once for each bracket, and again for each change of
 * operator.
 */
const MAX_PLAN_DEPTH = 1200;

/**
 * Checks the number of clauses of one boolean query.
 * @throws OperationError 400 `too_many_clauses`
 */
export function checkClauseCount(count: number, { maxClauseCount }: QueryLimits): void {
  if (count > maxClauseCount) throw new OperationError(tooManyClauses(maxClauseCount));
}

/** The error for a boolean query with more clauses than `limit`. */
export function tooManyClauses(limit: number): Problem {
  return { type: "too_many_clauses", reason: `maxClauseCount is set to ${limit}`, status: 400 };
}

/**
 * Checks the number of brackets that are open at once; escaped ones do not count.
 * @throws OperationError the result of `describe`
 */
export function checkBrackets(text: string, describe: (what: string) => OperationError): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at += 1;
    else if (char === OPEN) depth += 1;
    else if (char === CLOSE && depth > 0) depth -= 1;
    if (depth > MAX_BRACKETS)
      throw describe(`query text nests parentheses deeper than the limit of [${MAX_BRACKETS}]`);
  }
}

const BACKSLASH = 92;
const OPEN = 40;
const CLOSE = 41;

/**
 * Checks the depth and leaves of a whole plan. It proceeds level by level without recursion, since
 * nothing has bounded the plan yet.
 * @throws OperationError 500 `too_many_nested_clauses`, or `TooDeepError`
 */
export function checkPlan(plan: Plan, { maxClauseCount }: QueryLimits): void {
  let level: readonly Plan[] = [plan];
  let leaves = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_PLAN_DEPTH)
      throw leaves > maxClauseCount + 1
        ? tooManyLeaves(plan, maxClauseCount)
        : new TooDeepError(MAX_PLAN_DEPTH);
    const next: Plan[] = [];
    for (const one of level) {
      if (isLeaf(one.kind)) leaves += 1;
      else appendAll(next, innerPlans(one));
    }
    level = next;
  }
  // The product checks before it counts, so one leaf more than the limit passes.
  if (leaves <= maxClauseCount + 1) return;
  if (countDistinctLeaves(plan, isLeaf) <= maxClauseCount + 1) return;
  throw tooManyLeaves(plan, maxClauseCount);
}

function tooManyLeaves(plan: Plan, maxClauseCount: number): OperationError {
  return new OperationError(
    isTooWide(plan, maxClauseCount)
      ? { ...tooManyClauses(maxClauseCount), status: 500 }
      : tooManyNested(maxClauseCount),
  );
}

/**
 * Kinds that count. Numbers, existence and all documents do not: the product simplifies them before
 * it counts, in ways that depend on the shard.
 */
const LEAVES: ReadonlySet<Plan["kind"]> = new Set([
  "term",
  "phrase",
  "synonym",
  "term-set",
  "term-pattern",
  "term-range",
  "ids",
]);

function isLeaf(kind: Plan["kind"]): boolean {
  return LEAVES.has(kind);
}

/**
 * Whether a boolean query is too large with the disjunctions inside it that it absorbs. Source:
 * Lucene's `BooleanQuery.rewrite`.
 */
function isTooWide(root: Plan, maxClauseCount: number): boolean {
  let isTooLarge = false;
  const widthOf = (plan: Plan, depth: number): number => {
    if (depth > MAX_PLAN_DEPTH) return 1;
    const widths = new Map(
      innerPlans(plan).map((inner) => [inner, widthOf(inner, depth + 1)] as const),
    );
    if (plan.kind !== "bool") return 1;
    const { must, filter, should, mustNot, minimumShouldMatch } = plan;
    const others = must.length + filter.length + mustNot.length;
    if (minimumShouldMatch > 1) return 1;
    const width = should.reduce((sum, inner) => sum + (widths.get(inner) ?? 1), others);
    if (width > maxClauseCount) isTooLarge = true;
    return others === 0 ? width : 1;
  };
  widthOf(root, 0);
  return isTooLarge;
}
