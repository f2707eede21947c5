/** Runs of letters, in lower case. */
import { isLetter, lowercase as fold } from "../code-points.ts";
import { createCharacterTokenizer } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

export const lowercase: TokenizerFactory = (definition) =>
  createCharacterTokenizer(definition, isLetter, fold);
