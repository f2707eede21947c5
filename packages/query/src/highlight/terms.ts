/** The terms, patterns and phrases to mark, by field, collected from a plan. */
import { utf8Decode } from "@orrery/stdx";
import type { Plan } from "../language/plan.ts";

/** The terms, tests and phrases to mark in one field. */
export interface Wanted {
  /** Marked at every position. */
  readonly terms: ReadonlySet<string>;
  /** Mark every term for which one returns true. */
  readonly tests: readonly ((term: string) => boolean)[];
  /** Marked only where the phrase matches. */
  readonly phrases: readonly Phrase[];
}

export interface Phrase {
  readonly positions: readonly PhrasePosition[];
  readonly slop: number;
}

export interface PhrasePosition {
  readonly position: number;
  /** The alternatives at this position. */
  readonly texts: readonly string[];
  /** True if terms that start with one of the texts match, too. */
  readonly isPrefix: boolean;
}

/** A `Wanted` under construction. */
interface Collected extends Wanted {
  readonly terms: Set<string>;
  readonly tests: ((term: string) => boolean)[];
  readonly phrases: Phrase[];
}

/** Collects the terms, tests and phrases of a plan that are to be marked, by field. */
export function wantedOf(plan: Plan): Map<string, Wanted> {
  const byField = new Map<string, Collected>();
  collect(plan, byField);
  return byField;
}

/** Joins all fields into one. */
export function allWanted(byField: ReadonlyMap<string, Wanted>): Wanted {
  const all: Collected = { terms: new Set(), tests: [], phrases: [] };
  for (const { terms, tests, phrases } of byField.values()) {
    for (const term of terms) all.terms.add(term);
    for (const test of tests) all.tests.push(test);
    for (const phrase of phrases) all.phrases.push(phrase);
  }
  return all;
}

function wantedFor(byField: Map<string, Collected>, field: string): Collected {
  let wanted = byField.get(field);
  if (wanted === undefined) {
    wanted = { terms: new Set(), tests: [], phrases: [] };
    byField.set(field, wanted);
  }
  return wanted;
}

function collect(plan: Plan, byField: Map<string, Collected>): void {
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
        positions: plan.positions.map(({ position, terms }, i) => ({
          position,
          texts: terms.map(utf8Decode),
          isPrefix: plan.prefixExpansions !== undefined && i === last,
        })),
      });
      return;
    }
    default:
      for (const inner of innerPlans(plan)) collect(inner, byField);
  }
}

/** Returns the plans inside a plan, except exclusions. */
function innerPlans(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case "bool":
      return [...plan.must, ...plan.filter, ...plan.should];
    case "dis-max":
      return plan.plans;
    case "own":
      return plan.scored ?? [];
    case "constant":
    case "nested":
      return [plan.plan];
    default:
      return [];
  }
}
