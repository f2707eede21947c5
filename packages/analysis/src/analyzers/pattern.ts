/** The analyzer `pattern`: splits the text at matches of a regular expression; lower case by default. */
import { compileJavaPattern } from "@orrery/stdx";
import { createAnalyzer } from "../chain.ts";
import { lowercase } from "../code-points.ts";
import { readBoolean, readText } from "../settings.ts";
import { readStopWords } from "../stop-words.ts";
import { mapTerms } from "../token.ts";
import { createStopFilter } from "../token-filters/stop.ts";
import { createPatternTokenizer } from "../tokenizers/pattern.ts";
import type { AnalyzerFactory } from "./table.ts";

export const pattern: AnalyzerFactory = (definition, { name }) => {
  const source = readText(definition, "pattern") ?? "\\W+";
  const stopWords = readStopWords(definition, "stopwords", []);
  const isFolded = readBoolean(definition, "lowercase", true);
  return createAnalyzer({
    name,
    charFilters: [],
    tokenizer: createPatternTokenizer(
      compileJavaPattern(source, readText(definition, "flags")),
      -1,
    ),
    filters: [
      ...(isFolded ? [mapTerms(lowercase)] : []),
      ...(stopWords.length > 0 ? [createStopFilter(stopWords)] : []),
    ],
  });
};
