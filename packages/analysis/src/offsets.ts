/** Way back from a filtered text to its source: cumulative differences, as Lucene's `BaseCharFilter` keeps them. */

export interface OffsetMap {
  /** From this offset of the output on, add `difference` to get the offset of the input. Offsets must not decrease. */
  add(outputOffset: number, difference: number): void;
  /** The mapping; `undefined` if nothing was added. */
  finish(): ((offset: number) => number) | undefined;
}

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
