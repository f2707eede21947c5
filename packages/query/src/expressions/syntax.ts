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
  /** Of a hexadecimal or octal number, which is a whole one. */
  readonly long: bigint | undefined;
}

export interface VariableReference {
  readonly kind: "variable";
  /** Place in the list of the variables of the expression. */
  readonly index: number;
}

export interface FunctionCall {
  readonly kind: "call";
  /** Takes as many as there are inputs. */
  readonly run: (a: number, b: number, c: number, d: number) => number;
  readonly inputs: readonly Expression[];
}

export interface UnaryOperation {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** Operations of one precedence, from left to right. A chain is as long as the source, and no tree of that depth. */
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

/** The higher binds closer. */
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
