/** Answers of deciders, alone and together. Texts are made only when somebody explains. */
import type { Decision, DecisionType } from "./types.ts";

/** One decider's answer. */
export interface Verdict {
  readonly type: DecisionType;
  readonly label: string;
  readonly explain: () => string;
}

/** All deciders' answers; `type` is the worst of them. */
export interface Decisions {
  readonly type: DecisionType;
  /** Every answer when explaining, else up to the first NO. */
  readonly verdicts: readonly Verdict[];
}

export const NEVER: Decisions = { type: "NO", verdicts: [] };

export function yes(label: string, explain: () => string): Verdict {
  return { type: "YES", label, explain };
}

export function no(label: string, explain: () => string): Verdict {
  return { type: "NO", label, explain };
}

export function throttle(label: string, explain: () => string): Verdict {
  return { type: "THROTTLE", label, explain };
}

const RANK: Readonly<Record<DecisionType, number>> = { NO: 0, THROTTLE: 1, YES: 2 };

/** YES is higher than THROTTLE, which is higher than NO. */
export function isHigher(a: DecisionType, b: DecisionType): boolean {
  return RANK[a] > RANK[b];
}

export function worst(a: DecisionType, b: DecisionType): DecisionType {
  return RANK[a] <= RANK[b] ? a : b;
}

/** As data; YES answers only on demand. */
export function toDecisions(decisions: Decisions, includeYes: boolean): readonly Decision[] {
  return decisions.verdicts
    .filter(({ type }) => includeYes || type !== "YES")
    .map(({ type, label, explain }) => ({ type, label, explanation: explain() }));
}

/** `[YES(text)][NO(text)]`, as error messages carry it. */
export function printDecisions({ verdicts }: Decisions): string {
  return verdicts.map(({ type, explain }) => `[${type}(${explain()})]`).join("");
}
