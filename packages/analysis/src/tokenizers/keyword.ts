/** The tokenizer `keyword`: the whole text as one token. */
import { readInteger } from "../settings.ts";
import { createToken, setToken } from "../token.ts";
import { checkMaxTokenLength } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

/**
 * The tokenizer `keyword`, which makes one token of the whole text. The setting `buffer_size` is validated and has no
 * effect.
 */
export const keyword: TokenizerFactory = (definition) => {
  checkMaxTokenLength(readInteger(definition, "buffer_size", 256));
  const token = createToken();
  return (text, sink) => {
    sink.token(setToken(token, text, 0, text.length, "word"));
    sink.end(text.length, 0);
  };
};
