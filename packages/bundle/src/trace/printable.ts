/**
 * Text of a run on one line: control characters that would move a terminal's cursor or end the line
 * are shown as JSON escapes.
 */

export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return `\\u${digits}`;
  });
}

/** Control characters, line separators, and marks that change the direction of text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
