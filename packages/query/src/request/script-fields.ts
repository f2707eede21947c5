/**
 * `script_fields`: values that scripts compute for each hit. Source:
 * `SearchSourceBuilder.ScriptField`.
 */
import { isJsonObject, OperationError } from "@orrery/stdx";
import { booleanOf, members, parsingError, tokenOf } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Script } from "../language/script.ts";
import { parseScript } from "../scripts/parse-script.ts";

/** A parsed script field. */
export interface ScriptField {
  readonly name: string;
  /** The script; `undefined`: the request gives none, which fails the search. */
  readonly script: Script | undefined;
  /** A script that fails gives no value, instead of failing the search. */
  readonly ignoresFailure: boolean;
}

/**
 * Parses `script_fields`.
 * @throws BodyError or OperationError 400
 */
export function parseScriptFields(at: Cursor): readonly ScriptField[] {
  return members(at).map(([name, member]) => parseScriptField(name, member));
}

function parseScriptField(name: string, at: Cursor): ScriptField {
  if (!isJsonObject(at.json)) {
    const found = tokenOf(at.json);
    throw parsingError(at, `Expected [START_OBJECT] in [${name}] but found [${found}]`);
  }
  let script: Script | undefined;
  let ignoresFailure = false;
  for (const [key, member] of members(at)) {
    const { json } = member;
    if (key === "script" && (isJsonObject(json) || typeof json === "string"))
      script = parseScript(member);
    else if (key === "ignore_failure" && (typeof json !== "object" || json === null))
      ignoresFailure = booleanOf(member);
    else throw parsingError(member, `Unknown key for a ${tokenOf(json)} in [${key}].`);
  }
  return { name, script, ignoresFailure };
}

/** The error for a field without script, as the product's. */
export function scriptMissing(): OperationError {
  return new OperationError({ type: "null_pointer_exception", reason: null, status: 500 });
}
