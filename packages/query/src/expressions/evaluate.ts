/**
 * Compiles expressions to functions. Source: `JavascriptCompiler` of Lucene's expressions.
 *
 * The context of an expression determines its type: a `double` in arithmetic, comparisons and
 * functions, a `long` in bit operations, an `int` in conditions. Thus `0.5` is false. Numbers are
 * converted like Java's casts where the types differ.
 */
import type {
  BinaryOperator,
  Conditional,
  Expression,
  FunctionCall,
  OperationChain,
  UnaryOperation,
} from "./syntax.ts";

/** Readers of the variables, for one document or bucket. */
export type Variables = readonly (() => number)[];

/** A compiled expression of one type. */
type Compute<Result> = (variables: Variables) => Result;

/** Compiles a whole expression, which is a `double`. */
export function compileExpression(root: Expression): Compute<number> {
  return doubleOf(root);
}

/** Compiles a node whose context asks for a `double`. */
function doubleOf(node: Expression): Compute<number> {
  switch (node.kind) {
    case "number": {
      const { value } = node;
      return () => value;
    }
    case "variable": {
      const { index } = node;
      return (variables) => variables[index]?.() ?? 0;
    }
    case "call":
      return doubleOfCall(node);
    case "unary":
      return doubleOfUnary(node);
    case "chain":
      return doubleOfChain(node);
    case "conditional":
      return conditional(node, doubleOf);
  }
}

function doubleOfCall({ run, inputs }: FunctionCall): Compute<number> {
  const [a = nothing, b = nothing, c = nothing, d = nothing] = inputs.map(doubleOf);
  if (inputs.length === 1) return (variables) => run(a(variables), 0, 0, 0);
  if (inputs.length === 2) return (variables) => run(a(variables), b(variables), 0, 0);
  return (variables) => run(a(variables), b(variables), c(variables), d(variables));
}

/** Stands for missing arguments. */
const nothing: Compute<number> = () => 0;

function doubleOfUnary(node: UnaryOperation): Compute<number> {
  switch (node.operator) {
    case "+":
      return doubleOf(node.operand);
    case "-": {
      const operand = doubleOf(node.operand);
      return (variables) => -operand(variables);
    }
    case "!":
      return asNumber(truthOf(node));
    case "~": {
      const long = longOf(node);
      return (variables) => Number(long(variables));
    }
  }
}

/** The operators whose operands and result are doubles. */
const ARITHMETIC = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
} as const satisfies { readonly [Operator in BinaryOperator]?: (a: number, b: number) => number };

function isArithmetic(operator: BinaryOperator): operator is keyof typeof ARITHMETIC {
  return Object.hasOwn(ARITHMETIC, operator);
}

function doubleOfChain(node: OperationChain): Compute<number> {
  switch (resultOf(node)) {
    case "truth":
      return asNumber(truthOf(node));
    case "long": {
      const long = longOf(node);
      return (variables) => Number(long(variables));
    }
    case "double":
      return arithmetic(node);
  }
}

/** Returns the result type of a chain, which its operators share. */
function resultOf({ rest }: OperationChain): "double" | "long" | "truth" {
  const operator = rest[0]?.operator ?? "+";
  if (operator === "&&" || operator === "||") return "truth";
  return isArithmetic(operator) ? "double" : "long";
}

/** Compiles a chain; chains of one operation, the usual case, need no loop. */
function arithmetic({ first, rest }: OperationChain): Compute<number> {
  const start = doubleOf(first);
  const steps = rest.map(({ operator, operand }) => ({
    apply: isArithmetic(operator) ? ARITHMETIC[operator] : (a: number) => a,
    operand: doubleOf(operand),
  }));
  const [only] = steps;
  if (only !== undefined && steps.length === 1) {
    const { apply, operand } = only;
    return (variables) => apply(start(variables), operand(variables));
  }
  return (variables) => {
    let value = start(variables);
    for (const { apply, operand } of steps) value = apply(value, operand(variables));
    return value;
  };
}

function conditional<Result>(
  { condition, whenTrue, whenFalse }: Conditional,
  compile: (node: Expression) => Compute<Result>,
): Compute<Result> {
  const isTrue = truthOf(condition);
  const [then, otherwise] = [compile(whenTrue), compile(whenFalse)];
  return (variables) => (isTrue(variables) ? then : otherwise)(variables);
}

function asNumber(truth: Compute<boolean>): Compute<number> {
  return (variables) => Number(truth(variables));
}

// ------------------------------------------------------------------------------------------ longs

/** Compiles a node whose context asks for a `long`. */
function longOf(node: Expression): Compute<bigint> {
  if (node.kind === "number") {
    const long = node.long ?? toLong(node.value);
    return () => long;
  }
  if (node.kind === "conditional") return conditional(node, longOf);
  if (node.kind === "unary" && node.operator === "+") return longOf(node.operand);
  if (node.kind === "unary" && node.operator === "~") {
    const operand = longOf(node.operand);
    return (variables) => ~operand(variables);
  }
  if (node.kind === "chain" && resultOf(node) === "long") return bits(node);
  const double = doubleOf(node);
  return (variables) => toLong(double(variables));
}

/** Compiles a chain of bit operations. */
function bits(node: OperationChain): Compute<bigint> {
  const start = longOf(node.first);
  const steps = node.rest.map(({ operator, operand }) => bitStep(operator, operand));
  return (variables) => {
    let value = start(variables);
    for (const step of steps) value = step(value, variables);
    return value;
  };
}

/** Compiles one bit operation with its right operand. Shift distances are taken modulo 64. */
function bitStep(
  operator: BinaryOperator,
  node: Expression,
): (value: bigint, variables: Variables) => bigint {
  if (operator === "|" || operator === "&" || operator === "^") {
    const operand = longOf(node);
    if (operator === "|") return (value, variables) => value | operand(variables);
    if (operator === "&") return (value, variables) => value & operand(variables);
    return (value, variables) => value ^ operand(variables);
  }
  const count = intOf(node);
  const distance: Compute<bigint> = (variables) => BigInt(count(variables) & 63);
  if (operator === "<<")
    return (value, variables) => BigInt.asIntN(64, value << distance(variables));
  if (operator === ">>") return (value, variables) => value >> distance(variables);
  return (value, variables) => BigInt.asIntN(64, BigInt.asUintN(64, value) >> distance(variables));
}

const MAX_LONG = 2n ** 63n - 1n;
const MIN_LONG = -(2n ** 63n);

/** Converts like Java: NaN is 0, and values out of range are clamped. */
function toLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return MAX_LONG;
  if (value <= -(2 ** 63)) return MIN_LONG;
  return BigInt(Math.trunc(value));
}

// ------------------------------------------------------------------------------------------ ints

/**
 * Compiles a node whose context asks for an `int`. A `long` loses its high bits; a `double` is
 * clamped.
 */
function intOf(node: Expression): Compute<number> {
  const isLong =
    (node.kind === "number" && node.long !== undefined) ||
    (node.kind === "unary" && node.operator === "~") ||
    (node.kind === "chain" && resultOf(node) === "long");
  if (isLong) {
    const long = longOf(node);
    return (variables) => Number(BigInt.asIntN(32, long(variables)));
  }
  if (node.kind === "conditional") return conditional(node, intOf);
  if (node.kind === "unary" && node.operator === "+") return intOf(node.operand);
  const double = doubleOf(node);
  return (variables) => toInt(double(variables));
}

const MAX_INT = 2_147_483_647;

/** Converts like Java: NaN is 0, and values out of range are clamped. */
function toInt(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-MAX_INT - 1, Math.min(MAX_INT, Math.trunc(value)));
}

/** Compiles a condition: any `int` but 0 is true. */
function truthOf(node: Expression): Compute<boolean> {
  if (node.kind === "unary" && node.operator === "!") {
    const operand = truthOf(node.operand);
    return (variables) => !operand(variables);
  }
  if (node.kind === "chain" && resultOf(node) === "truth") {
    const all = [node.first, ...node.rest.map(({ operand }) => operand)].map(truthOf);
    return node.rest[0]?.operator === "&&"
      ? (variables) => all.every((one) => one(variables))
      : (variables) => all.some((one) => one(variables));
  }
  const int = intOf(node);
  return (variables) => int(variables) !== 0;
}
