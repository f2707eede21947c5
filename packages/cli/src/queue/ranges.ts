/**
 * Sizes of jobs. A job takes about a second and a half: long enough that the queue costs little, short enough that the
 * death of a worker repeats little and that the last jobs end together.
 */

const AIM_MS = 1500;
/** Jobs for each slot at the end: the slowest of them ends the sweep. */
const SHARES = 4;

export interface RangeFigures {
  /** Mean wall time of the runs so far; `undefined` before the first. */
  readonly meanMs: number | undefined;
  /** Number of runs that have not been put on the queue. */
  readonly left: number;
  /** Number of jobs that run at a time. */
  readonly slots: number;
  readonly most: number;
}

/** Number of seeds of the next job. */
export function rangeSize({ meanMs, left, slots, most }: RangeFigures): number {
  if (meanMs === undefined) return 1;
  const long = Math.floor(AIM_MS / Math.max(meanMs, 1));
  const fair = Math.ceil(left / (SHARES * Math.max(slots, 1)));
  return Math.max(1, Math.min(long, fair, most));
}
