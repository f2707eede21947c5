/** Search for those of many intervals that contain a value, without comparing each of them. */

/** The values [from, to). */
export interface Interval {
  readonly from: number;
  /** The end, outside of the interval. */
  readonly to: number;
}

/** Intervals by their index in the list from which the tree was built. */
export interface IntervalTree {
  /**
   * Calls `visit` with the index of every interval that contains the value; returns the number of
   * intervals compared.
   */
  find(value: number, visit: (interval: number) => void): number;
  /**
   * `find` for each of `values[start..end)`; an interval that contains several of them is visited
   * once.
   */
  findAny(
    values: ArrayLike<number>,
    start: number,
    end: number,
    visit: (interval: number) => void,
  ): void;
}

/** Intervals of a leaf, which are compared one by one. */
const BLOCK = 8;

/**
 * A complete binary tree over blocks of intervals in the order of their starts. Node `n` is above
 * `2n` and `2n + 1` and holds the lowest `from` and the highest `to` below it: a value outside of
 * both excludes the whole subtree.
 */
export function intervalTree(intervals: readonly Interval[]): IntervalTree {
  const order = intervals
    .map((_, i) => i)
    .toSorted((a, b) => (intervals[a] as Interval).from - (intervals[b] as Interval).from || a - b);
  const from = Float64Array.from(order, (i) => (intervals[i] as Interval).from);
  const to = Float64Array.from(order, (i) => (intervals[i] as Interval).to);
  let leaves = 1;
  while (leaves * BLOCK < order.length) leaves *= 2;
  const lowest = new Float64Array(2 * leaves).fill(Infinity);
  const highest = new Float64Array(2 * leaves).fill(-Infinity);
  for (let i = 0; i < order.length; i += 1) {
    for (let node = leaves + Math.floor(i / BLOCK); node >= 1; node >>= 1) {
      lowest[node] = Math.min(lowest[node] as number, from[i] as number);
      highest[node] = Math.max(highest[node] as number, to[i] as number);
    }
  }
  const findBelow = (node: number, value: number, visit: (interval: number) => void): number => {
    if (!((lowest[node] as number) <= value && value < (highest[node] as number))) return 0;
    if (node < leaves)
      return findBelow(2 * node, value, visit) + findBelow(2 * node + 1, value, visit);
    const start = (node - leaves) * BLOCK;
    const end = Math.min(start + BLOCK, order.length);
    for (let i = start; i < end; i += 1)
      if ((from[i] as number) <= value && value < (to[i] as number)) visit(order[i] as number);
    return end - start;
  };
  // The call in which an interval was visited last: marks need no clearing between calls.
  const seen = new Float64Array(order.length);
  let call = 0;
  return {
    find: (value, visit) => findBelow(1, value, visit),
    findAny: (values, start, end, visit) => {
      if (end - start === 1) {
        findBelow(1, values[start] as number, visit);
        return;
      }
      call += 1;
      const once = (interval: number): void => {
        if (seen[interval] === call) return;
        seen[interval] = call;
        visit(interval);
      };
      for (let at = start; at < end; at += 1) findBelow(1, values[at] as number, once);
    },
  };
}
