/** The token filter `length`: keeps terms of `min` to `max` UTF-16 units. */
import { readInteger } from "../settings.ts";
import { StreamRefusal } from "../stream-refusal.ts";
import { keepTokens } from "../token.ts";
import type { TokenFilterFactory } from "./table.ts";

export const length: TokenFilterFactory = (definition) => {
  const min = readInteger(definition, "min", 0);
  const max = readInteger(definition, "max", 2_147_483_647);
  if (min < 0) throw new StreamRefusal("minimum length must be greater than or equal to zero");
  // The product's message, which states the opposite.
  if (min > max) throw new StreamRefusal("maximum length must not be greater than minimum length");
  return keepTokens(() => (token) => token.term.length >= min && token.term.length <= max);
};
