/**
 * `postfix`: calculations in the order of a pocket calculator, `$stars 2 * #bonus +`. A word is a number, a field's first value (`$name`,
 * 0 where there is none), a parameter (`#name`), the score (`score`), an operator, or `joined`, which makes a text of the two numbers before it.
 */
import type * as dsl from "@orrery/query/extension";
import { illegalArgument, lookup, type JsonObject } from "@orrery/stdx";

type Value = number | string;

/** The values of one document for the words of a script. */
interface Frame {
  doc: number;
  score: number;
}

type Word = (stack: Value[], frame: Frame) => void;

/** A word that is looked up once for a shard, and opened in each segment. */
type BoundWord = (segment: dsl.SegmentContext) => Word;

const OPERATORS: Readonly<Record<string, (a: number, b: number) => Value>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  ">": (a, b) => Number(a > b),
  joined: (a, b) => `${a}/${b}`,
};

export const postfixEngine: dsl.ScriptEngine = {
  contexts: ["field", "filter", "number_sort", "score", "string_sort"],
  compile: (source) => {
    const words = source.trim().split(/\s+/);
    checkDepth(words);
    const needsScore = words.includes("score");
    const of = <Given extends readonly unknown[], Result>(
      result: (value: Value) => Result,
      scoreOf: (...given: Given) => number,
    ): dsl.DocumentScript<Given, Result> => ({
      bind: (params, shard) => {
        const bound = words.map((word) => bindWord(word, params, shard));
        return {
          needsScore,
          open: (segment) => {
            const run = openWords(bound, segment);
            return (doc, ...given) => result(run({ doc, score: scoreOf(...given) }));
          },
        };
      },
    });
    const scored = (score: number): number => score;
    const unscored = (): number => Number.NaN;
    return {
      field: of((value) => value, unscored),
      filter: of((value) => value !== 0, unscored),
      number_sort: of(Number, scored),
      score: of(Number, scored),
      string_sort: of(String, scored),
    };
  },
};

function checkDepth(words: readonly string[]): void {
  let depth = 0;
  for (const word of words) {
    depth += lookup(OPERATORS, word) === undefined ? 1 : -1;
    if (depth < 1) throw illegalArgument(`[postfix] [${word}] lacks a number`);
  }
  if (depth !== 1) throw illegalArgument(`[postfix] [${depth}] numbers are left`);
}

function openWords(
  bound: readonly BoundWord[],
  segment: dsl.SegmentContext,
): (frame: Frame) => Value {
  const opened = bound.map((word) => word(segment));
  return (frame) => {
    segment.budget.step(opened.length);
    const stack: Value[] = [];
    for (const word of opened) word(stack, frame);
    return stack[0] ?? 0;
  };
}

function bindWord(word: string, params: JsonObject, shard: dsl.ScriptLookup): BoundWord {
  const operator = lookup(OPERATORS, word);
  if (operator !== undefined) {
    return () => (stack) => {
      const [b, a] = [Number(stack.pop()), Number(stack.pop())];
      stack.push(operator(a, b));
    };
  }
  if (word === "score") return () => (stack, frame) => stack.push(frame.score);
  if (word.startsWith("$")) return fieldWord(word.slice(1), shard);
  const number = Number(word.startsWith("#") ? lookup(params, word.slice(1)) : word);
  if (Number.isNaN(number)) throw illegalArgument(`[postfix] [${word}] is no number`);
  return () => (stack) => stack.push(number);
}

function fieldWord(name: string, shard: dsl.ScriptLookup): BoundWord {
  const field = shard.field(name);
  if (field === undefined) throw illegalArgument(`[postfix] there is no field [${name}]`);
  const open = shard.values(field);
  return (segment) => {
    const values = open(segment);
    return (stack, { doc }) => stack.push(values.at(doc) === 0 ? 0 : values.number(0));
  };
}
