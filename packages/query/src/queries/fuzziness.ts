/** Fuzziness: the number of edits within which terms are near. Source: `Fuzziness`. */
import { illegalArgument } from "@orrery/stdx";
import { scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

/** The number of edits that a term may differ by. */
export type Fuzziness = (term: string) => number;

/**
 * Parses a `fuzziness`: a number of edits, `AUTO`, or `AUTO:low,high` with two lengths.
 * @throws BodyError or OperationError 400
 */
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

/** No edit below 3 characters, one below 6, else two. */
export const AUTO: Fuzziness = (term) => {
  const length = [...term].length;
  return length < 3 ? 0 : length < 6 ? 1 : 2;
};
