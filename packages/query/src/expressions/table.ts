/** The core's script engines, by the `lang` of their scripts. */
import type { ScriptEngine } from "../language/script.ts";
import { expressionEngine } from "./engine.ts";

export const coreScriptEngines: Readonly<Record<string, ScriptEngine>> = {
  expression: expressionEngine,
};
