/** The one mutable token of a chain, and the small steps tokenizers share. */
import type { Token, TokenSink } from "./types.ts";

export function createToken(): Token {
  return {
    term: "",
    positionIncrement: 1,
    positionLength: 1,
    startOffset: 0,
    endOffset: 0,
    type: "word",
    keyword: false,
  };
}

export function copyToken(from: Readonly<Token>, to: Token): Token {
  to.term = from.term;
  to.positionIncrement = from.positionIncrement;
  to.positionLength = from.positionLength;
  to.startOffset = from.startOffset;
  to.endOffset = from.endOffset;
  to.type = from.type;
  to.keyword = from.keyword;
  return to;
}

/** Starts a token over: what a tokenizer's `clearAttributes` does. */
export function setToken(
  token: Token,
  term: string,
  startOffset: number,
  endOffset: number,
  type: string,
): Token {
  token.term = term;
  token.positionIncrement = 1;
  token.positionLength = 1;
  token.startOffset = startOffset;
  token.endOffset = endOffset;
  token.type = type;
  token.keyword = false;
  return token;
}

/** A filter that only changes the term of each token (and therefore also serves normalizers). */
export function mapTerms(map: (term: string) => string): {
  apply(next: TokenSink): TokenSink;
  normalize: (text: string) => string;
  isSteady: true;
} {
  return {
    isSteady: true,
    apply: (next) => ({
      token: (token) => {
        token.term = map(token.term);
        next.token(token);
      },
      end: (endOffset, trailing) => next.end(endOffset, trailing),
    }),
    normalize: map,
  };
}

/** Drops tokens; their position increments go to the next one that passes, as Lucene's `FilteringTokenFilter`. */
export function keepTokens(createKeep: () => (token: Token) => boolean): {
  apply(next: TokenSink): TokenSink;
  isSteady: true;
} {
  return {
    isSteady: true,
    apply: (next) => {
      let keep = createKeep();
      let skipped = 0;
      return {
        token: (token) => {
          if (!keep(token)) {
            skipped += token.positionIncrement;
            return;
          }
          token.positionIncrement += skipped;
          skipped = 0;
          next.token(token);
        },
        end: (endOffset, trailing) => {
          const total = trailing + skipped;
          skipped = 0;
          keep = createKeep();
          next.end(endOffset, total);
        },
      };
    },
  };
}
