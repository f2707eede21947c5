/** How many requests may change each part of the state: sent so far, and under way still. */
export interface Count {
  sent: number;
  open: number;
}

/** By part. */
export type Counts = Map<string, Count>;

export function countOf(counts: Counts, part: string): Count {
  const count = counts.get(part) ?? { sent: 0, open: 0 };
  counts.set(part, count);
  return count;
}

/** Of requests that claim the same of a part; no path of a part has this character. */
export function countOfAlike(counts: Counts, part: string, becomes: string): Count {
  return countOf(counts, `${part}\0${becomes}`);
}

/** The sum of the counts of a part and of all that it is a part of. */
export function concerning(counts: Counts, part: string): Readonly<Count> {
  const sum = { sent: 0, open: 0 };
  for (const whole of wholesOf(part)) {
    const count = counts.get(whole);
    sum.sent += count?.sent ?? 0;
    sum.open += count?.open ?? 0;
  }
  return sum;
}

/** Of `a/b`: the empty path, `a` and `a/b`. */
function wholesOf(part: string): readonly string[] {
  const segments = part.split("/");
  return ["", ...segments.map((_, i) => segments.slice(0, i + 1).join("/"))];
}
