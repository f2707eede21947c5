/** Which of many intervals hold a value: found without a look at each of them. */

export interface Interval {
  readonly from: number;
  /** Not in the interval itself. */
  readonly to: number;
}

export interface IntervalTree {
  /** Calls `visit` with the number of every interval that holds the value. Returns how many intervals it compared. */
  find(value: number, visit: (interval: number) => void): number;
  /** The same for `values[start]` to `values[end - 1]`: an interval that holds several is visited once. */
  findAny(
    values: ArrayLike<number>,
    start: number,
    end: number,
    visit: (interval: number) => void,
  ): void;
}

/** So many neighbours are compared one by one. */
const BLOCK = 8;

/**
 * A heap of blocks of intervals in the order of their lower bounds: node `n` stands above `2n` and `2n + 1`, and knows the
 * lowest `from` and the highest `to` below it. What is left out by the one or the other is left out with all below it.
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
