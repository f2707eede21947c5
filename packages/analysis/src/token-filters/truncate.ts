/** The token filter `truncate`: cuts terms to `length` UTF-16 units. */
import { illegalArgument } from "@orrery/stdx";
import { readInteger } from "../settings.ts";
import type { TokenFilterFactory } from "./table.ts";

export const truncate: TokenFilterFactory = (definition) => {
  const limit = readInteger(definition, "length", -1);
  if (limit <= 0) throw illegalArgument("length parameter must be provided");
  return {
    apply: (next) => ({
      token: (token) => {
        if (!token.keyword) token.term = token.term.slice(0, limit);
        next.token(token);
      },
      end: (endOffset, trailing) => next.end(endOffset, trailing),
    }),
  };
};
