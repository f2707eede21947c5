/** The constants of sequence numbers. Source: `SequenceNumbers`. */

/** No operation yet: the checkpoint of an empty copy. */
export const NO_OPS_PERFORMED = -1;
/** Not known: the checkpoint of a copy that has not reported one. */
export const UNASSIGNED_SEQ_NO = -2;
/** Terms start at 1; this one says "no condition". */
export const UNASSIGNED_PRIMARY_TERM = 0;

/** The smaller of two, where "not known" is no bound. */
export function minKnown(a: number, b: number): number {
  if (a === UNASSIGNED_SEQ_NO) return b;
  return b === UNASSIGNED_SEQ_NO ? a : Math.min(a, b);
}
