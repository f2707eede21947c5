/** How many leaves a plan has once clauses of a boolean query that are the same are one. Source: Lucene's `BooleanQuery.rewrite`. */
import { utf8Decode } from "@orrery/stdx";
import { innerPlans, type Plan } from "../language/plan.ts";

interface Counted {
  /** The same for plans that are the same, whatever their boosts are. */
  readonly key: number;
  readonly leaves: number;
}

/** `plan` is no deeper than a plan may be. */
export function countDistinctLeaves(plan: Plan, isLeaf: (kind: Plan["kind"]) => boolean): number {
  return new Counter(isLeaf).count(plan).leaves;
}

/** Kinds that are the same where what is in them is. */
const MERGED: ReadonlySet<Plan["kind"]> = new Set(["dis-max", "constant"]);

/** Kinds without plans, bytes or functions in them, which are not counted themselves. */
const PLAIN: ReadonlySet<Plan["kind"]> = new Set([
  "all",
  "none",
  "exists",
  "number-range",
  "number-set",
]);

/** Queries that differ in a boost, or in the reason why nothing is found, are the same. */
function plainText(plan: Plan): string {
  return JSON.stringify({ ...plan, reason: undefined, boost: undefined }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

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

/** `undefined`: of a kind of which one is not compared with another. */
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
