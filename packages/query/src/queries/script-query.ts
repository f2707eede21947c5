/** `script`: documents for which a script returns true. Source: `ScriptQueryBuilder`. */
import { isJsonObject } from "@orrery/stdx";
import { boostOf, members, parsingError, scalarText } from "../body/cursor.ts";
import { acceptedBy } from "../execution/accepted.ts";
import { setWeight } from "../execution/weights/sets.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Plan } from "../language/plan.ts";
import type { BuildContext, Query } from "../language/query.ts";
import type { Script } from "../language/script.ts";
import { compileScript } from "../scripts/compile-script.ts";
import { scriptLookup } from "../scripts/doc-values.ts";
import { describeScript, parseScript } from "../scripts/parse-script.ts";
import { refuseExpensive } from "./script-score.ts";

/**
 * Parses a `script` query.
 * @throws BodyError or OperationError 400
 */
export function parseScriptQuery(at: Cursor): Query {
  let script: Script | undefined;
  let boost = 1;
  let label: string | undefined;
  for (const [name, member] of members(at)) {
    const { json } = member;
    if (name === "script" && Array.isArray(json)) {
      throw parsingError(
        member,
        "[script] query does not support an array of scripts. Use a bool query with a clause per script instead.",
      );
    }
    if (name === "script" && (typeof json === "string" || isJsonObject(json)))
      script = parseScript(member);
    else if (name === "script" && json === null) continue;
    else if (name === "boost") boost = boostOf(member);
    else if (name === "_name") label = scalarText(member);
    else throw parsingError(member, `[script] query does not support [${name}]`);
  }
  if (script === undefined)
    throw parsingError(at, "script must be provided with a [script] filter", "end");
  const given = script;
  return { boost, label, build: (context, total) => scriptPlan(given, context, total) };
}

/** Runs the script on every accepted document of a segment. */
function scriptPlan(script: Script, context: BuildContext, boost: number): Plan {
  refuseExpensive(context, "script");
  const bound = compileScript(context, script, "filter").bind(
    script.params,
    scriptLookup(context.searcher),
  );
  const { nestedPath } = context;
  const description = `ScriptQuery(${describeScript(script)})`;
  return {
    kind: "own",
    description,
    weight: () =>
      setWeight(boost, (segment) => {
        const run = bound.open(segment);
        const isAccepted = acceptedBy(segment, nestedPath);
        const test = (doc: number): boolean => isAccepted(doc) && run(doc);
        return { kind: "test", cost: segment.maxDoc, test };
      }),
    explain: ({ score }) => ({ isMatch: true, value: score, description, details: [] }),
  };
}
