/** `term`: an exact value of a field. Source: `TermQueryBuilder`. */
import { javaText, illegalArgument } from "@orrery/stdx";
import { asciiLower } from "../automata/case-folding.ts";
import { none } from "../language/plan.ts";
import { parseFieldForm } from "./common.ts";
import { booleanOf } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { fieldOf } from "./query.ts";
import type { Query } from "../language/query.ts";
import { patternPlan, termPlan } from "./term-plan.ts";

/**
 * Parses a `term` query.
 * @throws BodyError or OperationError 400
 */
export function parseTerm(at: Cursor): Query {
  const form = parseFieldForm(at, {
    query: "term",
    parameters: ["value", "term", "case_insensitive"],
    empty: "[term] query malformed, no field given",
    noArray: "[term] query does not support array of values",
  });
  const given = form.scalar ?? form.parameters.get("value") ?? form.parameters.get("term");
  if (form.field === "") throw illegalArgument("field name is null or empty");
  if (given === undefined || given.json === null) throw illegalArgument("value cannot be null");
  const value = given.json;
  const folded = form.parameters.get("case_insensitive");
  const isFolded = folded !== undefined && booleanOf(folded);
  return {
    boost: form.boost,
    label: form.label,
    build: (context, boost) => {
      const field = fieldOf(context, form.field);
      if (field === undefined) return none(`unmapped field [${form.field}]`);
      if (!isFolded) return termPlan(context, field, value, boost);
      const wanted = asciiLower(javaText(value));
      const matches = (term: string): boolean =>
        term.length === wanted.length && asciiLower(term) === wanted;
      return patternPlan(context, field, {
        query: "term",
        label: `term-i:${wanted}`,
        prefix: "",
        matches,
        boost,
      });
    },
  };
}
