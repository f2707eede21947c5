/** `exists`: documents with any value in a field or object. */
import { isGlob } from "@orrery/stdx";
import { none, type Plan } from "../search/plan.ts";
import { parsingError, scalarText, type Cursor } from "./cursor.ts";
import { parseParameters } from "./common.ts";
import { fieldOf, type BuildContext, type Query } from "./query.ts";

export function parseExists(at: Cursor): Query {
  const { parameters, basics } = parseParameters(at, "exists", ["field"]);
  const field = parameters.get("field");
  if (field === undefined)
    throw parsingError(at, "[exists] must be provided with a [field]", "end");
  const pattern = scalarText(field);
  return { ...basics, build: (context, boost) => existsPlan(context, pattern, boost) };
}

const EVERYWHERE = new Set(["_id", "_index", "_seq_no", "_version", "_primary_term", "_source"]);

export function existsPlan(context: BuildContext, pattern: string, boost: number): Plan {
  const names = namesOf(context, pattern);
  const isEverywhere = (name: string): boolean =>
    EVERYWHERE.has(name) || fieldOf(context, name)?.type === "constant_keyword";
  if (names.some(isEverywhere)) return { kind: "all", boost };
  const plans = names.map((name): Plan => ({
    kind: "exists",
    field: fieldOf(context, name)?.aliasOf ?? name,
    boost: 1,
  }));
  const [only] = plans;
  if (only === undefined) return none(`unmapped field [${pattern}]`);
  const plan: Plan =
    plans.length === 1
      ? only
      : { kind: "bool", must: [], filter: [], should: plans, mustNot: [], minimumShouldMatch: 1 };
  return { kind: "constant", plan, boost };
}

/** The field itself, the fields of an object, or those a pattern matches. */
function namesOf({ mapping }: BuildContext, pattern: string): string[] {
  if (mapping.object(pattern) !== undefined) return mapping.matchFields(`${pattern}.*`);
  if (!isGlob(pattern)) return mapping.field(pattern) === undefined ? [] : [pattern];
  return mapping.matchFields(pattern).filter((name) => mapping.field(name)?.family !== "metadata");
}
