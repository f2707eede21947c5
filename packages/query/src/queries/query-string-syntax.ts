/**
 * Lucene's query language: words, phrases, fields, AND OR NOT + -, groups, ranges, wildcards,
 * regular expressions, fuzzy terms, boosts. A recursive-descent parser builds a tree. Source:
 * Lucene's `QueryParserBase` and its grammar.
 */
import { OperationError, type Problem } from "@orrery/stdx";
import { checkBrackets, tooManyClauses } from "./limits.ts";
import { DEFAULT_LIMITS, type QueryLimits } from "../language/query-limits.ts";

/** A node of the tree; `field` is `undefined` for the default fields. */
export type Node =
  | {
      readonly kind: "word";
      readonly field: string | undefined;
      readonly text: string;
      readonly boost: number;
    }
  | {
      readonly kind: "phrase";
      readonly field: string | undefined;
      readonly text: string;
      readonly slop: number | undefined;
      readonly boost: number;
    }
  /** `text` keeps its escapes, which tell `\*` from `*`. */
  | {
      readonly kind: "wildcard";
      readonly field: string | undefined;
      readonly text: string;
      readonly boost: number;
    }
  | {
      readonly kind: "prefix";
      readonly field: string | undefined;
      readonly text: string;
      readonly boost: number;
    }
  | {
      readonly kind: "regexp";
      readonly field: string | undefined;
      readonly text: string;
      readonly boost: number;
    }
  | {
      readonly kind: "fuzzy";
      readonly field: string | undefined;
      readonly text: string;
      readonly edits: string | undefined;
      readonly boost: number;
    }
  | {
      readonly kind: "range";
      readonly field: string | undefined;
      readonly lower: string | undefined;
      readonly upper: string | undefined;
      readonly includesLower: boolean;
      readonly includesUpper: boolean;
      readonly boost: number;
    }
  | { readonly kind: "all"; readonly boost: number }
  | { readonly kind: "group"; readonly clauses: readonly Clause[]; readonly boost: number };

/** A node of a group, with its occurrence. */
export interface Clause {
  readonly occur: "must" | "should" | "must_not";
  readonly node: Node;
}

/** The operator before a clause. */
type Conjunction = "none" | "and" | "or";
/** The sign before a clause. */
type Modifier = "none" | "required" | "not";

/**
 * Parses a text of the query language to its tree; `undefined`: the text has no clauses.
 * @throws OperationError 400 `parse_exception`
 */
export function parseQueryString(
  text: string,
  defaultOperator: "and" | "or",
  limits: QueryLimits = DEFAULT_LIMITS,
): Node | undefined {
  checkLength(text, limits);
  checkBrackets(text, (what) => cannotParse(text, what));
  return new Parser(text, defaultOperator, limits).run();
}

function checkLength(text: string, { maxQueryStringLength: limit }: QueryLimits): void {
  if (text.length <= limit) return;
  const reason = `Query string length exceeds max allowed length ${limit} (search.query.max_query_string_length); actual length: ${text.length}`;
  throw new OperationError({ type: "parse_exception", reason, status: 400 });
}

function cannotParse(text: string, what: string, causedBy?: Problem): OperationError {
  const reason = `Cannot parse '${text}': ${what}`;
  const problem: Problem = { type: "parse_exception", reason, status: 400 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

/** Characters that end a word. */
const STOP = /[\s+\-!():^[\]"{}~*?\\/]/;

/** A position in the text, moved by the functions for each rule of the grammar. */
class Parser {
  private at = 0;
  private readonly text: string;
  private readonly defaultOperator: "and" | "or";
  private readonly limits: QueryLimits;

  constructor(text: string, defaultOperator: "and" | "or", limits: QueryLimits) {
    this.text = text;
    this.defaultOperator = defaultOperator;
    this.limits = limits;
  }

  run(): Node | undefined {
    this.blanks();
    if (this.at >= this.text.length) return undefined;
    const clauses = this.clauses(undefined);
    if (this.at < this.text.length) this.unexpected();
    return { kind: "group", clauses, boost: 1 };
  }

  private clauses(field: string | undefined): Clause[] {
    const clauses: Clause[] = [];
    this.blanks();
    for (
      let isFirst = true;
      this.at < this.text.length && this.text.charAt(this.at) !== ")";
      isFirst = false
    ) {
      const conjunction = isFirst ? "none" : this.conjunction();
      const modifier = this.modifier();
      const node = this.clause(field);
      addClause(clauses, { conjunction, modifier, node, defaultOperator: this.defaultOperator });
      const { maxClauseCount } = this.limits;
      if (clauses.length > maxClauseCount) {
        const cause = tooManyClauses(maxClauseCount);
        throw cannotParse(this.text, "too many boolean clauses", cause);
      }
      this.blanks();
    }
    if (clauses.length === 0) this.unexpected();
    return clauses;
  }

  private conjunction(): Conjunction {
    this.blanks();
    if (this.word("AND") || this.symbol("&&")) return "and";
    if (this.word("OR") || this.symbol("||")) return "or";
    return "none";
  }

  private modifier(): Modifier {
    this.blanks();
    if (this.symbol("+")) return "required";
    if (this.symbol("-") || this.symbol("!") || this.word("NOT")) return "not";
    return "none";
  }

  private clause(outer: string | undefined): Node {
    this.blanks();
    const field = this.fieldName() ?? outer;
    this.blanks();
    const char = this.text.charAt(this.at);
    if (char === "(") {
      this.at += 1;
      const clauses = this.clauses(field);
      if (!this.symbol(")")) this.unexpected();
      return { kind: "group", clauses, boost: this.boost() };
    }
    return this.term(field);
  }

  private fieldName(): string | undefined {
    const start = this.at;
    if (this.text.startsWith("*:", start)) {
      this.at += 2;
      return "*";
    }
    const raw = this.rawTerm();
    if (raw !== "" && this.text.charAt(this.at) === ":") {
      this.at += 1;
      return unescape(raw);
    }
    this.at = start;
    return undefined;
  }

  private term(field: string | undefined): Node {
    const char = this.text.charAt(this.at);
    if (char === '"') return this.phrase(field);
    if (char === "/") return this.regexp(field);
    if (char === "[" || char === "{") return this.range(field);
    if (char === ">" || char === "<") return this.comparison(field);
    const raw = this.rawTerm();
    if (raw === "") this.unexpected();
    if (this.text.charAt(this.at) === "~") {
      this.at += 1;
      const edits = /^\d*\.?\d*/.exec(this.text.slice(this.at))?.[0] ?? "";
      this.at += edits.length;
      return {
        kind: "fuzzy",
        field,
        text: unescape(raw),
        edits: edits === "" ? undefined : edits,
        boost: this.boost(),
      };
    }
    const boost = this.boost();
    if (raw === "*" && (field === "*" || field === undefined))
      return field === "*" ? { kind: "all", boost } : { kind: "wildcard", field, text: "*", boost };
    const wildcards = raw.replaceAll(/\\./g, "");
    if (/^[^*?]*\*$/.test(wildcards) && wildcards.length > 1) {
      return { kind: "prefix", field, text: unescape(raw.slice(0, -1)), boost };
    }
    if (/[*?]/.test(wildcards)) return { kind: "wildcard", field, text: raw, boost };
    return { kind: "word", field, text: unescape(raw), boost };
  }

  private phrase(field: string | undefined): Node {
    let end = this.at + 1;
    while (end < this.text.length && this.text.charAt(end) !== '"')
      end += this.text.charAt(end) === "\\" ? 2 : 1;
    if (end >= this.text.length) this.lexical();
    const text = unescape(this.text.slice(this.at + 1, end));
    this.at = end + 1;
    let slop: number | undefined;
    if (this.symbol("~")) {
      const digits = /^\d+/.exec(this.text.slice(this.at))?.[0] ?? "";
      this.at += digits.length;
      slop = digits === "" ? undefined : Number(digits);
    }
    return { kind: "phrase", field, text, slop, boost: this.boost() };
  }

  private regexp(field: string | undefined): Node {
    let end = this.at + 1;
    while (end < this.text.length && this.text.charAt(end) !== "/")
      end += this.text.charAt(end) === "\\" ? 2 : 1;
    if (end >= this.text.length) this.lexical();
    const text = this.text.slice(this.at + 1, end).replaceAll("\\/", "/");
    this.at = end + 1;
    return { kind: "regexp", field, text, boost: this.boost() };
  }

  private range(field: string | undefined): Node {
    const includesLower = this.text.charAt(this.at) === "[";
    this.at += 1;
    const lower = this.rangeValue();
    this.blanks();
    if (this.word("TO")) this.blanks();
    const upper = this.rangeValue();
    this.blanks();
    const close = this.text.charAt(this.at);
    if (close !== "]" && close !== "}") this.unexpected();
    this.at += 1;
    return {
      kind: "range",
      field,
      lower,
      upper,
      includesLower,
      includesUpper: close === "]",
      boost: this.boost(),
    };
  }

  private rangeValue(): string | undefined {
    this.blanks();
    const rest = this.text.slice(this.at);
    const match = /^(?:"((?:[^"\\]|\\.)*)"|([^\s\]}]+))/.exec(rest);
    if (match === null) return this.unexpected();
    this.at += match[0].length;
    if (match[1] !== undefined) return unescape(match[1]);
    return match[2] === "*" ? undefined : unescape(match[2] ?? "");
  }

  private comparison(field: string | undefined): Node {
    const match = /^([<>]=?)\s*/.exec(this.text.slice(this.at));
    const operator = match?.[1] ?? ">";
    this.at += match?.[0].length ?? 1;
    const value =
      this.text.charAt(this.at) === '"'
        ? (this.phrase(undefined) as { text: string }).text
        : unescape(this.rawTerm(true));
    const isLower = operator.startsWith(">");
    return {
      kind: "range",
      field,
      lower: isLower ? value : undefined,
      upper: isLower ? undefined : value,
      includesLower: operator === ">=" || !isLower,
      includesUpper: operator === "<=" || isLower,
      boost: this.boost(),
    };
  }

  /** A word with its escapes and wildcards as they stand. */
  private rawTerm(isComparison = false): string {
    const start = this.at;
    while (this.at < this.text.length) {
      const char = this.text.charAt(this.at);
      if (char === "\\") {
        this.at += 2;
      } else if (char === "*" || char === "?") {
        this.at += 1;
      } else if (STOP.test(char)) {
        const isInside = this.at > start && (char === "-" || char === "+" || char === "/");
        if (!isInside && !(isComparison && char === "-")) break;
        this.at += 1;
      } else {
        this.at += 1;
      }
    }
    return this.text.slice(start, Math.min(this.at, this.text.length));
  }

  private boost(): number {
    if (!this.symbol("^")) return 1;
    const digits = /^\d*\.?\d+/.exec(this.text.slice(this.at))?.[0];
    if (digits === undefined) return this.unexpected();
    this.at += digits.length;
    return Number(digits);
  }

  private blanks(): void {
    while (/\s/.test(this.text.charAt(this.at))) this.at += 1;
  }

  private symbol(symbol: string): boolean {
    if (!this.text.startsWith(symbol, this.at)) return false;
    this.at += symbol.length;
    return true;
  }

  /** A keyword, which a blank or a bracket must follow. */
  private word(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    const next = this.text.charAt(this.at + word.length);
    if (next !== "" && !/[\s(]/.test(next)) return false;
    this.at += word.length;
    return true;
  }

  private unexpected(): never {
    const token =
      this.at >= this.text.length
        ? '"<EOF>"'
        : `" "${this.text.charAt(this.at)}" "${this.text.charAt(this.at)} "" `.trim();
    throw this.failure(
      `Encountered ${token} at line 1, column ${Math.min(this.at, this.text.length)}.`,
    );
  }

  private lexical(): never {
    throw this.failure(
      `Lexical error at line 1, column ${this.text.length + 1}.  Encountered: <EOF> (in lexical state 2)`,
    );
  }

  private failure(what: string): OperationError {
    return cannotParse(this.text, what);
  }
}

/** A clause with the operators around it. */
interface Added {
  readonly conjunction: Conjunction;
  readonly modifier: Modifier;
  readonly node: Node;
  readonly defaultOperator: "and" | "or";
}

/**
 * Adds a clause. `a AND b` makes `a` required as well; with AND as default operator `a OR b` makes
 * `a` optional as well.
 */
function addClause(
  clauses: Clause[],
  { conjunction, modifier, node, defaultOperator }: Added,
): void {
  const last = clauses.at(-1);
  if (last !== undefined && conjunction === "and" && last.occur === "should") {
    clauses[clauses.length - 1] = { ...last, occur: "must" };
  }
  if (
    last !== undefined &&
    defaultOperator === "and" &&
    conjunction === "or" &&
    last.occur === "must"
  ) {
    clauses[clauses.length - 1] = { ...last, occur: "should" };
  }
  if (modifier === "not") {
    clauses.push({ occur: "must_not", node });
  } else if (defaultOperator === "or") {
    clauses.push({
      occur: modifier === "required" || conjunction === "and" ? "must" : "should",
      node,
    });
  } else {
    clauses.push({
      occur: modifier !== "required" && conjunction === "or" ? "should" : "must",
      node,
    });
  }
}

/** The text without escapes. */
export function unescape(text: string): string {
  return text.replaceAll(
    /\\u([0-9a-fA-F]{4})|\\([\s\S])/g,
    (_all, hex: string | undefined, char: string | undefined) =>
      hex === undefined ? (char ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
