/** Maps offsets of a filtered text back to its source, by cumulative differences, as in Lucene's `BaseCharFilter`. */

/** Collects the points at which the offset difference changes. */
export interface OffsetMap {
  /** From this offset of the output on, `difference` is added to get the offset in the input. Offsets must not decrease. */
  add(outputOffset: number, difference: number): void;
  /** The mapping; `undefined` when nothing was added, that is, when offsets are unchanged. */
  finish(): ((offset: number) => number) | undefined;
}

/** An empty map; look-ups in the finished one are binary searches. */
export function createOffsetMap(): OffsetMap {
  const offsets: number[] = [];
  const differences: number[] = [];
  const correct = (offset: number): number => {
    let low = 0;
    let high = offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : offset + (differences[low - 1] as number);
  };
  return {
    add: (outputOffset, difference) => {
      const last = offsets.length - 1;
      if (last >= 0 && offsets[last] === outputOffset) {
        differences[last] = difference;
        return;
      }
      offsets.push(outputOffset);
      differences.push(difference);
    },
    finish: () => (offsets.length === 0 ? undefined : correct),
  };
}
