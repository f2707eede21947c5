/** A language over code points, as its parts: what regular expressions and wildcards are parsed to, and automata are built from. */

/** Pairs of first and last code point, ascending, apart from each other. */
export type Ranges = readonly number[];

export type Expression =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "all-of"; readonly parts: readonly Expression[] }
  | { readonly kind: "any-of"; readonly parts: readonly Expression[] }
  | { readonly kind: "both"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "repeat";
      readonly part: Expression;
      readonly min: number;
      /** `Infinity`: no end. */
      readonly max: number;
    };

export const LAST_CODE_POINT = 0x10ffff;

export const ANY_CHARACTER: Expression = { kind: "set", ranges: [0, LAST_CODE_POINT] };
export const ANY_TEXT: Expression = { kind: "repeat", part: ANY_CHARACTER, min: 0, max: Infinity };
/** Only the text without characters. */
export const EMPTY_TEXT: Expression = { kind: "all-of", parts: [] };
/** Not even that. */
export const NOTHING: Expression = { kind: "set", ranges: [] };

export function rangesOf(pairs: readonly (readonly [number, number])[]): Ranges {
  const ranges: number[] = [];
  for (const [first, last] of pairs.toSorted(([a], [b]) => a - b)) {
    const before = ranges.at(-1);
    if (before !== undefined && first <= before + 1)
      ranges[ranges.length - 1] = Math.max(before, last);
    else ranges.push(first, last);
  }
  return ranges;
}

export function complementOf(ranges: Ranges): Ranges {
  const others: number[] = [];
  let next = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const first = ranges[i] as number;
    if (first > next) others.push(next, first - 1);
    next = (ranges[i + 1] as number) + 1;
  }
  if (next <= LAST_CODE_POINT) others.push(next, LAST_CODE_POINT);
  return others;
}
