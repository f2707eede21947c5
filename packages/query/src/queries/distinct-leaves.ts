/**
 * The number of a plan's leaves once equal clauses of a boolean query are merged, as the product
 * does before it counts. Source: Lucene's `BooleanQuery.rewrite`.
 */
import { utf8Decode } from "@orrery/stdx";
import { innerPlans, type Plan } from "../language/plan.ts";

/** A counted plan. */
interface Counted {
  /** Equal for equal plans, whatever their boosts. */
  readonly key: number;
  readonly leaves: number;
}

/**
 * The number of leaves of a plan after equal clauses of each boolean query are merged. The function
 * recurses, so the plan must be within the limit of depth.
 */
export function countDistinctLeaves(plan: Plan, isLeaf: (kind: Plan["kind"]) => boolean): number {
  return new Counter(isLeaf).count(plan).leaves;
}

/** Kinds that are equal if their inner plans are. */
const MERGED: ReadonlySet<Plan["kind"]> = new Set(["dis-max", "constant"]);

/** Kinds without inner plans, terms or functions, which are not leaves. */
const PLAIN: ReadonlySet<Plan["kind"]> = new Set([
  "all",
  "none",
  "exists",
  "number-range",
  "number-set",
]);

/** A text that is equal for equal plans; boosts and reasons are left out. */
function plainText(plan: Plan): string {
  return JSON.stringify({ ...plan, reason: undefined, boost: undefined }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

/** Numbers plans by their texts, so that equal ones get the same key. */
class Counter {
  private readonly isLeaf: (kind: Plan["kind"]) => boolean;
  private readonly known = new Map<string, number>();
  private last = 0;

  constructor(isLeaf: (kind: Plan["kind"]) => boolean) {
    this.isLeaf = isLeaf;
  }

  count(plan: Plan): Counted {
    if (this.isLeaf(plan.kind)) {
      const text = leafText(plan);
      return { key: text === undefined ? this.unique() : this.keyOf(text), leaves: 1 };
    }
    if (plan.kind === "bool") {
      const { must, filter, should, mustNot } = plan;
      const groups = [must, filter, should, mustNot].map((group) => this.distinct(group));
      const key = groups.map((group) => group.map((one) => one.key).join(",")).join(";");
      return { key: this.keyOf(`bool(${key})`), leaves: sum(groups.flat()) };
    }
    if (PLAIN.has(plan.kind)) return { key: this.keyOf(plainText(plan)), leaves: 0 };
    const inner = innerPlans(plan).map((one) => this.count(one));
    const key = MERGED.has(plan.kind)
      ? this.keyOf(`${plan.kind}(${inner.map((one) => one.key).join(",")})`)
      : this.unique();
    return { key, leaves: sum(inner) };
  }

  private distinct(plans: readonly Plan[]): readonly Counted[] {
    const counted = plans.map((one) => this.count(one));
    return [...new Map(counted.map((one) => [one.key, one])).values()];
  }

  private keyOf(text: string): number {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const key = this.unique();
    this.known.set(text, key);
    return key;
  }

  private unique(): number {
    this.last += 1;
    return this.last;
  }
}

/** A text that is equal for equal leaves; `undefined`: leaves of the kind are never equal. */
function leafText(plan: Plan): string | undefined {
  const terms =
    plan.kind === "term"
      ? [plan.term]
      : plan.kind === "term-set" || plan.kind === "synonym"
        ? plan.terms
        : undefined;
  if (terms === undefined || !("field" in plan)) return undefined;
  return JSON.stringify([plan.kind, plan.field, ...terms.map((term) => utf8Decode(term))]);
}

function sum(all: readonly Counted[]): number {
  return all.reduce((total, { leaves }) => total + leaves, 0);
}
