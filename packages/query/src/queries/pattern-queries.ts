/**
 * `prefix`, `wildcard` and `regexp`: documents with a term that matches a pattern, each with the
 * boost as its score. Source: `PrefixQueryBuilder`, `WildcardQueryBuilder`, `RegexpQueryBuilder`.
 */
import { illegalArgument } from "@orrery/stdx";
import { ALL_OPERATORS, operatorsOf, regexpDfa } from "../automata/regexp.ts";
import type { CompiledField } from "../language/field-type.ts";
import type { IndexSettings } from "../language/mapping.ts";
import { none, type Plan } from "../language/plan.ts";
import { parseFieldForm } from "./common.ts";
import { booleanOf, intOf, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { fieldOf } from "./query.ts";
import type { BuildContext, Query } from "../language/query.ts";
import { patternPlan, prefixPlan, wildcardPlan, type PatternInput } from "./term-plan.ts";

/** The rules of one query. */
interface PatternForm {
  readonly query: string;
  /** Names of the pattern in the long form. */
  readonly valueNames: readonly string[];
  readonly others: readonly string[];
  build(context: BuildContext, field: CompiledField, input: RegexpInput): Plan;
}

/**
 * Parses a `prefix` query.
 * @throws BodyError or OperationError 400
 */
export function parsePrefix(at: Cursor): Query {
  return parsePattern(at, {
    query: "prefix",
    valueNames: ["value", "prefix"],
    others: [],
    build: (context, field, input) => prefixPlan(context, field, normalized(field, input)),
  });
}

/**
 * Parses a `wildcard` query.
 * @throws BodyError or OperationError 400
 */
export function parseWildcard(at: Cursor): Query {
  return parsePattern(at, {
    query: "wildcard",
    valueNames: ["value", "wildcard"],
    others: [],
    build: (context, field, input) => wildcardPlan(context, field, normalized(field, input)),
  });
}

/**
 * Parses a `regexp` query.
 * @throws BodyError or OperationError 400
 */
export function parseRegexp(at: Cursor): Query {
  return parsePattern(at, {
    query: "regexp",
    valueNames: ["value"],
    others: ["flags", "flags_value", "max_determinized_states"],
    build: (context, field, input) => regexpPlan(context, field, normalized(field, input)),
  });
}

/** A pattern with the operators of the syntax, and the limit of determinisation. */
interface RegexpInput extends PatternInput {
  readonly operators?: number | undefined;
  readonly workLimit?: number | undefined;
}

/**
 * The plan of a regular expression.
 * @throws OperationError 400 for one that is too long, malformed or too complex
 */
export function regexpPlan(context: BuildContext, field: CompiledField, input: RegexpInput): Plan {
  const { text, boost, caseInsensitive = false, operators = ALL_OPERATORS, workLimit } = input;
  checkRegexLength(context.mapping.settings, text, "Regexp Query request");
  const label = `regexp:${caseInsensitive}:${operators}:${text}`;
  const { prefix, accepts, acceptsUtf8 } = context.work.automaton(`${label}:${workLimit}`, () =>
    regexpDfa(text, { caseInsensitive, operators, workLimit }),
  );
  return patternPlan(context, field, {
    query: "regexp",
    label,
    prefix,
    matches: accepts,
    matchesUtf8: acceptsUtf8,
    boost,
  });
}

/**
 * Rejects a regular expression beyond `index.max_regex_length`; `usedIn` is named in the error.
 * @throws OperationError 400
 */
export function checkRegexLength(settings: IndexSettings, text: string, usedIn: string): void {
  const setting = settings["index.max_regex_length"];
  const limit = typeof setting === "string" ? Number(setting) : 1000;
  if (text.length <= limit) return;
  throw illegalArgument(
    `The length of regex [${text.length}] used in the ${usedIn} has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
  );
}

/** Normalizers of keywords apply to patterns; analyzers of texts do not. */
function normalized(field: CompiledField, input: RegexpInput): RegexpInput {
  return field.text === "whole" ? { ...input, text: field.normalize(input.text) } : input;
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
  const { operators, workLimit } = regexpOptions(parsed.parameters);
  return {
    boost: parsed.boost,
    label: parsed.label,
    build: (context, boost) => {
      const field = fieldOf(context, parsed.field);
      if (field === undefined) return none(`unmapped field [${parsed.field}]`);
      return form.build(context, field, { text, boost, caseInsensitive, operators, workLimit });
    },
  };
}

/** `flags`, `flags_value` and `max_determinized_states`. */
function regexpOptions(
  parameters: ReadonlyMap<string, Cursor>,
): Pick<RegexpInput, "operators" | "workLimit"> {
  const flags = parameters.get("flags");
  const value = parameters.get("flags_value");
  const limit = parameters.get("max_determinized_states");
  const workLimit = limit === undefined ? undefined : intOf(limit);
  if (workLimit !== undefined && workLimit < 0) {
    throw illegalArgument(
      `[regexp] max_determinized_states cannot be negative but was [${workLimit}]`,
    );
  }
  const named = flags === undefined || flags.json === null ? undefined : scalarText(flags);
  return {
    operators: value === undefined ? operatorsOf(named ?? "") : intOf(value) & ALL_OPERATORS,
    workLimit,
  };
}
