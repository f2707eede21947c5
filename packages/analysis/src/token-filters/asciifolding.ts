/** The token filter `asciifolding`: replaces characters by their ASCII equivalents: é → e, ﬁ → fi. */
import { isAscii } from "../code-points.ts";
import { readBoolean } from "../settings.ts";
import { mapTerms } from "../token.ts";
import type { TokenFilter, TokenSink } from "../types.ts";
import { FOLDINGS } from "./ascii-foldings.ts";
import type { TokenFilterFactory } from "./table.ts";

export const asciifolding: TokenFilterFactory = (definition) =>
  readBoolean(definition, "preserve_original", false)
    ? { apply: withOriginal, normalize: foldToAscii }
    : (mapTerms(foldToAscii) satisfies TokenFilter);

/** Emits the folded term and, if it differs, the original at the same position. */
function withOriginal(next: TokenSink): TokenSink {
  return {
    token: (token) => {
      const { term, startOffset, endOffset, type, keyword, positionLength } = token;
      const folded = foldToAscii(term);
      token.term = folded;
      next.token(token);
      if (folded === term) return;
      const original = { term, startOffset, endOffset, type, keyword, positionLength };
      next.token(Object.assign(token, original, { positionIncrement: 0 }));
    },
    end: (endOffset, trailing) => next.end(endOffset, trailing),
  };
}

let folded: ReadonlyMap<number, string> | undefined;

/** The text with every foldable character replaced. */
export function foldToAscii(text: string): string {
  if (isAscii(text)) return text;
  folded ??= unpack();
  let ascii = "";
  for (let i = 0; i < text.length; i += 1) {
    ascii += folded.get(text.charCodeAt(i)) ?? text.charAt(i);
  }
  return ascii;
}

function unpack(): Map<number, string> {
  const map = new Map<number, string>();
  for (const [replacement, differences] of FOLDINGS) {
    let unit = 0;
    for (const difference of differences.split(" ")) {
      unit += Number.parseInt(difference, 36);
      map.set(unit, replacement);
    }
  }
  return map;
}
