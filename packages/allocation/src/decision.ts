/** Verdicts of deciders, alone and combined. Their texts are made only for explanations. */
import type { Decision, DecisionType } from "./types.ts";

/** The verdict of one decider. */
export interface Verdict {
  readonly type: DecisionType;
  readonly label: string;
  readonly explain: () => string;
}

/** The verdicts of all deciders; `type` is the worst of them. */
export interface Decisions {
  readonly type: DecisionType;
  /** All verdicts when explaining, else those up to the first NO. */
  readonly verdicts: readonly Verdict[];
}

/** A NO without a decider, for nodes on which the shard failed in this round. */
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

/** Order of types: YES above THROTTLE above NO. */
export function isHigher(a: DecisionType, b: DecisionType): boolean {
  return RANK[a] > RANK[b];
}

export function worst(a: DecisionType, b: DecisionType): DecisionType {
  return RANK[a] <= RANK[b] ? a : b;
}

/** Verdicts as data, with their texts; those of type YES only if `includeYes`. */
export function toDecisions(decisions: Decisions, includeYes: boolean): readonly Decision[] {
  return decisions.verdicts
    .filter(({ type }) => includeYes || type !== "YES")
    .map(({ type, label, explain }) => ({ type, label, explanation: explain() }));
}

/** `[YES(text)][NO(text)]`, as in error messages. */
export function printDecisions({ verdicts }: Decisions): string {
  return verdicts.map(({ type, explain }) => `[${type}(${explain()})]`).join("");
}
