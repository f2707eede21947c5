/**
 * The patterns of `wildcard` queries: `?` is one character, `*` any text, and a backslash escapes.
 * Source: `WildcardQuery`.
 */
import { asciiCases } from "./case-folding.ts";
import { ANY_CHARACTER, ANY_TEXT, rangesOf, type Expression } from "./expression.ts";
import { dfaOf, type Dfa } from "./dfa.ts";

/**
 * Builds the automaton of a `wildcard` pattern. `caseInsensitive` applies to ASCII letters only.
 */
export function wildcardDfa(pattern: string, caseInsensitive: boolean): Dfa {
  const parts: Expression[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i += 1) {
    let character = characters[i] as string;
    if (character === "*") {
      if (parts.at(-1) !== ANY_TEXT) parts.push(ANY_TEXT);
      continue;
    }
    if (character === "?") {
      parts.push(ANY_CHARACTER);
      continue;
    }
    if (character === "\\" && i + 1 < characters.length) {
      i += 1;
      character = characters[i] as string;
    }
    const code = character.codePointAt(0) as number;
    const codes = caseInsensitive ? asciiCases(code) : [code];
    parts.push({ kind: "set", ranges: rangesOf(codes.map((one) => [one, one])) });
  }
  return dfaOf({ kind: "all-of", parts });
}
