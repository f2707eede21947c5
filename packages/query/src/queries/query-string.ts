/**
 * `query_string`: the query language of Lucene over fields. Source: `QueryStringQueryBuilder`,
 * `QueryStringQueryParser`.
 */
import { isGlob, OperationError } from "@orrery/stdx";
import { none, type Plan } from "../language/plan.ts";
import { parseParameters } from "./common.ts";
import { booleanOf, floatOf, intOf, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { existsPlan } from "./exists.ts";
import { AUTO, parseFuzziness, type Fuzziness } from "./fuzziness.ts";
import { parseOperator } from "./match.ts";
import { minimumShouldMatch } from "./minimum-should-match.ts";
import {
  defaultFields,
  parseFields,
  resolveFields,
  weightedField,
  type WeightedField,
} from "./multi-match.ts";
import { regexpPlan } from "./pattern-queries.ts";
import { requireAnalyzer, fieldOf, shardError } from "./query.ts";
import type { BuildContext, Query } from "../language/query.ts";
import { parseQueryString, type Clause, type Node } from "./query-string-syntax.ts";
import { prefixPlan, rangePlan, wildcardPlan, NO_RANGE } from "./term-plan.ts";
import { fuzzyPlan, lenient, matchPlan, phrasePlan, type TextOptions } from "./text-plan.ts";
import type { CompiledField } from "../language/field-type.ts";

const PARAMETERS = [
  "query",
  "fields",
  "default_field",
  "default_operator",
  "analyzer",
  "quote_analyzer",
  "allow_leading_wildcard",
  "enable_position_increments",
  "fuzziness",
  "fuzzy_prefix_length",
  "fuzzy_max_expansions",
  "fuzzy_rewrite",
  "fuzzy_transpositions",
  "phrase_slop",
  "escape",
  "analyze_wildcard",
  "rewrite",
  "minimum_should_match",
  "quote_field_suffix",
  "lenient",
  "max_determinized_states",
  "time_zone",
  "type",
  "tie_breaker",
  "auto_generate_synonyms_phrase_query",
];

/** A parsed `query_string` query; its text is parsed later, by `buildQueryString`. */
export interface QueryStringSpec {
  readonly query: string;
  readonly fields: readonly WeightedField[];
  readonly operator: "and" | "or";
  readonly analyzer: string | undefined;
  readonly isLenient: boolean | undefined;
  readonly allowLeadingWildcard: boolean;
  readonly fuzziness: Fuzziness;
  readonly fuzzyPrefix: number;
  readonly fuzzyExpansions: number;
  readonly phraseSlop: number;
  readonly minimum: string | undefined;
  readonly timeZone: string | undefined;
  readonly tieBreaker: number;
  readonly isMostFields: boolean;
}

/**
 * Parses a `query_string` query. Its text is parsed for each shard (`buildQueryString`).
 * @throws BodyError or OperationError 400
 */
export function parseQueryStringQuery(at: Cursor): Query {
  const { parameters, basics } = parseParameters(at, "query_string", PARAMETERS);
  const given = parameters.get("query");
  if (given === undefined || given.json === null)
    throw parsingError(at, "[query_string] must be provided with a [query]", "end");
  const get = <T>(name: string, read: (cursor: Cursor) => T, fallback: T): T => {
    const cursor = parameters.get(name);
    return cursor === undefined || cursor.json === null ? fallback : read(cursor);
  };
  const defaultField = get<string | undefined>("default_field", scalarText, undefined);
  const text = scalarText(given);
  const spec: QueryStringSpec = {
    query: get("escape", booleanOf, false)
      ? text.replaceAll(/[\\+\-!():^[\]"{}~*?|&/]/g, String.raw`\$&`)
      : text,
    fields: get(
      "fields",
      parseFields,
      defaultField === undefined ? [] : [weightedField(defaultField)],
    ),
    operator: get("default_operator", parseOperator, "or"),
    analyzer: get<string | undefined>("analyzer", scalarText, undefined),
    isLenient: get<boolean | undefined>("lenient", booleanOf, undefined),
    allowLeadingWildcard: get("allow_leading_wildcard", booleanOf, true),
    fuzziness: get("fuzziness", parseFuzziness, AUTO),
    fuzzyPrefix: get("fuzzy_prefix_length", intOf, 0),
    fuzzyExpansions: get("fuzzy_max_expansions", intOf, 50),
    phraseSlop: get("phrase_slop", intOf, 0),
    minimum: get<string | undefined>("minimum_should_match", scalarText, undefined),
    timeZone: get<string | undefined>("time_zone", scalarText, undefined),
    tieBreaker: get("tie_breaker", floatOf, 0),
    isMostFields: get("type", scalarText, "best_fields") === "most_fields",
  };
  return { ...basics, build: (context, boost) => buildQueryString(spec, context, boost) };
}

/** The plan for one shard. The text is parsed here, since its errors are those of a shard. */
export function buildQueryString(
  spec: QueryStringSpec,
  context: BuildContext,
  boost: number,
): Plan {
  requireAnalyzer(context, "query_string", spec.analyzer);
  let tree: Node | undefined;
  try {
    tree = parseQueryString(spec.query, spec.operator, context.limits);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const failure = shardError(context, `Failed to parse query [${spec.query}]`);
    throw new OperationError({ ...failure.problem, causedBy: error.problem });
  }
  if (tree === undefined) return none("empty query");
  return new Builder(spec, context).group(tree, boost, true);
}

/** Builds the plan of a tree. */
class Builder {
  private readonly spec: QueryStringSpec;
  private readonly context: BuildContext;
  private readonly defaults: readonly WeightedField[];
  private readonly isLenient: boolean;
  /** Fields of words without a field of their own, resolved once. */
  private defaultFields: Map<string, number> | undefined;

  constructor(spec: QueryStringSpec, context: BuildContext) {
    this.spec = spec;
    this.context = context;
    this.defaults = spec.fields.length > 0 ? spec.fields : defaultFields(context);
    const isAll = this.defaults.length === 1 && this.defaults[0]?.name === "*";
    this.isLenient = spec.isLenient ?? isAll;
  }

  group(node: Node, boost: number, isTop = false): Plan {
    if (node.kind !== "group") return this.leaf(node, boost);
    const total = Math.fround(boost * node.boost);
    const by = (occur: Clause["occur"]): Plan[] =>
      node.clauses
        .filter((clause) => clause.occur === occur)
        .map((clause) => this.group(clause.node, total));
    const must = by("must");
    const should = by("should");
    const mustNot = by("must_not");
    const [only] = [...must, ...should];
    if (must.length + should.length === 1 && mustNot.length === 0 && only !== undefined)
      return only;
    const given =
      isTop && this.spec.minimum !== undefined
        ? minimumShouldMatch(should.length, this.spec.minimum)
        : 0;
    const minimum = given > 0 ? given : must.length === 0 && should.length > 0 ? 1 : 0;
    if (minimum > should.length) return none("minimum_should_match is too large");
    return { kind: "bool", must, filter: [], should, mustNot, minimumShouldMatch: minimum };
  }

  private leaf(node: Exclude<Node, { kind: "group" }>, boost: number): Plan {
    const total = Math.fround(boost * node.boost);
    if (node.kind === "all") return { kind: "all", boost: total };
    if (node.field === "_exists_" && "text" in node)
      return existsPlan(this.context, node.text, total);
    if (node.kind === "wildcard" && node.text === "*") return this.anything(node.field, total);
    const fields = this.fieldsOf(node.field);
    const plans: Plan[] = [];
    for (const [name, weight] of fields) {
      const field = fieldOf(this.context, name);
      if (field === undefined) continue;
      const fieldBoost = Math.fround(total * Math.fround(weight));
      this.context.work.tryField();
      plans.push(lenient(this.isLenient, () => this.fieldLeaf(node, field, fieldBoost)));
    }
    const [only] = plans;
    if (only === undefined)
      return none(`unmapped field [${node.field ?? [...fields.keys()].join(", ")}]`);
    if (plans.length === 1) return only;
    return {
      kind: "dis-max",
      plans,
      tieBreaker: this.spec.isMostFields ? 1 : this.spec.tieBreaker,
    };
  }

  private anything(field: string | undefined, boost: number): Plan {
    if (field === undefined || field === "*") return { kind: "all", boost };
    return existsPlan(this.context, field, boost);
  }

  private fieldsOf(field: string | undefined): Map<string, number> {
    if (field === undefined)
      return (this.defaultFields ??= resolveFields(this.context, this.defaults));
    if (isGlob(field)) return resolveFields(this.context, [{ name: field, boost: 1 }]);
    const boost = this.spec.fields.find(({ name }) => name === field)?.boost ?? 1;
    return new Map([[field, boost]]);
  }

  private fieldLeaf(
    node: Exclude<Node, { kind: "group" | "all" }>,
    field: CompiledField,
    boost: number,
  ): Plan {
    const { context, spec } = this;
    const subject = { context, field, boost };
    switch (node.kind) {
      case "word":
        return matchPlan(subject, node.text, this.textOptions());
      case "phrase":
        return phrasePlan(subject, node.text, {
          slop: node.slop ?? spec.phraseSlop,
          analyzer: spec.analyzer,
          zeroTerms: "none",
          prefixExpansions: undefined,
          lenient: this.isLenient,
        });
      case "prefix":
        return prefixPlan(context, field, { text: normalizePattern(field, node.text), boost });
      case "wildcard":
        return this.wildcard(node.text, field, boost);
      case "regexp":
        return regexpPlan(context, field, { text: normalizePattern(field, node.text), boost });
      case "fuzzy":
        return this.fuzzy(node, field, boost);
      case "range":
        return rangePlan(
          context,
          field,
          {
            ...NO_RANGE,
            [node.includesLower ? "gte" : "gt"]: node.lower,
            [node.includesUpper ? "lte" : "lt"]: node.upper,
            timeZone: spec.timeZone,
          },
          boost,
        );
    }
  }

  private wildcard(text: string, field: CompiledField, boost: number): Plan {
    if (!this.spec.allowLeadingWildcard && /^[*?]/.test(text)) {
      const reason = `Cannot parse '${this.spec.query}': '*' or '?' not allowed as first character in WildcardQuery`;
      throw new OperationError({ type: "parse_exception", reason, status: 400 });
    }
    return wildcardPlan(this.context, field, { text: normalizePattern(field, text), boost });
  }

  private fuzzy(node: Extract<Node, { kind: "fuzzy" }>, field: CompiledField, boost: number): Plan {
    const { spec, context } = this;
    const edits =
      node.edits === undefined ? undefined : Math.min(2, Math.trunc(Number(node.edits)));
    const text = normalizePattern(field, node.text);
    if (field.text === undefined)
      return matchPlan({ context, field, boost }, text, this.textOptions());
    return fuzzyPlan({ context, field, boost }, text, {
      fuzziness: edits === undefined ? spec.fuzziness : () => edits,
      prefixLength: spec.fuzzyPrefix,
      maxExpansions: spec.fuzzyExpansions,
      transpositions: true,
    });
  }

  private textOptions(): TextOptions {
    return {
      operator: this.spec.operator,
      minimumShouldMatch: undefined,
      analyzer: this.spec.analyzer,
      fuzziness: undefined,
      zeroTerms: "none",
      lenient: this.isLenient,
    };
  }
}

/**
 * The text of a prefix, wildcard or fuzzy term, which is not split into words but normalised like
 * terms of the index.
 */
export function normalizePattern(field: CompiledField, text: string): string {
  return field.searchAnalyzer === undefined
    ? field.normalize(text)
    : field.searchAnalyzer.normalize(text);
}
