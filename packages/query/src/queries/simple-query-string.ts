/**
 * `simple_query_string`: words with `+` `|` `-` `"…"` `*` `( )` `~n`, of which no text is an error.
 * Source: Lucene's `SimpleQueryParser`.
 */
import { illegalArgument } from "@orrery/stdx";
import { none, type Plan } from "../language/plan.ts";
import { parseParameters } from "./common.ts";
import { booleanOf, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { checkBrackets, checkClauseCount } from "./limits.ts";
import { parseOperator } from "./match.ts";
import { minimumShouldMatch } from "./minimum-should-match.ts";
import { defaultFields, parseFields, resolveFields, type WeightedField } from "./multi-match.ts";
import { requireAnalyzer, fieldOf } from "./query.ts";
import type { BuildContext, Query } from "../language/query.ts";
import { normalizePattern } from "./query-string.ts";
import { prefixPlan } from "./term-plan.ts";
import { fuzzyPlan, lenient, matchPlan, phrasePlan, type TextOptions } from "./text-plan.ts";

/** Operators that `flags` can enable. */
const FLAGS = new Set([
  "ALL",
  "NONE",
  "AND",
  "NOT",
  "OR",
  "PREFIX",
  "PHRASE",
  "PRECEDENCE",
  "ESCAPE",
  "WHITESPACE",
  "FUZZY",
  "NEAR",
  "SLOP",
]);

/** A parsed query. */
interface Spec {
  readonly query: string;
  readonly fields: readonly WeightedField[];
  readonly operator: "and" | "or";
  readonly flags: ReadonlySet<string>;
  readonly analyzer: string | undefined;
  readonly minimum: string | undefined;
  readonly isLenient: boolean | undefined;
}

/**
 * Parses a `simple_query_string` query.
 * @throws BodyError or OperationError 400
 */
export function parseSimpleQueryString(at: Cursor): Query {
  const { parameters, basics } = parseParameters(at, "simple_query_string", [
    "query",
    "fields",
    "default_operator",
    "analyzer",
    "flags",
    "lenient",
    "analyze_wildcard",
    "minimum_should_match",
    "quote_field_suffix",
    "auto_generate_synonyms_phrase_query",
    "fuzzy_prefix_length",
    "fuzzy_max_expansions",
    "fuzzy_transpositions",
  ]);
  const given = parameters.get("query");
  if (given === undefined)
    throw parsingError(at, "[simple_query_string] query text missing", "end");
  const get = <T>(name: string, read: (cursor: Cursor) => T, fallback: T): T => {
    const cursor = parameters.get(name);
    return cursor === undefined || cursor.json === null ? fallback : read(cursor);
  };
  const spec: Spec = {
    query: given.json === null ? "" : scalarText(given),
    fields: get("fields", parseFields, []),
    operator: get("default_operator", parseOperator, "or"),
    flags: get("flags", parseFlags, new Set(["ALL"])),
    analyzer: get<string | undefined>("analyzer", scalarText, undefined),
    minimum: get<string | undefined>("minimum_should_match", scalarText, undefined),
    isLenient: get<boolean | undefined>("lenient", booleanOf, undefined),
  };
  return { ...basics, build: (context, boost) => buildSimple(spec, context, boost) };
}

function parseFlags(at: Cursor): ReadonlySet<string> {
  if (typeof at.json === "number") return new Set(at.json === 0 ? ["NONE"] : ["ALL"]);
  const names = scalarText(at)
    .split("|")
    .map((name) => name.trim().toUpperCase());
  for (const name of names) {
    if (!FLAGS.has(name)) throw illegalArgument(`Unknown simple_query_string flag [${name}]`);
  }
  return new Set(names);
}

function buildSimple(spec: Spec, context: BuildContext, boost: number): Plan {
  requireAnalyzer(context, "simple_query_string", spec.analyzer);
  const defaults = spec.fields.length > 0 ? spec.fields : defaultFields(context);
  const isAll = defaults.length === 1 && defaults[0]?.name === "*";
  const fields = resolveFields(context, defaults);
  if (spec.query.trim() === "") return none("empty query");
  if (spec.query.trim() === "*") return { kind: "all", boost };
  checkBrackets(spec.query, (what) => illegalArgument(`[simple_query_string] ${what}`));
  const plan = new SimpleParser(spec, {
    context,
    boost,
    fields,
    isLenient: spec.isLenient ?? isAll,
  }).run();
  if (plan === undefined) return none("no terms");
  if (plan.kind !== "bool" || spec.minimum === undefined) return plan;
  const minimum = minimumShouldMatch(plan.should.length, spec.minimum);
  if (minimum > plan.should.length) return none("minimum_should_match is too large");
  return { ...plan, minimumShouldMatch: Math.max(minimum, plan.minimumShouldMatch) };
}

/** The shard and the fields of the words. */
interface SimpleContext {
  readonly context: BuildContext;
  readonly boost: number;
  readonly fields: ReadonlyMap<string, number>;
  readonly isLenient: boolean;
}

/** Occurrence of a clause in its boolean query. */
type Occur = "must" | "should";

/** A sequence of clauses while it is parsed. */
interface State {
  top: Plan | undefined;
  /** The operator before the next clause; `undefined`: the default operator. */
  pending: Occur | undefined;
  previous: Occur | undefined;
  negations: number;
}

/** A position in the text, moved as by Lucene's parser. */
class SimpleParser {
  private at = 0;
  private readonly spec: Spec;
  private readonly scope: SimpleContext;

  constructor(spec: Spec, scope: SimpleContext) {
    this.spec = spec;
    this.scope = scope;
  }

  run(): Plan | undefined {
    return this.sequence(this.spec.query.length);
  }

  private has(flag: string): boolean {
    return this.spec.flags.has("ALL") || this.spec.flags.has(flag);
  }

  private sequence(end: number): Plan | undefined {
    const state: State = { top: undefined, pending: undefined, previous: undefined, negations: 0 };
    const { query } = this.spec;
    while (this.at < end) {
      const char = query.charAt(this.at);
      if (char === "(" && this.has("PRECEDENCE")) this.subquery(state, end);
      else if (char === ")" && this.has("PRECEDENCE")) this.at += 1;
      else if (char === '"' && this.has("PHRASE")) this.phrase(state, end);
      else if (char === "+" && this.has("AND")) this.operator(state, "must");
      else if (char === "|" && this.has("OR")) this.operator(state, "should");
      else if (/\s/.test(char) && this.has("WHITESPACE")) {
        this.at += 1;
      } else if (char === "-" && this.has("NOT")) {
        state.negations += 1;
        this.at += 1;
      } else this.token(state, end);
    }
    return state.top;
  }

  private operator(state: State, occur: Occur): void {
    this.at += 1;
    if (state.pending === undefined && state.top !== undefined) state.pending = occur;
  }

  private subquery(state: State, end: number): void {
    const start = this.at + 1;
    let depth = 1;
    let close = start;
    while (close < end && depth > 0) {
      const char = this.spec.query.charAt(close);
      if (char === "\\") close += 1;
      else if (char === "(") depth += 1;
      else if (char === ")") depth -= 1;
      close += 1;
    }
    if (depth > 0) {
      // A bracket that is never closed is ignored.
      this.at = start;
      return;
    }
    this.at = start;
    const inner = this.sequence(close - 1);
    this.at = close;
    this.join(state, inner);
  }

  private phrase(state: State, end: number): void {
    const { query } = this.spec;
    let close = this.at + 1;
    while (close < end && query.charAt(close) !== '"')
      close += query.charAt(close) === "\\" ? 2 : 1;
    if (close >= end) {
      this.at += 1;
      return;
    }
    const text = query.slice(this.at + 1, close).replaceAll(/\\(.)/g, "$1");
    this.at = close + 1;
    let slop = 0;
    const match = /^~(\d+)/.exec(query.slice(this.at, end));
    if (match !== null && (this.has("NEAR") || this.has("SLOP"))) {
      slop = Number(match[1]);
      this.at += match[0].length;
    }
    this.join(
      state,
      this.eachField((field, boost) =>
        phrasePlan({ context: this.scope.context, field, boost }, text, {
          slop,
          analyzer: this.spec.analyzer,
          zeroTerms: "none",
          prefixExpansions: undefined,
          lenient: this.scope.isLenient,
        }),
      ),
    );
  }

  private token(state: State, end: number): void {
    const { query } = this.spec;
    let text = "";
    let isPrefix = false;
    let edits: number | undefined;
    while (this.at < end) {
      const char = query.charAt(this.at);
      if (char === "\\" && this.has("ESCAPE") && this.at + 1 < end) {
        text += query.charAt(this.at + 1);
        this.at += 2;
        isPrefix = false;
        continue;
      }
      if (this.isDelimiter(char)) break;
      const fuzzy =
        this.has("FUZZY") && text !== ""
          ? /^~(\d*)(?=$|[\s"|+()])/.exec(query.slice(this.at, end))
          : null;
      if (fuzzy !== null) {
        edits = fuzzy[1] === "" ? 2 : Math.min(2, Number(fuzzy[1]));
        this.at += fuzzy[0].length;
        break;
      }
      isPrefix = char === "*" && this.has("PREFIX");
      text += char;
      this.at += 1;
    }
    if (text === "") return;
    const wordPrefix = isPrefix ? text.slice(0, -1) : undefined;
    this.join(
      state,
      this.eachField((field, boost) =>
        this.wordPlan({ text, prefix: wordPrefix, edits }, field, boost),
      ),
    );
  }

  private wordPlan(
    word: {
      readonly text: string;
      readonly prefix: string | undefined;
      readonly edits: number | undefined;
    },
    field: NonNullable<ReturnType<typeof fieldOf>>,
    boost: number,
  ): Plan {
    const { context } = this.scope;
    if (word.prefix !== undefined)
      return prefixPlan(context, field, { text: normalizePattern(field, word.prefix), boost });
    const { edits } = word;
    if (edits !== undefined && edits > 0) {
      return fuzzyPlan({ context, field, boost }, normalizePattern(field, word.text), {
        fuzziness: () => edits,
        prefixLength: 0,
        maxExpansions: 50,
        transpositions: true,
      });
    }
    const options: TextOptions = {
      operator: this.spec.operator,
      minimumShouldMatch: undefined,
      analyzer: this.spec.analyzer,
      fuzziness: undefined,
      zeroTerms: "none",
      lenient: this.scope.isLenient,
    };
    return matchPlan({ context, field, boost }, word.text, options);
  }

  private isDelimiter(char: string): boolean {
    if (/\s/.test(char)) return this.has("WHITESPACE");
    if (char === '"') return this.has("PHRASE");
    if (char === "|") return this.has("OR");
    if (char === "+") return this.has("AND");
    return (char === "(" || char === ")") && this.has("PRECEDENCE");
  }

  private eachField(
    build: (field: NonNullable<ReturnType<typeof fieldOf>>, boost: number) => Plan,
  ): Plan | undefined {
    const { context, boost, fields, isLenient } = this.scope;
    const plans: Plan[] = [];
    for (const [name, weight] of fields) {
      const field = fieldOf(context, name);
      if (field === undefined) continue;
      context.work.tryField();
      plans.push(lenient(isLenient, () => build(field, Math.fround(boost * Math.fround(weight)))));
    }
    const [only] = plans;
    if (plans.length <= 1) return only ?? none("unmapped fields");
    return { kind: "dis-max", plans, tieBreaker: 1 };
  }

  /**
   * Joins a clause by the pending operator. Another operator than the last one nests the clauses so
   * far.
   */
  private join(state: State, branch: Plan | undefined): void {
    if (branch === undefined) return;
    let plan = branch;
    if (state.negations % 2 === 1) {
      plan = {
        kind: "bool",
        must: [],
        filter: [],
        should: [{ kind: "all", boost: 1 }],
        mustNot: [branch],
        minimumShouldMatch: 1,
      };
    }
    state.negations = 0;
    if (state.top === undefined) {
      state.top = plan;
      state.pending = undefined;
      return;
    }
    const occur = state.pending ?? (this.spec.operator === "and" ? "must" : "should");
    if (state.previous !== occur || state.top.kind !== "bool") {
      state.top = joined(occur, [state.top]);
    }
    if (state.top.kind === "bool") {
      const clauses = occur === "must" ? [...state.top.must, plan] : [...state.top.should, plan];
      checkClauseCount(clauses.length, this.scope.context.limits);
      state.top = joined(occur, clauses);
    }
    state.previous = occur;
    state.pending = undefined;
  }
}

function joined(occur: Occur, clauses: readonly Plan[]): Plan {
  return {
    kind: "bool",
    must: occur === "must" ? clauses : [],
    filter: [],
    should: occur === "should" ? clauses : [],
    mustNot: [],
    minimumShouldMatch: occur === "should" ? 1 : 0,
  };
}
