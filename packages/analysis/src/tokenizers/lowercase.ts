/** The tokenizer `lowercase`: runs of letters, in lower case. */
import { isLetter, lowercase as fold } from "../code-points.ts";
import { createCharacterTokenizer, DEFAULT_MAX_TOKEN_LENGTH } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

export const lowercase: TokenizerFactory = () =>
  createCharacterTokenizer(DEFAULT_MAX_TOKEN_LENGTH, isLetter, fold);
