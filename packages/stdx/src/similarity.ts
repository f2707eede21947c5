/** Similar names for "did you mean" (`LevenshteinDistance` of Lucene). */

/** Candidates with a similarity above 0.5, the most similar first. */
export function similar(word: string, candidates: Iterable<string>): string[] {
  return [...candidates]
    .map((candidate) => ({ candidate, score: similarity(word, candidate) }))
    .filter(({ score }) => score > 0.5)
    .toSorted((a, b) => b.score - a.score || compareText(a.candidate, b.candidate))
    .map(({ candidate }) => candidate);
}

/** From 0 for nothing in common to 1 for equal texts; 0 if one is more than ten times as long as the other. */
export function similarity(a: string, b: string): number {
  if (Math.min(a.length, b.length) * 10 < Math.max(a.length, b.length)) return 0;
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const replace = (previous[j - 1] ?? 0) + cost;
      row.push(Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, replace));
    }
    previous = row;
  }
  return 1 - (previous[b.length] ?? 0) / Math.max(a.length, b.length);
}

/** Compares by UTF-16 code unit, as Java compares strings, never by locale; negative if `a` comes first. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
