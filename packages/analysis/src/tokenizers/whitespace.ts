/** The tokenizer `whitespace`: runs of characters other than white space. */
import { isWhitespace } from "../code-points.ts";
import { readInteger } from "../settings.ts";
import { createCharacterTokenizer, DEFAULT_MAX_TOKEN_LENGTH } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

export const whitespace: TokenizerFactory = (definition) =>
  createCharacterTokenizer(
    readInteger(definition, "max_token_length", DEFAULT_MAX_TOKEN_LENGTH),
    (codePoint) => !isWhitespace(codePoint),
  );
