/**
 * Java's character predicates and case mappings on code points. Case is folded one code point at a time, as in
 * Lucene: JavaScript's `toLowerCase` treats the final sigma specially and may lengthen a text.
 */

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;
const SYMBOL = /^[\p{Sm}\p{Sc}\p{Sk}\p{So}]$/u;
const PUNCTUATION = /^\p{P}$/u;
const SEPARATOR = /^\p{Z}$/u;

export function isLetter(codePoint: number): boolean {
  if (codePoint < 128) return (codePoint | 32) >= 97 && (codePoint | 32) <= 122;
  return LETTER.test(String.fromCodePoint(codePoint));
}

export function isDigit(codePoint: number): boolean {
  if (codePoint < 128) return codePoint >= 48 && codePoint <= 57;
  return DIGIT.test(String.fromCodePoint(codePoint));
}

/** `Character.isWhitespace`: separators except non-breaking ones, and the control characters 9–13 and 28–31. */
export function isWhitespace(codePoint: number): boolean {
  if (codePoint <= 32) {
    return codePoint === 32 || (codePoint >= 9 && codePoint <= 13) || codePoint >= 28;
  }
  if (codePoint < 160 || codePoint === 0xa0 || codePoint === 0x2007 || codePoint === 0x202f) {
    return false;
  }
  return SEPARATOR.test(String.fromCodePoint(codePoint));
}

export function isPunctuation(codePoint: number): boolean {
  return PUNCTUATION.test(String.fromCodePoint(codePoint));
}

export function isSymbol(codePoint: number): boolean {
  return SYMBOL.test(String.fromCodePoint(codePoint));
}

/** The text in lower case, code point by code point. */
export function lowercase(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapCodePoints(text, lowercaseCodePoint);
}

/** The text in upper case, code point by code point. */
export function uppercase(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapCodePoints(text, uppercaseCodePoint);
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 127) return false;
  return true;
}

function lowercaseCodePoint(char: string): string {
  // Java maps the dotted capital I to a plain i; JavaScript appends a combining dot.
  if (char === "\u0130") return "i";
  return oneForOne(char, char.toLowerCase());
}

function uppercaseCodePoint(char: string): string {
  return oneForOne(char, char.toUpperCase());
}

function oneForOne(char: string, mapped: string): string {
  const unitsOfFirst = (mapped.codePointAt(0) ?? 0) > 0xffff ? 2 : 1;
  return mapped.length === unitsOfFirst ? mapped : char;
}

function mapCodePoints(text: string, map: (char: string) => string): string {
  let mapped = "";
  for (const char of text) mapped += map(char);
  return mapped;
}
