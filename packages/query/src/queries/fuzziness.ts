/** Fuzziness: how many edits are allowed, and which terms of an index are that near. */
import { illegalArgument } from "@orrery/stdx";
import type { TermDictionary } from "@orrery/segment";
import { utf8Encode } from "@orrery/stdx";
import { scalarText, type Cursor } from "./cursor.ts";

/** Edits allowed for a term. */
export type Fuzziness = (term: string) => number;

export function parseFuzziness(at: Cursor): Fuzziness {
  const text = scalarText(at).toUpperCase();
  const auto = /^AUTO(?::(\d+),(\d+))?$/.exec(text);
  if (auto !== null) {
    const low = Number(auto[1] ?? 3);
    const high = Number(auto[2] ?? 6);
    return (term) => {
      const length = [...term].length;
      return length < low ? 0 : length < high ? 1 : 2;
    };
  }
  const edits = Number(text);
  if (Number.isNaN(edits) || edits < 0)
    throw illegalArgument(`Invalid fuzziness value: ${scalarText(at)}`);
  if (edits > 2) throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${text}]`);
  return () => Math.trunc(edits);
}

export const AUTO: Fuzziness = (term) => {
  const length = [...term].length;
  return length < 3 ? 0 : length < 6 ? 1 : 2;
};

export interface NearTerm {
  readonly text: string;
  /** 1 for equal terms, less for each edit. */
  readonly similarity: number;
}

export interface NearOptions {
  readonly edits: number;
  readonly prefixLength: number;
  readonly transpositions: boolean;
}

/** Terms of a dictionary within reach, in no order. */
export function nearTerms(
  dictionary: TermDictionary,
  word: string,
  options: NearOptions,
): NearTerm[] {
  const points = [...word];
  const prefix = points.slice(0, options.prefixLength).join("");
  const { from, to } = dictionary.prefixRange(utf8Encode(prefix));
  const found: NearTerm[] = [];
  const cursor = dictionary.cursor(from);
  while (cursor.next() && cursor.ord < to) {
    const text = cursor.text();
    if (Math.abs(text.length - word.length) > options.edits * 2) continue;
    const other = [...text];
    if (Math.abs(other.length - points.length) > options.edits) continue;
    const distance = editDistance(points, other, options);
    if (distance > options.edits) continue;
    const shorter = Math.min(points.length, other.length);
    const similarity = distance === 0 ? 1 : Math.fround(1 - Math.fround(distance / shorter));
    if (similarity > 0) found.push({ text, similarity });
  }
  return found;
}

/** Optimal string alignment; more than `edits` is reported as one more. */
export function editDistance(
  a: readonly string[],
  b: readonly string[],
  { edits, transpositions }: { readonly edits: number; readonly transpositions: boolean },
): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(
        (row[j - 1] as number) + 1,
        (last[j] as number) + 1,
        (last[j - 1] as number) + cost,
      );
      const isSwap =
        transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) value = Math.min(value, (beforeLast[j - 2] as number) + 1);
      row.push(value);
      best = Math.min(best, value);
    }
    if (best > edits) return edits + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
