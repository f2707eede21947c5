/** Removes a final `'s`, written with any of three apostrophes: Lucene's `EnglishPossessiveFilter`. */

export function stripPossessive(term: string): string {
  const { length } = term;
  if (length < 2) return term;
  const last = term.charCodeAt(length - 1);
  if (last !== 115 && last !== 83) return term;
  const mark = term.charCodeAt(length - 2);
  return mark === 0x27 || mark === 0x2019 || mark === 0xff07 ? term.slice(0, -2) : term;
}
