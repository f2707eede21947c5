/** The token filter `edge_ngram`: the first (with `side: back` the last) `min_gram` to `max_gram` characters of each term. */
import { illegalArgument } from "@orrery/stdx";
import { readText } from "../settings.ts";
import { createGramFilter, readGramSettings } from "./grams.ts";
import type { TokenFilterFactory } from "./table.ts";

export const edgeNgram: TokenFilterFactory = (definition) => {
  const settings = readGramSettings(definition);
  const side = readText(definition, "side") ?? "front";
  if (side !== "front" && side !== "back") throw illegalArgument(`invalid side: ${side}`);
  return createGramFilter(settings, (length, emit) => {
    for (let size = settings.minGram; size <= settings.maxGram && size <= length; size += 1) {
      if (side === "front") emit(0, size);
      else emit(length - size, length);
    }
  });
};
