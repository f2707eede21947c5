/**
 * Shared part of the gram tokenizers, as in Lucene's `NGramTokenizer`: grams of code points within runs of the
 * accepted character classes.
 */
import { illegalArgument } from "@orrery/stdx";
import { isDigit, isLetter, isPunctuation, isSymbol, isWhitespace } from "../code-points.ts";
import { readInteger, readList, readText, type Definition } from "../settings.ts";
import { StreamRefusal } from "../stream-refusal.ts";
import { createToken, setToken } from "../token.ts";
import type { Tokenizer } from "../types.ts";

const CLASSES: ReadonlyMap<string, (codePoint: number) => boolean> = new Map([
  ["letter", isLetter],
  ["digit", isDigit],
  ["whitespace", isWhitespace],
  ["punctuation", isPunctuation],
  ["symbol", isSymbol],
]);

interface GramOptions {
  readonly isEdgesOnly: boolean;
  /** Limit of `max_gram` − `min_gram` (`index.max_ngram_diff`); `undefined`: none. */
  readonly maxDifference: number | undefined;
}

/** A tokenizer from the settings `min_gram`, `max_gram` and `token_chars`. */
export function createGramTokenizer(definition: Definition, options: GramOptions): Tokenizer {
  const minGram = readInteger(definition, "min_gram", 1);
  const maxGram = readInteger(definition, "max_gram", 2);
  checkDifference(maxGram - minGram, options.maxDifference);
  const isWanted = readTokenChars(definition);
  checkGrams(minGram, maxGram);
  const token = createToken();
  return (text, sink) => {
    for (const starts of runsOf(text, isWanted)) {
      const last = starts.length - 1;
      const firsts = options.isEdgesOnly ? Math.min(1, last) : last;
      for (let first = 0; first < firsts; first += 1) {
        for (let size = minGram; size <= maxGram && first + size <= last; size += 1) {
          const [from, to] = [starts[first] as number, starts[first + size] as number];
          sink.token(setToken(token, text.slice(from, to), from, to, "word"));
        }
      }
    }
    sink.end(text.length, 0);
  };
}

/** Throws unless 1 ≤ `minGram` ≤ `maxGram`. */
export function checkGrams(minGram: number, maxGram: number): void {
  if (minGram < 1) throw new StreamRefusal("minGram must be greater than zero");
  if (minGram > maxGram) throw new StreamRefusal("minGram must not be greater than maxGram");
}

function checkDifference(difference: number, maxDifference: number | undefined): void {
  if (maxDifference === undefined || difference <= maxDifference) return;
  throw illegalArgument(
    "The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: " +
      `[${maxDifference}] but was [${difference}]. This limit can be set by changing the ` +
      "[index.max_ngram_diff] index level setting.",
  );
}

/** The runs of accepted characters, each as the offsets of its code points and of its end. */
function runsOf(text: string, isWanted: (codePoint: number) => boolean): number[][] {
  const runs: number[][] = [];
  let run: number[] = [];
  let at = 0;
  const close = (): void => {
    if (run.length > 0) runs.push([...run, at]);
    run = [];
  };
  while (at < text.length) {
    const codePoint = text.codePointAt(at) as number;
    if (isWanted(codePoint)) run.push(at);
    else close();
    at += codePoint > 0xffff ? 2 : 1;
  }
  close();
  return runs;
}

function readTokenChars(definition: Definition): (codePoint: number) => boolean {
  const names = readList(definition, "token_chars") ?? [];
  if (names.length === 0) return () => true;
  const custom = new Set([...(readText(definition, "custom_token_chars") ?? "")].map(codePointOf));
  const tests = names.map((name) => {
    if (name.toLowerCase() === "custom") return (codePoint: number) => custom.has(codePoint);
    const test = CLASSES.get(name.toLowerCase());
    if (test !== undefined) return test;
    throw illegalArgument(
      `Unknown token type: '${name.toLowerCase()}', must be one of ` +
        `[${[...CLASSES.keys(), "custom"].toSorted().join(", ")}]`,
    );
  });
  return (codePoint) => tests.some((test) => test(codePoint));
}

function codePointOf(char: string): number {
  return char.codePointAt(0) as number;
}
