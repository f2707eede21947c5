/** The mutable token of a chain, and small steps that parts share. */
import type { Token, TokenSink } from "./types.ts";

/** A token with default attributes. */
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

/** Copies all attributes and returns `to`. */
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

/** Resets a token to new contents, like Lucene's `clearAttributes`. */
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

/** A filter that changes only the terms, one by one; as such it also serves normalizers. */
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

/**
 * A filter that drops tokens; the next token that passes inherits their position increments, as in Lucene's
 * `FilteringTokenFilter`. `createKeep` makes the predicate for one text, true for tokens that pass.
 */
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
