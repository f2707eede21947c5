/** Text of a run on one line: what would move a terminal's cursor, or end the line, is shown as it is written in JSON. */

export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return `\\u${digits}`;
  });
}

/** Controls, separators of lines, and what turns the direction of a text around. */
const CONTROL = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
