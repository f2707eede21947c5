/** An explanation of a score, as a tree of values and words. */

export interface Explanation {
  readonly isMatch: boolean;
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
  /** Counts print as whole numbers. */
  readonly isCount?: boolean | undefined;
}
