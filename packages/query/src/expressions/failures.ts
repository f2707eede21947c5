/**
 * The errors of expressions: compile errors, which have a position in the source, and link errors
 * of variables.
 */
import { OperationError, type Problem } from "@orrery/stdx";

/** A syntax error that the lexer or the parser found at `offset`, in characters of the source. */
export class SyntaxFailure extends Error {
  override readonly name = "SyntaxFailure";
  readonly reason: string;
  readonly offset: number;
  readonly causedBy: Problem | undefined;

  constructor(reason: string, offset: number, causedBy?: Problem) {
    super(reason);
    this.reason = reason;
    this.offset = offset;
    this.causedBy = causedBy;
  }
}

/** Returns the `script_exception` for an expression that does not parse. */
export function compileError(source: string, failure: SyntaxFailure): OperationError {
  return scriptError("compile error", { source, portion: source, failure });
}

/**
 * Returns the `script_exception` for a variable. A `SyntaxFailure` points into the variable, any
 * other problem to its beginning.
 */
export function linkError(
  source: string,
  variable: string,
  failure: SyntaxFailure | Problem,
): OperationError {
  return scriptError("link error", { source, portion: variable, failure });
}

/** `portion` is the part of the source that the error shows. */
interface Failed {
  readonly source: string;
  readonly portion: string;
  readonly failure: SyntaxFailure | Problem;
}

function scriptError(reason: string, { source, portion, failure }: Failed): OperationError {
  const offset = failure instanceof SyntaxFailure ? failure.offset : 0;
  const causedBy = failure instanceof SyntaxFailure ? parseProblem(failure) : failure;
  const pointer = `${" ".repeat(offset)}^---- HERE`;
  return new OperationError({
    type: "script_exception",
    reason,
    status: 400,
    metadata: { script_stack: [portion, pointer], script: source, lang: "expression" },
    causedBy,
  });
}

function parseProblem({ reason, causedBy }: SyntaxFailure): Problem {
  const problem: Problem = { type: "parse_exception", reason, status: 400 };
  return causedBy === undefined ? problem : { ...problem, causedBy };
}
