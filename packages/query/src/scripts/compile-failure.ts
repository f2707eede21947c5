/**
 * A compilation that failed for a reason other than the source. Source: `GeneralScriptException` in
 * `ScriptCache`.
 *
 * Queries report which script it was. Elsewhere only the problem is reported, because the product
 * does not print wrapping exceptions.
 */
import { OperationError, type Problem } from "@orrery/stdx";
import type { InlineScript } from "../language/script.ts";

export class CompileFailure extends OperationError {
  /** The reason of the exception that wraps the problem. */
  readonly wrapping: string;

  constructor(problem: Problem, { source, lang }: InlineScript) {
    super(problem);
    this.wrapping = `Failed to compile inline script [${source}] using lang [${lang}]`;
  }
}
