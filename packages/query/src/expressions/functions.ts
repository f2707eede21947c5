/**
 * The functions of expressions. Source: `JavascriptCompiler.properties`, `MathUtil`, `SloppyMath`
 * of Lucene.
 */
import { haversinMeters } from "./sloppy-math.ts";

/** A function of up to four numbers; `run` ignores those beyond `arity`. */
export interface ExpressionFunction {
  readonly arity: number;
  readonly run: (a: number, b: number, c: number, d: number) => number;
}

export const expressionFunctions: Readonly<Record<string, ExpressionFunction>> = {
  abs: of1(Math.abs),
  acos: of1(Math.acos),
  acosh: of1((a) => Math.log(a + Math.sqrt(a * a - 1))),
  asin: of1(Math.asin),
  asinh: of1(asinh),
  atan: of1(Math.atan),
  atan2: of2(Math.atan2),
  atanh: of1(atanh),
  ceil: of1(Math.ceil),
  cos: of1(Math.cos),
  cosh: of1(Math.cosh),
  exp: of1(Math.exp),
  floor: of1(Math.floor),
  haversin: { arity: 4, run: (a, b, c, d) => haversinMeters(a, b, c, d) * 0.001 },
  haversinMeters: { arity: 4, run: haversinMeters },
  ln: of1(Math.log),
  log10: of1(Math.log10),
  logn: of2((base, a) => Math.log(a) / Math.log(base)),
  max: of2(Math.max),
  min: of2(Math.min),
  pow: of2((a, b) => a ** b),
  sin: of1(Math.sin),
  sinh: of1(Math.sinh),
  sqrt: of1(Math.sqrt),
  tan: of1(Math.tan),
  tanh: of1(Math.tanh),
};

/** Lucene's formula, from which `Math.asinh` may differ in the last digits. */
function asinh(a: number): number {
  const positive = Math.abs(a);
  const value = Math.log(Math.sqrt(positive * positive + 1) + positive);
  return a < 0 || Object.is(a, -0) ? -value : value;
}

/** Lucene's formula, from which `Math.atanh` may differ in the last digits. */
function atanh(a: number): number {
  const positive = Math.abs(a);
  const value = 0.5 * Math.log((1 + positive) / (1 - positive));
  return a < 0 || Object.is(a, -0) ? -value : value;
}

function of1(run: (a: number) => number): ExpressionFunction {
  return { arity: 1, run: (a) => run(a) };
}

function of2(run: (a: number, b: number) => number): ExpressionFunction {
  return { arity: 2, run: (a, b) => run(a, b) };
}
