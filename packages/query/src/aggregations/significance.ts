/**
 * Heuristics of `significant_terms`: how much more often a term occurs in a subset of documents
 * than in a superset. Source: `JLHScore`, `MutualInformation`, `ChiSquare`, `GND`,
 * `PercentageScore`.
 */
import { illegalArgument, isJsonObject, lookup } from "@orrery/stdx";
import { booleanOf, members, unknownField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

/**
 * Counts of documents with the term, and of all documents, in the subset (the hits) and in the
 * superset (the background, by default the index).
 */
export interface Frequencies {
  readonly subsetFrequency: number;
  readonly subsetSize: number;
  readonly supersetFrequency: number;
  readonly supersetSize: number;
}

/** The score of a term; higher is more significant. */
export type Significance = (frequencies: Frequencies) => number;

/**
 * `includesNegatives`: terms that are rarer in the subset score, too. `backgroundIsSuperset`: the
 * background contains the subset.
 */
interface HeuristicOptions {
  readonly includesNegatives: boolean;
  readonly backgroundIsSuperset: boolean;
}

/** Heuristics by their names in a request. */
export const HEURISTICS: Readonly<Record<string, (options: HeuristicOptions) => Significance>> = {
  jlh: () => jlh,
  percentage:
    () =>
    ({ subsetFrequency, supersetFrequency }) =>
      supersetFrequency === 0 ? 0 : subsetFrequency / supersetFrequency,
  mutual_information: mutualInformation,
  chi_square: chiSquare,
  gnd: normalizedDistance,
};

/**
 * Parses a significance heuristic with its parameters.
 * @throws BodyError 400 for an unknown parameter
 * @throws OperationError 400 for an unknown heuristic
 */
export function parseHeuristic(name: string, at: Cursor): Significance {
  let includesNegatives = false;
  let backgroundIsSuperset = true;
  if (isJsonObject(at.json)) {
    for (const [key, member] of members(at)) {
      if (key === "include_negatives") includesNegatives = booleanOf(member);
      else if (key === "background_is_superset") backgroundIsSuperset = booleanOf(member);
      else throw unknownField(member, name, ["include_negatives", "background_is_superset"]);
    }
  }
  const heuristic = lookup(HEURISTICS, name);
  if (heuristic === undefined) throw illegalArgument(`unknown significance heuristic [${name}]`);
  return heuristic({ includesNegatives, backgroundIsSuperset });
}

/**
 * Absolute times relative change of the frequency; 0 for terms that are rarer in the subset. The
 * default.
 */
export function jlh({
  subsetFrequency,
  subsetSize,
  supersetFrequency,
  supersetSize,
}: Frequencies): number {
  if (subsetSize === 0 || supersetSize === 0) return 0;
  const subset = subsetFrequency / subsetSize;
  const superset = Math.max(supersetFrequency, 1) / supersetSize;
  const change = subset - superset;
  return change <= 0 ? 0 : change * (subset / superset);
}

/**
 * The contingency table: `n` with a first digit for the term (1: with it) and a second for the
 * subset (1: inside).
 */
interface Table {
  readonly n00: number;
  readonly n01: number;
  readonly n10: number;
  readonly n11: number;
  readonly withTerm: number;
  readonly withoutTerm: number;
  readonly inside: number;
  readonly outside: number;
  readonly all: number;
}

/**
 * Without a containing background its counts are those outside of the subset; otherwise the subset
 * is subtracted.
 */
function tableOf(
  { subsetFrequency, subsetSize, supersetFrequency, supersetSize }: Frequencies,
  backgroundIsSuperset: boolean,
): Table {
  const n11 = subsetFrequency;
  const n01 = subsetSize - subsetFrequency;
  if (!backgroundIsSuperset) {
    const n00 = supersetSize - supersetFrequency;
    const n10 = supersetFrequency;
    return {
      n00,
      n01,
      n10,
      n11,
      withTerm: n10 + n11,
      withoutTerm: n00 + n01,
      inside: subsetSize,
      outside: supersetSize,
      all: subsetSize + supersetSize,
    };
  }
  return {
    n00: supersetSize - supersetFrequency - n01,
    n01,
    n10: supersetFrequency - subsetFrequency,
    n11,
    withTerm: supersetFrequency,
    withoutTerm: supersetSize - supersetFrequency,
    inside: subsetSize,
    outside: supersetSize - subsetSize,
    all: supersetSize,
  };
}

/** Whether the term is less frequent inside than outside. */
function isRarer({ n11, inside, n10, outside }: Table): boolean {
  return n11 / inside < n10 / outside;
}

function mutualInformation({
  includesNegatives,
  backgroundIsSuperset,
}: HeuristicOptions): Significance {
  return (frequencies) => {
    const table = tableOf(frequencies, backgroundIsSuperset);
    const { n00, n01, n10, n11, withTerm, withoutTerm, inside, outside, all } = table;
    const term = (joint: number, row: number, column: number): number => {
      const numerator = Math.abs(all * joint);
      const factor = Math.abs(joint / all);
      return numerator < 1e-7 && factor < 1e-7
        ? 0
        : factor * Math.log(numerator / Math.abs(row * column));
    };
    const score =
      (term(n00, withoutTerm, outside) +
        term(n01, withoutTerm, inside) +
        term(n10, withTerm, outside) +
        term(n11, withTerm, inside)) /
      Math.LN2;
    const known = Number.isNaN(score) ? -Infinity : score;
    return !includesNegatives && isRarer(table) ? -known : known;
  };
}

function chiSquare({ includesNegatives, backgroundIsSuperset }: HeuristicOptions): Significance {
  return (frequencies) => {
    const table = tableOf(frequencies, backgroundIsSuperset);
    const { n00, n01, n10, n11, withTerm, withoutTerm, inside, outside, all } = table;
    if (!includesNegatives && isRarer(table)) return -Infinity;
    return (all * (n11 * n00 - n01 * n10) ** 2) / (inside * withTerm * withoutTerm * outside);
  };
}

function normalizedDistance({ backgroundIsSuperset }: HeuristicOptions): Significance {
  return ({ subsetFrequency, subsetSize, supersetFrequency, supersetSize }) => {
    if (subsetFrequency === 0) return 0;
    if (supersetFrequency === subsetSize && supersetFrequency === subsetFrequency) return 1;
    const term = Math.log(
      backgroundIsSuperset ? supersetFrequency : supersetFrequency + subsetFrequency,
    );
    const subset = Math.log(subsetSize);
    const all = Math.log(backgroundIsSuperset ? supersetSize : supersetSize + subsetSize);
    return Math.exp(
      -(Math.max(term, subset) - Math.log(subsetFrequency)) / (all - Math.min(term, subset)),
    );
  };
}
