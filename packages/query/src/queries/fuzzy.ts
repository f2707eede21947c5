/** `fuzzy`: documents with a term within some edits of a word. Source: `FuzzyQueryBuilder`. */
import { illegalArgument } from "@orrery/stdx";
import { none } from "../language/plan.ts";
import { parseFieldForm } from "./common.ts";
import { booleanOf, intOf, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { AUTO, parseFuzziness } from "./fuzziness.ts";
import { fieldOf } from "./query.ts";
import type { Query } from "../language/query.ts";
import { requireStrings } from "./term-plan.ts";
import { fuzzyPlan, type FuzzyOptions } from "./text-plan.ts";

/**
 * Parses a `fuzzy` query.
 * @throws BodyError or OperationError 400
 */
export function parseFuzzy(at: Cursor): Query {
  const form = parseFieldForm(at, {
    query: "fuzzy",
    parameters: [
      "term",
      "value",
      "fuzziness",
      "prefix_length",
      "max_expansions",
      "transpositions",
      "rewrite",
    ],
    empty: "[fuzzy] query malformed, no field given",
  });
  const given = form.scalar ?? form.parameters.get("value") ?? form.parameters.get("term");
  if (given === undefined || given.json === null)
    throw illegalArgument("query value cannot be null");
  const word = scalarText(given);
  const get = <T>(name: string, read: (cursor: Cursor) => T, fallback: T): T => {
    const cursor = form.parameters.get(name);
    return cursor === undefined ? fallback : read(cursor);
  };
  const options: FuzzyOptions = {
    fuzziness: get("fuzziness", parseFuzziness, AUTO),
    prefixLength: get("prefix_length", intOf, 0),
    maxExpansions: get("max_expansions", intOf, 50),
    transpositions: get("transpositions", booleanOf, true),
  };
  const rewrite = get("rewrite", scalarText, "top_terms_blended_freqs_50");
  return {
    boost: form.boost,
    label: form.label,
    build: (context, boost) => {
      const field = fieldOf(context, form.field);
      if (field === undefined) return none(`unmapped field [${form.field}]`);
      requireStrings(context, field, "fuzzy");
      const plan = fuzzyPlan({ context, field, boost }, word, options);
      return rewrite.startsWith("constant_score") ? { kind: "constant", plan, boost } : plan;
    },
  };
}
