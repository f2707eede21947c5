/** `prefix`, `wildcard`, `regexp`: terms that match a pattern; every hit scores the boost. */
import { illegalArgument } from "@orrery/stdx";
import type { CompiledField } from "../mapping/field.ts";
import { none, type Plan } from "../search/plan.ts";
import { parseFieldForm } from "./common.ts";
import { booleanOf, scalarText, type Cursor } from "./cursor.ts";
import { regexpMatcher } from "./regexp-syntax.ts";
import { fieldOf, type BuildContext, type Query } from "./query.ts";
import { patternPlan, prefixPlan, wildcardPlan, type PatternInput } from "./term-plan.ts";

interface PatternForm {
  readonly query: string;
  /** Names under which the long form takes the pattern. */
  readonly valueNames: readonly string[];
  readonly others: readonly string[];
  build(context: BuildContext, field: CompiledField, input: PatternInput): Plan;
}

export function parsePrefix(at: Cursor): Query {
  return parsePattern(at, {
    query: "prefix",
    valueNames: ["value", "prefix"],
    others: [],
    build: (context, field, input) => prefixPlan(context, field, normalized(field, input)),
  });
}

export function parseWildcard(at: Cursor): Query {
  return parsePattern(at, {
    query: "wildcard",
    valueNames: ["value", "wildcard"],
    others: [],
    build: (context, field, input) => wildcardPlan(context, field, normalized(field, input)),
  });
}

export function parseRegexp(at: Cursor): Query {
  return parsePattern(at, {
    query: "regexp",
    valueNames: ["value"],
    others: ["flags", "flags_value", "max_determinized_states"],
    build: (context, field, input) => regexpPlan(context, field, normalized(field, input)),
  });
}

export function regexpPlan(context: BuildContext, field: CompiledField, input: PatternInput): Plan {
  const { text, boost, caseInsensitive = false } = input;
  const setting = context.mapping.settings["index.max_regex_length"];
  const limit = typeof setting === "string" ? Number(setting) : 1000;
  if (text.length > limit) {
    throw illegalArgument(
      `The length of regex [${text.length}]  used in the Regexp Query request has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    );
  }
  const matches = regexpMatcher(text, caseInsensitive);
  return patternPlan(context, field, {
    query: "regexp",
    label: `regexp:${caseInsensitive}:${text}`,
    matches,
    boost,
  });
}

/** Keyword normalizers fold the pattern too; text analyzers do not. */
function normalized(field: CompiledField, input: PatternInput): PatternInput {
  return field.family === "keyword" ? { ...input, text: field.normalize(input.text) } : input;
}

function parsePattern(at: Cursor, form: PatternForm): Query {
  const { query, valueNames, others } = form;
  const parsed = parseFieldForm(at, {
    query,
    parameters: [...valueNames, ...others, "rewrite", "case_insensitive"],
    empty: `[${query}] query malformed, no field given`,
  });
  const given =
    parsed.scalar ??
    valueNames.map((name) => parsed.parameters.get(name)).find((value) => value !== undefined);
  if (given === undefined || given.json === null) throw illegalArgument("value cannot be null");
  const text = scalarText(given);
  const folded = parsed.parameters.get("case_insensitive");
  const caseInsensitive = folded !== undefined && booleanOf(folded);
  return {
    boost: parsed.boost,
    label: parsed.label,
    build: (context, boost) => {
      const field = fieldOf(context, parsed.field);
      if (field === undefined) return none(`unmapped field [${parsed.field}]`);
      return form.build(context, field, { text, boost, caseInsensitive });
    },
  };
}
