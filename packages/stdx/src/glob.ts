/**
 * Patterns over names, where `*` stands for any text: indices, fields, columns, settings, paths. Source: `Regex.simpleMatch`.
 *
 * Two pointers and the last `*`: what an earlier `*` took never has to change, so the worst case is the product of both lengths.
 */

export function isGlob(text: string): boolean {
  return text.includes("*");
}

const STAR = 42;

/** A pattern without `*` matches itself only. */
export function matchesGlob(pattern: string, text: string): boolean {
  const { length } = pattern;
  let at = 0;
  let star = -1;
  /** Where the text of the last `*` ends. */
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
