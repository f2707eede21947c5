/** What to mark: the terms, patterns and phrases a plan looks for, by field. */
import { utf8Decode } from "@orrery/stdx";
import type { Plan } from "../search/plan.ts";

export interface Wanted {
  /** Marked wherever they stand. */
  readonly terms: Set<string>;
  readonly tests: ((term: string) => boolean)[];
  /** Marked only where the phrase matches. */
  readonly phrases: Phrase[];
}

export interface Phrase {
  readonly positions: readonly {
    readonly position: number;
    readonly matches: (term: string) => boolean;
  }[];
  readonly slop: number;
}

export function wantedOf(plan: Plan): Map<string, Wanted> {
  const byField = new Map<string, Wanted>();
  collect(plan, byField);
  return byField;
}

function wantedFor(byField: Map<string, Wanted>, field: string): Wanted {
  let wanted = byField.get(field);
  if (wanted === undefined) {
    wanted = { terms: new Set(), tests: [], phrases: [] };
    byField.set(field, wanted);
  }
  return wanted;
}

function collect(plan: Plan, byField: Map<string, Wanted>): void {
  switch (plan.kind) {
    case "term":
      wantedFor(byField, plan.field).terms.add(utf8Decode(plan.term));
      return;
    case "term-set":
    case "synonym":
      for (const term of plan.terms) wantedFor(byField, plan.field).terms.add(utf8Decode(term));
      return;
    case "term-pattern": {
      const prefix = utf8Decode(plan.prefix);
      const { matches } = plan;
      wantedFor(byField, plan.field).tests.push(
        (term) => term.startsWith(prefix) && (matches === undefined || matches(term)),
      );
      return;
    }
    case "phrase": {
      const last = plan.positions.length - 1;
      wantedFor(byField, plan.field).phrases.push({
        slop: plan.slop,
        positions: plan.positions.map(({ position, terms }, i) => {
          const texts = terms.map(utf8Decode);
          const isPrefix = plan.prefixExpansions !== undefined && i === last;
          return {
            position,
            matches: isPrefix
              ? (term) => texts.some((text) => term.startsWith(text))
              : (term) => texts.includes(term),
          };
        }),
      });
      return;
    }
    default:
      for (const inner of innerPlans(plan)) collect(inner, byField);
  }
}

function innerPlans(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case "bool":
      return [...plan.must, ...plan.filter, ...plan.should];
    case "dis-max":
      return plan.plans;
    case "boosting":
      return [plan.positive];
    case "constant":
    case "nested":
    case "function":
      return [plan.plan];
    default:
      return [];
  }
}
