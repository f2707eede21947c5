/** Everything between white space. */
import { isWhitespace } from "../code-points.ts";
import { createCharacterTokenizer } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

export const whitespace: TokenizerFactory = (definition) =>
  createCharacterTokenizer(definition, (codePoint) => !isWhitespace(codePoint));
