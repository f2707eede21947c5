/** Explanations of scores: trees of values and descriptions, as Lucene's `Explanation`. */

/** `value` is derived from those of `details`, as the description says. */
export interface Explanation {
  readonly isMatch: boolean;
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
  /** The value is a count and prints without fraction. */
  readonly isCount?: boolean | undefined;
}
