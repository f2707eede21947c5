/** The decimal numbers of an interval, as an expression. Source: `Automata.makeDecimalInterval`. */
import { rangesOf, type Expression } from "./expression.ts";

const ZERO = 48;
const NINE = 57;

/**
 * Accepts the numbers from `low` to `high`, written with exactly `width` digits. With width 0 any
 * number of leading zeros is accepted.
 */
export function decimalInterval(low: number, high: number, width: number): Expression {
  const last = String(high);
  if (width > 0) return between(String(low).padStart(width, "0"), last.padStart(width, "0"));
  const zeros: Expression = { kind: "repeat", part: digits(ZERO, ZERO), min: 0, max: Infinity };
  return {
    kind: "all-of",
    parts: [zeros, between(String(low).padStart(last.length, "0"), last, true)],
  };
}

/**
 * Accepts digits from `low` to `high`, two texts of equal length. With `isShort`, leading zeros may
 * be missing.
 */
function between(low: string, high: string, isShort = false): Expression {
  const parts: Expression[] = [];
  const [a, b] = [low.charCodeAt(0), high.charCodeAt(0)];
  const rest = low.length - 1;
  if (low === "") return { kind: "all-of", parts: [] };
  if (a === b)
    return then(
      a,
      a,
      between(low.slice(1), high.slice(1), isShort && a === ZERO),
      isShort && rest > 0,
    );
  parts.push(
    then(a, a, between(low.slice(1), "9".repeat(rest), isShort && a === ZERO), isShort && rest > 0),
  );
  if (b - a > 1) parts.push(then(a + 1, b - 1, anyDigits(rest), false));
  parts.push(then(b, b, between("0".repeat(rest), high.slice(1)), false));
  return { kind: "any-of", parts };
}

/**
 * Accepts a digit from `first` to `last`, then `rest`; a zero at this place is optional if
 * `canSkipZero`.
 */
function then(first: number, last: number, rest: Expression, canSkipZero: boolean): Expression {
  const head = digits(first, last);
  const isOptional = canSkipZero && first === ZERO;
  return {
    kind: "all-of",
    parts: [isOptional ? { kind: "repeat", part: head, min: 0, max: 1 } : head, rest],
  };
}

function anyDigits(count: number): Expression {
  return { kind: "repeat", part: digits(ZERO, NINE), min: count, max: count };
}

function digits(first: number, last: number): Expression {
  return { kind: "set", ranges: rangesOf([[first, last]]) };
}
