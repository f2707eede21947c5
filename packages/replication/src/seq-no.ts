/** The special values of sequence numbers and terms (`SequenceNumbers`). */

/** The checkpoint of a copy without operations; the first operation has number 0. */
export const NO_OPS_PERFORMED = -1;
/** An unknown number: the checkpoint of a copy that has not reported one. */
export const UNASSIGNED_SEQ_NO = -2;
/** No term: terms start at 1. In a request: no condition on the term. */
export const UNASSIGNED_PRIMARY_TERM = 0;

/** The smaller of two numbers; an unknown one is no bound. */
export function minKnown(a: number, b: number): number {
  if (a === UNASSIGNED_SEQ_NO) return b;
  return b === UNASSIGNED_SEQ_NO ? a : Math.min(a, b);
}
