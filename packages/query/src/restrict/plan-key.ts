/**
 * Keys of plans whose matches depend on the segment alone. Plans with equal keys match the same
 * documents of a segment.
 *
 * The key is made from the plan, in which fields, `now`, aliases and fuzzy terms are resolved. The
 * text of the query would not do: its meaning may change.
 */
import type { Plan } from "../language/plan.ts";

/**
 * A key under which the matches of a plan in one segment are cached. `undefined`: the matches may
 * depend on other segments, on scores, or on a plugin's weight.
 */
export function planKey(plan: Plan): string | undefined {
  const parts = partsOf(plan);
  return parts && JSON.stringify(parts);
}

type Part = string | number | boolean | null | readonly Part[];

function partsOf(plan: Plan): readonly Part[] | undefined {
  switch (plan.kind) {
    case "all":
    case "none":
      return [plan.kind];
    case "term":
      return [plan.kind, plan.field, bytesPart(plan.term)];
    case "term-set":
    case "synonym":
      return [plan.kind, plan.field, plan.terms.map(bytesPart)];
    case "term-pattern":
      return [plan.kind, plan.field, bytesPart(plan.prefix), plan.matches ? plan.label : null];
    case "term-range": {
      const ends = [plan.lower, plan.upper].map((end) => (end ? bytesPart(end) : null));
      return [plan.kind, plan.field, ends, plan.includesLower, plan.includesUpper];
    }
    case "number-range":
      return [plan.kind, plan.field, numberPart(plan.lower), numberPart(plan.upper)];
    case "number-set":
      return [plan.kind, plan.field, plan.values.map(numberPart)];
    case "exists":
      return [plan.kind, plan.field];
    case "phrase": {
      // The limit of expansions applies to the terms of all segments.
      if (plan.prefixExpansions !== undefined) return undefined;
      const positions = plan.positions.map(({ position, terms }) => [
        position,
        terms.map(bytesPart),
      ]);
      return [plan.kind, plan.field, plan.slop, positions];
    }
    case "bool": {
      const { must, filter, should, mustNot, minimumShouldMatch } = plan;
      const lists = [must, filter, should, mustNot].map(listOf);
      if (!areAll(lists)) return undefined;
      return [plan.kind, minimumShouldMatch, ...lists];
    }
    case "dis-max": {
      const inner = listOf(plan.plans);
      return inner && [plan.kind, inner];
    }
    case "constant":
      return partsOf(plan.plan);
    case "nested": {
      const inner = partsOf(plan.plan);
      return inner && [plan.kind, plan.path, plan.parentPath ?? null, inner];
    }
    // A segment may contain several documents with an id, of which one is live.
    case "ids":
    case "own":
      return undefined;
  }
}

/** `undefined` if one of the plans has no key. */
function listOf(plans: readonly Plan[]): readonly Part[] | undefined {
  const parts = plans.map(partsOf);
  return areAll(parts) ? parts : undefined;
}

function areAll<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return list.every((one) => one !== undefined);
}

/** Distinguishes a 64-bit long from a double that prints the same. */
function numberPart(value: number | bigint): string {
  if (typeof value === "bigint") return `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Maps each byte to a character. */
function bytesPart(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
