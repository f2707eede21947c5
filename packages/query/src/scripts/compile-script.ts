/** Compiles the scripts of a request, whose memory and steps count against the request's budget. */
import type { BuildContext } from "../language/query.ts";
import type { CompiledScripts, Script, ScriptContextName } from "../language/script.ts";

/** The memory per character of source, which becomes functions. */
const BYTES_A_CHARACTER = 80;
const STEPS_A_CHARACTER = 60;

/**
 * Compiles a script for a context.
 * @throws OperationError if the script is invalid or exceeds the budget
 */
export function compileScript<Name extends ScriptContextName>(
  { searcher: { budget }, scripts }: Pick<BuildContext, "searcher" | "scripts">,
  script: Script,
  name: Name,
): CompiledScripts[Name] {
  const length = script.kind === "inline" ? script.source.length : 0;
  budget.hold(length * BYTES_A_CHARACTER);
  budget.step(length * STEPS_A_CHARACTER);
  return scripts.compile(script, name);
}
