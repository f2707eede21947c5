/** Runs of letters. */
import { isLetter } from "../code-points.ts";
import { createCharacterTokenizer } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

export const letter: TokenizerFactory = (definition) =>
  createCharacterTokenizer(definition, isLetter);
