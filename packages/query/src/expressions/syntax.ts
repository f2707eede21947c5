/** Expressions as trees. Source: `Javascript.g4` of Lucene's expressions. */

export type Expression =
  | NumberLiteral
  | VariableReference
  | FunctionCall
  | UnaryOperation
  | OperationChain
  | Conditional;

export interface NumberLiteral {
  readonly kind: "number";
  readonly value: number;
  /** The exact value of a hexadecimal or octal number. */
  readonly long: bigint | undefined;
}

export interface VariableReference {
  readonly kind: "variable";
  /** The index in the expression's list of variables. */
  readonly index: number;
}

export interface FunctionCall {
  readonly kind: "call";
  /** Ignores arguments beyond `inputs`. */
  readonly run: (a: number, b: number, c: number, d: number) => number;
  readonly inputs: readonly Expression[];
}

export interface UnaryOperation {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/**
 * Operations of one precedence, from left to right. A list, because a tree of a long source would
 * be too deep to recurse into.
 */
export interface OperationChain {
  readonly kind: "chain";
  readonly first: Expression;
  readonly rest: readonly { readonly operator: BinaryOperator; readonly operand: Expression }[];
}

export interface Conditional {
  readonly kind: "conditional";
  readonly condition: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

export type UnaryOperator = "!" | "~" | "+" | "-";

export type BinaryOperator = keyof typeof PRECEDENCE;

/** Operators of higher precedence bind closer. */
export const PRECEDENCE = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  "<=": 7,
  ">": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  ">>>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "%": 10,
} as const;
