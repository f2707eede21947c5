/** Fuzziness: how many edits are allowed. */
import { illegalArgument } from "@orrery/stdx";
import { scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

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
