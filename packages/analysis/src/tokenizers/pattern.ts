/** The tokenizer `pattern`: the text between matches of a regular expression (`group` −1), or one group of each match. */
import { compileJavaPattern, type JavaPattern } from "@orrery/stdx";
import { readInteger, readText } from "../settings.ts";
import { StreamRefusal } from "../stream-refusal.ts";
import { createToken, setToken } from "../token.ts";
import type { Tokenizer } from "../types.ts";
import type { TokenizerFactory } from "./table.ts";

export const pattern: TokenizerFactory = (definition) =>
  createPatternTokenizer(
    compileJavaPattern(readText(definition, "pattern") ?? "\\W+", readText(definition, "flags")),
    readInteger(definition, "group", -1),
  );

/**
 * A tokenizer for a compiled pattern. A negative `group` makes tokens of the text between matches, any other of that
 * group in each match. Empty tokens are dropped.
 */
export function createPatternTokenizer(expression: JavaPattern, group: number): Tokenizer {
  const { groupCount } = expression;
  if (group > groupCount) {
    throw new StreamRefusal(
      `invalid group specified: pattern only has: ${groupCount} capturing groups`,
    );
  }
  const token = createToken();
  return (text, sink) => {
    const emit = (start: number, end: number): void => {
      if (end > start) sink.token(setToken(token, text.slice(start, end), start, end, "word"));
    };
    let at = 0;
    for (const { start, end, slots } of expression.findAll(text)) {
      if (group >= 0) {
        emit(slots[group * 2] ?? 0, slots[group * 2 + 1] ?? 0);
        continue;
      }
      emit(at, start);
      at = end;
    }
    if (group < 0) emit(at, text.length);
    sink.end(text.length, 0);
  };
}
