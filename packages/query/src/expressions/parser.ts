/**
 * The parser of expressions. It recurses, with limited depth, into parentheses, unary operators,
 * conditions and functions, and loops over binary operators.
 *
 * Syntax errors are reported where the product's generated parser reports them. Functions are
 * looked up, in source order, only once the whole source is parsed: in a source that is cut off,
 * the missing rest is reported instead of an unknown function.
 */
import { lookup, OperationError, type Problem } from "@orrery/stdx";
import { SyntaxFailure } from "./failures.ts";
import { expressionFunctions } from "./functions.ts";
import {
  PRECEDENCE,
  type BinaryOperator,
  type Expression,
  type OperationChain,
  type UnaryOperator,
} from "./syntax.ts";
import { Tokens, type Token } from "./tokens.ts";
import { normalizeQuotes } from "./variable-path.ts";

export interface ParsedExpression {
  readonly source: string;
  readonly root: Expression;
  /** The texts of the variables, in source order. */
  readonly variables: readonly string[];
  /** The steps of one evaluation. */
  readonly cost: number;
}

/** The limit of nested parentheses, unary operators, conditions and functions. */
const MAX_DEPTH = 500;

/** Builds a node of the tree, which looks up the functions in it. */
type Named = () => Expression;

const UNARY: ReadonlySet<string> = new Set(["!", "~", "+", "-"]);
/** The lowest precedence. */
const LOWEST = 1;

/**
 * Parses an expression to its syntax tree.
 * @throws SyntaxFailure
 * @throws OperationError if a number exceeds a `long`
 */
export function parseExpression(source: string): ParsedExpression {
  return new Parser(source).parse();
}

class Parser {
  private readonly source: string;
  private readonly tokens: Tokens;
  private token: Token;
  private depth = 0;
  private cost = 0;
  private readonly variables: string[] = [];
  private readonly indices = new Map<string, number>();

  constructor(source: string) {
    this.source = source;
    this.tokens = new Tokens(source);
    this.token = this.tokens.next();
  }

  parse(): ParsedExpression {
    const read = this.expression();
    if (this.token.kind !== "end") throw this.mismatch("<EOF>");
    const root = read();
    const { source, variables, cost } = this;
    return { source, root, variables, cost };
  }

  private expression(): Named {
    const condition = this.operations(LOWEST);
    if (!this.isSymbol("?")) return condition;
    this.enter();
    this.advance();
    const whenTrue = this.expression();
    this.expect(":", "COLON");
    const whenFalse = this.expression();
    this.depth -= 1;
    return () => ({
      kind: "conditional",
      condition: condition(),
      whenTrue: whenTrue(),
      whenFalse: whenFalse(),
    });
  }

  /** Parses operators of precedence `least` or higher. */
  private operations(least: number): Named {
    let left = this.operand();
    for (;;) {
      const operator = this.operator();
      if (operator === undefined || PRECEDENCE[operator] < least) return left;
      left = this.chain(left, PRECEDENCE[operator]);
    }
  }

  /** Parses a sequence of operations of one precedence. */
  private chain(first: Named, precedence: number): Named {
    const rest: { readonly operator: BinaryOperator; readonly operand: Named }[] = [];
    for (;;) {
      const operator = this.operator();
      if (operator === undefined || PRECEDENCE[operator] !== precedence) break;
      this.advance();
      this.cost += 1;
      rest.push({ operator, operand: this.operations(precedence + 1) });
    }
    return (): OperationChain => ({
      kind: "chain",
      first: first(),
      rest: rest.map(({ operator, operand }) => ({ operator, operand: operand() })),
    });
  }

  private operator(): BinaryOperator | undefined {
    const { kind, text } = this.token;
    return kind === "symbol" && isBinary(text) ? text : undefined;
  }

  private operand(): Named {
    const { token } = this;
    this.cost += 1;
    switch (token.kind) {
      case "decimal":
        this.advance();
        return () => ({ kind: "number", value: Number(token.text), long: undefined });
      case "hex":
        this.advance();
        return () => wholeNumber(token.text.slice(2), 16);
      case "octal":
        this.advance();
        return () => wholeNumber(token.text.slice(1), 8);
      case "variable":
        this.advance();
        return this.named(token);
      case "symbol":
        if (token.text === "(" || UNARY.has(token.text)) return this.nested(token);
        throw this.noAlternative();
      case "end":
        throw this.noAlternative();
    }
  }

  /** Parses parentheses or a unary operator. */
  private nested({ text }: Token): Named {
    this.enter();
    this.advance();
    const inner = text === "(" ? this.expression() : this.operand();
    if (text === "(") this.expect(")", "RP");
    this.depth -= 1;
    if (text === "(") return inner;
    return () => ({ kind: "unary", operator: text as UnaryOperator, operand: inner() });
  }

  /** Parses a variable, or a function with its arguments. */
  private named(name: Token): Named {
    if (!this.isSymbol("(")) return () => this.variable(name.text);
    this.enter();
    this.advance();
    const inputs: Named[] = [];
    if (this.beginsExpression()) {
      inputs.push(this.expression());
      while (this.isSymbol(",")) {
        this.advance();
        inputs.push(this.expression());
      }
    }
    this.expect(")", "RP");
    this.depth -= 1;
    return () => this.call(name, inputs);
  }

  /** True if the current token can start an argument. */
  private beginsExpression(): boolean {
    const { kind, text } = this.token;
    if (kind === "symbol") return text === "(" || UNARY.has(text);
    return kind !== "end";
  }

  /** Returns the reference to a variable; equal variables share an index. */
  private variable(text: string): Expression {
    const name = normalizeQuotes(text);
    const known = this.indices.get(name);
    const index = known ?? this.variables.length;
    if (known === undefined) {
      this.variables.push(name);
      this.indices.set(name, index);
    }
    return { kind: "variable", index };
  }

  /** Checks the name and the number of arguments of a function. */
  private call({ text, offset }: Token, inputs: readonly Named[]): Expression {
    const found = lookup(expressionFunctions, text);
    if (found === undefined) {
      // A method of a variable.
      if (inputs.length === 0 && text.includes(".")) return this.variable(`${text}()`);
      throw this.invalid(`Unrecognized function call (${text}).`, offset);
    }
    if (found.arity !== inputs.length) {
      throw this.invalid(
        `Expected (${found.arity}) arguments for function call (${text}), but found (${inputs.length}).`,
        offset,
      );
    }
    return { kind: "call", run: found.run, inputs: inputs.map((input) => input()) };
  }

  // ------------------------------------------------------------------------------------------ tokens

  private advance(): void {
    this.token = this.tokens.next();
  }

  private isSymbol(text: string): boolean {
    return this.token.kind === "symbol" && this.token.text === text;
  }

  private expect(text: string, name: string): void {
    if (!this.isSymbol(text)) throw this.mismatch(name);
    this.advance();
  }

  /**
   * Limits the depth. The product has no limit: it overflows its stack, or runs for a very long
   * time.
   */
  private enter(): void {
    this.depth += 1;
    if (this.depth <= MAX_DEPTH) return;
    const { offset } = this.token;
    throw new SyntaxFailure(`expressions are nested in at most [${MAX_DEPTH}] levels`, offset);
  }

  private mismatch(expected: string): SyntaxFailure {
    const { offset } = this.token;
    return new SyntaxFailure(
      `unexpected token ${this.place()} was expecting one of ${expected}`,
      offset,
    );
  }

  private noAlternative(): SyntaxFailure {
    const { kind, offset } = this.token;
    const causedBy: Problem = { type: "no_viable_alt_exception", reason: null, status: 500 };
    if (kind === "end") return new SyntaxFailure("unexpected end of expression", offset, causedBy);
    return new SyntaxFailure(`invalid sequence of tokens near ${this.place()}`, offset, causedBy);
  }

  private place(): string {
    const { text, line, column } = this.token;
    return `'${text}' on line (${line}) position (${column})`;
  }

  private invalid(reason: string, offset: number): SyntaxFailure {
    return new SyntaxFailure(`Invalid expression '${this.source}': ${reason}`, offset);
  }
}

function isBinary(text: string): text is BinaryOperator {
  return Object.hasOwn(PRECEDENCE, text);
}

const LONG_END = 2n ** 63n;

/** @throws OperationError `number_format_exception` */
function wholeNumber(digits: string, radix: 8 | 16): Expression {
  const long = BigInt(`${radix === 16 ? "0x" : "0o"}${digits}`);
  if (long < LONG_END) return { kind: "number", value: Number(long), long };
  const reason = `For input string: "${digits}" under radix ${radix}`;
  throw new OperationError({ type: "number_format_exception", reason, status: 400 });
}
