/** What lies between matches of a regular expression (`group` −1), or one group of each match. */
import { compileJavaPattern } from "@orrery/stdx";
import { readInteger, readText } from "../settings.ts";
import { createToken, setToken } from "../token.ts";
import type { Tokenizer } from "../types.ts";
import type { TokenizerFactory } from "./table.ts";

export const pattern: TokenizerFactory = (definition) =>
  createPatternTokenizer(
    compileJavaPattern(
      readText(definition, "pattern") ?? "\\W+",
      readText(definition, "flags"),
      "gd",
    ),
    readInteger(definition, "group", -1),
  );

/** `expression` must have the flags `g` and `d`. Empty tokens are left out. */
export function createPatternTokenizer(expression: RegExp, group: number): Tokenizer {
  const token = createToken();
  return (text, sink) => {
    const emit = (start: number, end: number): void => {
      if (end > start) sink.token(setToken(token, text.slice(start, end), start, end, "word"));
    };
    let at = 0;
    for (const match of text.matchAll(expression)) {
      if (group >= 0) {
        const [start, end] = match.indices?.[group] ?? [0, 0];
        emit(start, end);
        continue;
      }
      emit(at, match.index);
      at = match.index + match[0].length;
    }
    if (group < 0) emit(at, text.length);
    sink.end(text.length, 0);
  };
}
