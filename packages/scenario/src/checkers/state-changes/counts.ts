/** Number of requests that may change a part of the state: sent so far, and still pending. */
export interface Count {
  sent: number;
  open: number;
}

/** Counts by path of the part. */
export type Counts = Map<string, Count>;

export function countOf(counts: Counts, part: string): Count {
  const count = counts.get(part) ?? { sent: 0, open: 0 };
  counts.set(part, count);
  return count;
}

/**
 * Count of the requests that claim the same value of a part. Its key cannot be that of a part, because it contains NUL.
 */
export function countOfAlike(counts: Counts, part: string, becomes: string): Count {
  return countOf(counts, `${part}\0${becomes}`);
}

/** Sum of the counts of a part and of all parts that include it. */
export function concerning(counts: Counts, part: string): Readonly<Count> {
  const sum = { sent: 0, open: 0 };
  for (const whole of wholesOf(part)) {
    const count = counts.get(whole);
    sum.sent += count?.sent ?? 0;
    sum.open += count?.open ?? 0;
  }
  return sum;
}

/** Paths that include `a/b`: the empty path, `a` and `a/b`. */
function wholesOf(part: string): readonly string[] {
  const segments = part.split("/");
  return ["", ...segments.map((_, i) => segments.slice(0, i + 1).join("/"))];
}
