/**
 * Shared part of the tokenizers whitespace, letter and lowercase (Lucene's `CharTokenizer`): a token is a run of
 * accepted characters.
 */
import { StreamRefusal } from "../stream-refusal.ts";
import { createToken, setToken } from "../token.ts";
import type { Tokenizer } from "../types.ts";

export const DEFAULT_MAX_TOKEN_LENGTH = 255;

/** Lucene's `MAX_TOKEN_LENGTH_LIMIT`. */
export const MAX_TOKEN_LENGTH_LIMIT = 1_048_576;

/** Throws for a limit outside of 1 to `MAX_TOKEN_LENGTH_LIMIT`. */
export function checkMaxTokenLength(limit: number): void {
  if (limit > 0 && limit <= MAX_TOKEN_LENGTH_LIMIT) return;
  throw new StreamRefusal(
    `maxTokenLen must be greater than 0 and less than ${MAX_TOKEN_LENGTH_LIMIT} passed: ${limit}`,
  );
}

/** A tokenizer for runs of characters that `isWanted` accepts; a run longer than `limit` UTF-16 units is split. */
export function createCharacterTokenizer(
  limit: number,
  isWanted: (codePoint: number) => boolean,
  fold: (term: string) => string = (term) => term,
): Tokenizer {
  checkMaxTokenLength(limit);
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
