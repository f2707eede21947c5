/** Explanations of scores: trees of values and descriptions, as Lucene's `Explanation`. */

/**
 * The explanation of a score, as a tree: `description` says how `value` follows from the values of
 * `details`.
 */
export interface Explanation {
  readonly isMatch: boolean;
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
  /** The value is a count and prints without fraction. */
  readonly isCount?: boolean | undefined;
}
