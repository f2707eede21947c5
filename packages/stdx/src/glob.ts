/**
 * Patterns over names, with `*` for any text (`Regex.simpleMatch`): indices, fields, columns, settings, paths. The
 * algorithm backtracks only to the last `*`, since the text of an earlier one never has to change: the worst case is
 * the product of both lengths.
 */

/** Whether the text has a `*`. */
export function isGlob(text: string): boolean {
  return text.includes("*");
}

const STAR = 42;

/** Matches the whole text; a pattern without `*` matches itself alone. */
export function matchesGlob(pattern: string, text: string): boolean {
  const { length } = pattern;
  let at = 0;
  let star = -1;
  /** The end of the text that the last `*` stands for. */
  let starEnd = 0;
  for (let i = 0; i < text.length;) {
    const code = at < length ? pattern.charCodeAt(at) : -1;
    if (code === STAR) {
      star = at;
      starEnd = i;
      at += 1;
      if (at === length) return true;
    } else if (code === text.charCodeAt(i)) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      starEnd += 1;
      i = starEnd;
      at = star + 1;
    } else {
      return false;
    }
  }
  while (at < length && pattern.charCodeAt(at) === STAR) at += 1;
  return at === length;
}
