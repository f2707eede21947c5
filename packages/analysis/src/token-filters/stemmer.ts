/** The token filter `stemmer`: stems by `language`; terms marked as keywords are unchanged. */
import { OperationError } from "@orrery/stdx";
import { readText } from "../settings.ts";
import type { TokenFilter } from "../types.ts";
import { stripMinimalPlural } from "./minimal-english.ts";
import { porterStem } from "./porter.ts";
import { stripPossessive } from "./possessive.ts";
import type { TokenFilterFactory } from "./table.ts";

const LANGUAGES: ReadonlyMap<string, (term: string) => string> = new Map([
  ["english", porterStem],
  ["porter", porterStem],
  ["possessive_english", stripPossessive],
  ["possessiveEnglish", stripPossessive],
  ["minimal_english", stripMinimalPlural],
  ["minimalEnglish", stripMinimalPlural],
]);

export const stemmer: TokenFilterFactory = (definition) => {
  const language = readText(definition, "language") ?? readText(definition, "name") ?? "porter";
  const stem = LANGUAGES.get(language) ?? LANGUAGES.get(language.toLowerCase());
  if (stem !== undefined) return createStemFilter(stem);
  const className = language.charAt(0).toUpperCase() + language.slice(1);
  throw new OperationError({
    type: "illegal_argument_exception",
    reason: `Invalid stemmer class specified: ${className}`,
    status: 400,
    causedBy: {
      type: "class_not_found_exception",
      reason: `org.tartarus.snowball.ext.${className}Stemmer`,
      status: 500,
    },
  });
};

/** The token filter `porter_stem`. */
export const porterStemmer: TokenFilterFactory = () => createStemFilter(porterStem);

/** A filter that stems terms unless they are marked as keywords. */
export function createStemFilter(stem: (term: string) => string): TokenFilter {
  return {
    isSteady: true,
    apply: (next) => ({
      token: (token) => {
        if (!token.keyword) token.term = stem(token.term);
        next.token(token);
      },
      end: (endOffset, trailing) => next.end(endOffset, trailing),
    }),
  };
}
