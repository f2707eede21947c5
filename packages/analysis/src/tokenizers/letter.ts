/** The tokenizer `letter`: runs of letters. */
import { isLetter } from "../code-points.ts";
import { createCharacterTokenizer, DEFAULT_MAX_TOKEN_LENGTH } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

export const letter: TokenizerFactory = () =>
  createCharacterTokenizer(DEFAULT_MAX_TOKEN_LENGTH, isLetter);
