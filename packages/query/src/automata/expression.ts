/**
 * A regular language over code points, as a tree. Regular expressions and wildcards are parsed to
 * it, and automata are built from it.
 */

/** Pairs of first and last code point, ascending and disjoint. */
export type Ranges = readonly number[];

/**
 * One node of the tree. `set`: one character of the ranges; `all-of`: the parts one after the
 * other; `any-of`: one of the parts; `both`: a text that both sides accept; `repeat`: the part
 * `min` to `max` times.
 */
export type Expression =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "all-of"; readonly parts: readonly Expression[] }
  | { readonly kind: "any-of"; readonly parts: readonly Expression[] }
  | { readonly kind: "both"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "repeat";
      readonly part: Expression;
      readonly min: number;
      /** `Infinity` for an unlimited number. */
      readonly max: number;
    };

export const LAST_CODE_POINT = 0x10ffff;

export const ANY_CHARACTER: Expression = { kind: "set", ranges: [0, LAST_CODE_POINT] };
export const ANY_TEXT: Expression = { kind: "repeat", part: ANY_CHARACTER, min: 0, max: Infinity };
/** Accepts the empty text only. */
export const EMPTY_TEXT: Expression = { kind: "all-of", parts: [] };
/** Accepts no text, not even the empty one. */
export const NOTHING: Expression = { kind: "set", ranges: [] };

/** Sorts ranges and joins those that overlap or touch. */
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

/** Returns the ranges of all other code points. */
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
