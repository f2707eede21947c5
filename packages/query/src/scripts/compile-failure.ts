/**
 * A script that was not compiled for another reason than its source. Queries tell which script it was; elsewhere the problem alone is told,
 * as the product prints no wrapping exceptions. Source: `GeneralScriptException` in `ScriptCache`.
 */
import { OperationError, type Problem } from "@orrery/stdx";
import type { InlineScript } from "../language/script.ts";

export class CompileFailure extends OperationError {
  readonly wrapping: string;

  constructor(problem: Problem, { source, lang }: InlineScript) {
    super(problem);
    this.wrapping = `Failed to compile inline script [${source}] using lang [${lang}]`;
  }
}
