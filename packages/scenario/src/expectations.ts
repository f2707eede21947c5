/** Comparison of an answer with its expectation. */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";
import type { Expectation } from "./plan.ts";
import { reasonOf } from "./reasons.ts";
import type { ClientAnswer } from "./world.ts";

/** Difference between answer and expectation, in a sentence; `undefined` if there is none. */
export function differenceOf(
  { status, body = {} }: Expectation,
  answer: ClientAnswer,
): string | undefined {
  const wanted = typeof status === "object" ? status : [status ?? "< 300"];
  if (!wanted.some((one) => matches(one, answer.status))) {
    const what = status === undefined ? "below 300" : wanted.join(" or ");
    return `the status is ${answer.status}, not ${what}: ${cut(reasonOf(answer.body))}`;
  }
  return bodyDifference(body, answer.body);
}

/** Difference between a body and the expected values, in a sentence; `undefined` if there is none. */
export function bodyDifference(
  wanted: Readonly<Record<string, Json>>,
  body: Json,
): string | undefined {
  for (const [path, value] of Object.entries(wanted)) {
    const found = valueAt(body, path);
    if (!matches(value, found)) return `[${path}] is ${short(found ?? null)}, not ${short(value)}`;
  }
  return undefined;
}

/**
 * Value at a path of keys and array positions; keys may contain dots. `$body` is the whole body, and may precede a
 * path.
 */
export function valueAt(body: Json, path: string): Json | undefined {
  const [first = "", ...rest] = path.split(".");
  return below(body, first === "$body" ? rest : [first, ...rest]);
}

function below(value: Json | undefined, steps: readonly string[]): Json | undefined {
  if (steps.length === 0) return value;
  if (Array.isArray(value)) {
    const [position = "", ...rest] = steps;
    const items = value as readonly Json[];
    if (position === "length") return below(items.length, rest);
    return below(items[Number(position)], rest);
  }
  if (!isJsonObject(value)) return undefined;
  for (let taken = 1; taken <= steps.length; taken += 1) {
    const key = steps.slice(0, taken).join(".");
    if (Object.hasOwn(value, key)) return below(lookup(value, key), steps.slice(taken));
  }
  return undefined;
}

const comparison = /^(<=|>=|<|>) ?(-?\d+(?:\.\d+)?)$/;
const pattern = /^\/(.*)\/$/s;

/**
 * True if the value is as expected: `null` also matches a missing value, `>= 3` compares, `/text/` is a regular
 * expression.
 */
export function matches(wanted: Json, found: Json | undefined): boolean {
  if (wanted === null) return found === undefined || found === null;
  if (found === undefined) return false;
  if (typeof wanted === "string") {
    const compared = comparison.exec(wanted);
    if (compared && typeof found === "number")
      return isOrdered(found, compared[1] ?? "", Number(compared[2]));
    const expression = pattern.exec(wanted);
    if (expression) return new RegExp(expression[1] ?? "").test(textOf(found));
  }
  return JSON.stringify(wanted) === JSON.stringify(found);
}

const looksCompared = /^(?:<=|>=|<|>)(?: |$)/;

/** Error of an expectation that is an invalid comparison or regular expression. */
export function complaintOfExpected(wanted: string): string | undefined {
  // A placeholder is replaced by a saved value, which is assumed to be a number here.
  const number = wanted.replace(/\{[\w:-]+\}/, "0");
  if (looksCompared.test(wanted) && !comparison.test(number))
    return `[${wanted}] compares with no number: expected [>= 3] or the like`;
  const [, source] = pattern.exec(wanted) ?? [];
  if (source === undefined) return undefined;
  try {
    return new RegExp(source).flags === "" ? undefined : source;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

function isOrdered(found: number, how: string, bound: number): boolean {
  if (how === "<") return found < bound;
  if (how === "<=") return found <= bound;
  return how === ">" ? found > bound : found >= bound;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const LONGEST = 300;

function short(value: Json): string {
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
