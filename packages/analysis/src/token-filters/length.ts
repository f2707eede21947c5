/** Keeps terms of `min` to `max` UTF-16 units. */
import { readInteger } from "../settings.ts";
import { keepTokens } from "../token.ts";
import type { TokenFilterFactory } from "./table.ts";

export const length: TokenFilterFactory = (definition) => {
  const min = readInteger(definition, "min", 0);
  const max = readInteger(definition, "max", 2_147_483_647);
  return keepTokens(() => (token) => token.term.length >= min && token.term.length <= max);
};
