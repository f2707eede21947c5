/** The whole text as one token. */
import { readInteger } from "../settings.ts";
import { createToken, setToken } from "../token.ts";
import { checkMaxTokenLength } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";

/** A text is at hand as a whole, so that the size of the buffer is only checked. */
export const keyword: TokenizerFactory = (definition) => {
  checkMaxTokenLength(readInteger(definition, "buffer_size", 256));
  const token = createToken();
  return (text, sink) => {
    sink.token(setToken(token, text, 0, text.length, "word"));
    sink.end(text.length, 0);
  };
};
