/**
 * `terms_set`: documents with at least as many of the terms as a field of theirs, or a script,
 * requires. Source: `TermsSetQueryBuilder`.
 */
import {
  illegalArgument,
  isJsonObject,
  OperationError,
  type Json,
  type Problem,
} from "@orrery/stdx";
import { boostOf, child, members, parsingError, scalarText, tokenOf } from "../body/cursor.ts";
import { acceptedBy } from "../execution/accepted.ts";
import { requireFieldData } from "../execution/field-data.ts";
import { coveringPlan, type RequiredMatches } from "../execution/weights/covering.ts";
import type { Cursor } from "../language/cursor.ts";
import { none, type Plan } from "../language/plan.ts";
import type { BuildContext, Query } from "../language/query.ts";
import type { Script } from "../language/script.ts";
import { compileScript } from "../scripts/compile-script.ts";
import { scriptLookup } from "../scripts/doc-values.ts";
import { parseScript } from "../scripts/parse-script.ts";
import { fieldOf, shardError } from "./query.ts";
import { termPlan } from "./term-plan.ts";

/** A parsed query; one of `minimumField` and `minimumScript` is set. */
interface TermsSet {
  readonly field: string;
  readonly terms: readonly Json[];
  readonly minimumField: string | undefined;
  readonly minimumScript: Script | undefined;
}

type Mutable = { -readonly [Key in keyof TermsSet]: TermsSet[Key] };

/**
 * Parses a `terms_set` query.
 * @throws BodyError or OperationError 400
 */
export function parseTermsSet(at: Cursor): Query {
  const [first, second] = members(at);
  if (first === undefined) throw parsingError(at, "[terms_set] unknown token [END_OBJECT]", "end");
  const [field, body] = first;
  if (!isJsonObject(body.json))
    throw parsingError(body, `[terms_set] unknown token [${tokenOf(body.json)}]`);
  const spec: Mutable = { field, terms: [], minimumField: undefined, minimumScript: undefined };
  let boost = 1;
  let label: string | undefined;
  for (const [name, member] of members(body)) {
    const { json } = member;
    const isText = typeof json === "string";
    if (name === "terms" && Array.isArray(json)) spec.terms = termsOf(member, json);
    else if (name === "minimum_should_match_script" && isJsonObject(json))
      spec.minimumScript = once(spec, () => parseScript(member));
    else if (name === "minimum_should_match_field" && isText)
      spec.minimumField = once(spec, () => json);
    else if (name === "boost") boost = boostOf(member);
    else if (name === "_name") label = scalarText(member);
    else throw parsingError(member, `[terms_set] query does not support [${name}]`);
  }
  if (second !== undefined)
    throw parsingError(second[1], "[terms_set] unknown token [FIELD_NAME]", "key");
  return { boost, label, build: (context, total) => buildTermsSet(spec, context, total) };
}

function termsOf(at: Cursor, terms: readonly Json[]): readonly Json[] {
  const nothing = terms.indexOf(null);
  if (nothing >= 0) throw parsingError(child(at, nothing), "No value specified for terms query");
  return terms;
}

/** Rejects a second source of the minimum. */
function once<T>({ minimumField, minimumScript }: TermsSet, read: () => T): T {
  if (minimumScript !== undefined)
    throw illegalArgument(
      "A script has already been specified. Cannot specify both a field and script",
    );
  if (minimumField !== undefined)
    throw illegalArgument(
      "A field has already been specified. Cannot specify both a field and script",
    );
  return read();
}

function buildTermsSet(spec: TermsSet, context: BuildContext, boost: number): Plan {
  const { field, terms } = spec;
  if (terms.length === 0) return none('No terms supplied for "terms_set" query.');
  const limit = context.limits.maxClauseCount;
  if (terms.length > limit) {
    const reason = `maxClauseCount is set to ${limit}`;
    throw new OperationError({ type: "too_many_clauses", reason, status: 500 });
  }
  const mapped = fieldOf(context, field);
  const required = requiredOf(spec, context);
  if (mapped === undefined) return none(`unmapped field [${field}]`);
  const plans = terms.map((term) => termPlan(context, mapped, term, boost));
  return coveringPlan({ plans, required });
}

/**
 * The number of terms that a document requires; infinite for one without the field, which therefore
 * does not match.
 */
function requiredOf(
  { terms, minimumField, minimumScript }: TermsSet,
  context: BuildContext,
): RequiredMatches {
  const lookup = scriptLookup(context.searcher);
  if (minimumField !== undefined) {
    const field = fieldOf(context, minimumField);
    if (field === undefined)
      throw shardError(context, `failed to find minimum_should_match field [${minimumField}]`);
    requireFieldData(field, context);
    if (field.values.kind !== "numbers")
      throw illegalArgument(`field [${minimumField}] of type [${field.type}] holds no numbers`);
    const open = lookup.values(field);
    return (segment) => {
      const values = open(segment);
      return (doc) => (values.at(doc) === 0 ? Infinity : values.number(0));
    };
  }
  if (minimumScript === undefined) throw new OperationError(NO_MINIMUM);
  const { params } = minimumScript;
  const bound = compileScript(context, minimumScript, "terms_set").bind(
    { ...params, num_terms: terms.length },
    lookup,
  );
  return (segment) => {
    const run = bound.open(segment);
    const isAccepted = acceptedBy(segment, context.nestedPath);
    return (doc) => (isAccepted(doc) ? Number(run(doc)) : Infinity);
  };
}

const NO_MINIMUM: Problem = {
  type: "illegal_state_exception",
  reason: "No minimum should match has been specified",
  status: 500,
};
