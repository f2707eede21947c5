/** What whitespace, letter and lowercase tokenizers share (Lucene's `CharTokenizer`): runs of wanted characters. */
import { createToken, setToken } from "../token.ts";
import type { Tokenizer } from "../types.ts";

export const DEFAULT_MAX_TOKEN_LENGTH = 255;

export function createCharacterTokenizer(
  limit: number,
  isWanted: (codePoint: number) => boolean,
  fold: (term: string) => string = (term) => term,
): Tokenizer {
  const token = createToken();
  return (text, sink) => {
    let start = -1;
    let at = 0;
    const emit = (): void => {
      if (start >= 0) sink.token(setToken(token, fold(text.slice(start, at)), start, at, "word"));
      start = -1;
    };
    while (at < text.length) {
      const codePoint = text.codePointAt(at) as number;
      const isInside = isWanted(codePoint);
      if (!isInside) emit();
      else if (start < 0) start = at;
      at += codePoint > 0xffff ? 2 : 1;
      if (isInside && at - start >= limit) emit();
    }
    emit();
    sink.end(text.length, 0);
  };
}
