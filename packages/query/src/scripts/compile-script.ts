/** Scripts of a request on a shard are compiled on the request's account: what they hold, and what reading them takes. */
import type { BuildContext } from "../language/query.ts";
import type { CompiledScripts, Script, ScriptContextName } from "../language/script.ts";

/** Of a character of a source: numbers and operators become functions. */
const BYTES_A_CHARACTER = 80;
const STEPS_A_CHARACTER = 60;

/** Throws `OperationError`, also where the request has no room for the script. */
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
