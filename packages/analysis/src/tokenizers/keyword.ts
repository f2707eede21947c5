/** The whole text as one token. */
import { createToken, setToken } from "../token.ts";
import type { TokenizerFactory } from "./table.ts";

export const keyword: TokenizerFactory = () => {
  const token = createToken();
  return (text, sink) => {
    sink.token(setToken(token, text, 0, text.length, "word"));
    sink.end(text.length, 0);
  };
};
