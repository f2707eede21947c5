/** The token filter `unique`: each term once per text, or once per position. */
import { readBoolean } from "../settings.ts";
import { keepTokens } from "../token.ts";
import type { Token } from "../types.ts";
import type { TokenFilterFactory } from "./table.ts";

export const unique: TokenFilterFactory = (definition) => {
  const isPerPosition = readBoolean(definition, "only_on_same_position", false);
  return keepTokens(() => {
    const seen = new Set<string>();
    return (token: Token) => {
      if (isPerPosition && token.positionIncrement > 0) seen.clear();
      if (seen.has(token.term)) return false;
      seen.add(token.term);
      return true;
    };
  });
};
