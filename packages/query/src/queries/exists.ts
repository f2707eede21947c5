/**
 * `exists`: documents with any value of a field, or of the fields of an object. Source:
 * `ExistsQueryBuilder`.
 */
import { isGlob } from "@orrery/stdx";
import { none, type Plan } from "../language/plan.ts";
import { parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseParameters } from "./common.ts";
import { fieldOf } from "./query.ts";
import type { BuildContext, Query } from "../language/query.ts";

/**
 * Parses an `exists` query.
 * @throws BodyError or OperationError 400
 */
export function parseExists(at: Cursor): Query {
  const { parameters, basics } = parseParameters(at, "exists", ["field"]);
  const field = parameters.get("field");
  if (field === undefined)
    throw parsingError(at, "[exists] must be provided with a [field]", "end");
  const pattern = scalarText(field);
  return { ...basics, build: (context, boost) => existsPlan(context, pattern, boost) };
}

/** Documents with a value of any field that the name or pattern stands for, all with one score. */
export function existsPlan(context: BuildContext, pattern: string, boost: number): Plan {
  const names = namesOf(context, pattern);
  const plans = names.map((name): Plan => {
    const field = fieldOf(context, name);
    const own = field?.queries.exists?.(1);
    return own ?? { kind: "exists", field: field?.aliasOf ?? name, boost: 1 };
  });
  if (plans.some(({ kind }) => kind === "all")) return { kind: "all", boost };
  const [only] = plans;
  if (only === undefined) return none(`unmapped field [${pattern}]`);
  const plan: Plan =
    plans.length === 1
      ? only
      : { kind: "bool", must: [], filter: [], should: plans, mustNot: [], minimumShouldMatch: 1 };
  return { kind: "constant", plan, boost };
}

/**
 * The field itself, the fields of an object, or those that a pattern matches, without metadata
 * fields.
 */
function namesOf({ mapping }: BuildContext, pattern: string): string[] {
  if (mapping.object(pattern) !== undefined) return mapping.matchFields(`${pattern}.*`);
  if (!isGlob(pattern)) return mapping.field(pattern) === undefined ? [] : [pattern];
  return mapping
    .matchFields(pattern)
    .filter((name) => mapping.compiledField(name)?.isMetadata !== true);
}
