/** The token filter `trim`: removes white space around terms; offsets are unchanged. */
import { mapTerms } from "../token.ts";
import type { TokenFilterFactory } from "./table.ts";

export const trim: TokenFilterFactory = () => mapTerms(trimControls);

/** Java's `String.trim`: removes every character up to U+0020 at both ends. */
function trimControls(term: string): string {
  let start = 0;
  let end = term.length;
  while (start < end && term.charCodeAt(start) <= 32) start += 1;
  while (end > start && term.charCodeAt(end - 1) <= 32) end -= 1;
  return term.slice(start, end);
}
