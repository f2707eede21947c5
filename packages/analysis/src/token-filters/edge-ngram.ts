/** The first (or, with `side: back`, the last) `min_gram` to `max_gram` characters of each term. */
import { illegalArgument } from "@orrery/stdx";
import { readText } from "../settings.ts";
import { createGramFilter, readGramSettings } from "./grams.ts";
import type { TokenFilterFactory } from "./table.ts";

export const edgeNgram: TokenFilterFactory = (definition) => {
  const settings = readGramSettings(definition);
  const side = readText(definition, "side") ?? "front";
  if (side !== "front" && side !== "back") throw illegalArgument(`invalid side: ${side}`);
  return createGramFilter(settings, (chars) => {
    const sizes = Math.min(settings.maxGram, chars.length) - settings.minGram + 1;
    return Array.from({ length: Math.max(0, sizes) }, (_, i) => {
      const size = settings.minGram + i;
      const gram = side === "front" ? chars.slice(0, size) : chars.slice(chars.length - size);
      return gram.join("");
    });
  });
};
