/** The parser of Java's patterns (`java.util.regex.Pattern`). */
import { appendAll } from "../long-lists.ts";
import { OperationError } from "../problem.ts";
import {
  ANY,
  complementSet,
  DIGITS,
  foldedSet,
  HORIZONTAL,
  intersectionOf,
  LINE_ENDS,
  propertySet,
  rangeSet,
  SPACES,
  unionOf,
  VERTICAL,
  WORD,
  type CharSet,
} from "./char-set.ts";
import { lengthOf, LONG, type Anchor, type Mode, type Node, type Syntax } from "./syntax.ts";

/** The bits of Java's flags, by name. */
export const FLAG = {
  UNIX_LINES: 1,
  CASE_INSENSITIVE: 2,
  COMMENTS: 4,
  MULTILINE: 8,
  LITERAL: 16,
  DOTALL: 32,
  UNICODE_CASE: 64,
  CANON_EQ: 128,
  UNICODE_CHARACTER_CLASS: 256,
};

const INLINE: ReadonlyMap<string, number> = new Map([
  ["i", FLAG.CASE_INSENSITIVE],
  ["m", FLAG.MULTILINE],
  ["s", FLAG.DOTALL],
  ["d", FLAG.UNIX_LINES],
  ["u", FLAG.UNICODE_CASE],
  ["x", FLAG.COMMENTS],
  ["U", FLAG.UNICODE_CHARACTER_CLASS | FLAG.UNICODE_CASE],
]);

/** Nesting of groups and of classes; deeper patterns would not fit the stack of every engine. */
const DEPTH_MAX = 500;
const INT_MAX = 2_147_483_647;

/**
 * Parses a pattern into its syntax tree; `flags` is a sum of bits of `FLAG`.
 * @throws OperationError `pattern_syntax_exception`, in Java's words.
 */
export function parseJavaPattern(source: string, flags: number): Syntax {
  return new PatternParser(source, flags).run();
}

class PatternParser {
  private at = 0;
  private depth = 0;
  private groupCount = 0;
  private readonly groupNames = new Map<string, number>();
  private readonly source: string;
  private flags: number;

  constructor(source: string, flags: number) {
    this.source = source;
    this.flags = flags;
  }

  run(): Syntax {
    if (this.has(FLAG.LITERAL)) {
      const parts = [...this.source].map((text) => this.literal(text.codePointAt(0) as number));
      return { node: { kind: "all-of", parts }, groupCount: 0, groupNames: new Map() };
    }
    const node = this.alternatives();
    if (this.isMore()) throw this.error("Unmatched closing ')'", this.at - 1);
    return { node, groupCount: this.groupCount, groupNames: this.groupNames };
  }

  private alternatives(): Node {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) throw this.error("Too many groups in groups", this.at);
    const { flags } = this;
    const parts = [this.sequence()];
    while (this.take("|")) parts.push(this.sequence());
    this.flags = flags;
    this.depth -= 1;
    return parts.length === 1 ? (parts[0] as Node) : { kind: "any-of", parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    for (;;) {
      this.skipComments();
      if (!this.isMore() || this.peek() === "|" || this.peek() === ")") break;
      if (this.source.startsWith("\\Q", this.at)) {
        appendAll(parts, this.quoted());
        continue;
      }
      const part = this.atom();
      if (part !== undefined) parts.push(this.quantified(part));
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: "all-of", parts };
  }

  /** `\Q…\E`; a quantifier after it belongs to the last character. */
  private quoted(): Node[] {
    const end = this.source.indexOf("\\E", this.at + 2);
    const text = this.source.slice(this.at + 2, end < 0 ? undefined : end);
    this.at = end < 0 ? this.source.length : end + 2;
    const parts = [...text].map((one) => this.literal(one.codePointAt(0) as number));
    const last = parts.pop();
    return last === undefined ? [] : [...parts, this.quantified(last)];
  }

  private atom(): Node | undefined {
    const char = this.peek();
    switch (char) {
      case "(":
        return this.group();
      case "[":
        this.at += 1;
        return { kind: "set", set: this.characterClass() };
      case "\\":
        return this.escape();
      case ".":
        this.at += 1;
        return { kind: "set", set: this.dot() };
      case "^":
        this.at += 1;
        return this.anchor(this.has(FLAG.MULTILINE) ? "line-start" : "text-start");
      case "$":
        this.at += 1;
        return this.anchor(this.has(FLAG.MULTILINE) ? "line-end" : "last-line-end");
      case "*":
      case "+":
      case "?":
        throw this.error(`Dangling meta character '${char}'`, this.at);
      case "{":
        // At the beginning of a pattern it quantifies an empty one.
        return { kind: "all-of", parts: [] };
      default:
        return this.literal(this.next());
    }
  }

  private dot(): CharSet {
    if (this.has(FLAG.DOTALL)) return ANY;
    return complementSet(this.has(FLAG.UNIX_LINES) ? rangeSet(10, 10) : LINE_ENDS);
  }

  private anchor(anchor: Anchor): Node {
    return { kind: "anchor", anchor, isUnixLines: this.has(FLAG.UNIX_LINES) };
  }

  private literal(code: number): Node {
    const set = this.folded(rangeSet(code, code));
    return code > 0xffff ? { kind: "set", set, width: 2 } : { kind: "set", set };
  }

  private folded(set: CharSet): CharSet {
    if (!this.has(FLAG.CASE_INSENSITIVE)) return set;
    return foldedSet(set, this.has(FLAG.UNICODE_CASE));
  }

  // ---------------------------------------------------------------------------------------- quantifiers

  private quantified(part: Node): Node {
    this.skipComments();
    const bounds = this.bounds();
    if (bounds === undefined) return part;
    const mode: Mode = this.take("?") ? "lazy" : this.take("+") ? "possessive" : "greedy";
    return { kind: "repeat", part, ...bounds, mode };
  }

  private bounds(): { min: number; max: number } | undefined {
    if (this.take("?")) return { min: 0, max: 1 };
    if (this.take("*")) return { min: 0, max: Infinity };
    if (this.take("+")) return { min: 1, max: Infinity };
    if (this.peek() !== "{") return undefined;
    const start = this.at;
    this.at += 1;
    const min = this.digits();
    if (min === undefined) throw this.error("Illegal repetition", start + 1);
    const max = this.take(",") ? (this.digits() ?? Infinity) : min;
    if (!this.take("}")) throw this.error("Unclosed counted closure", this.at);
    if (max < min) throw this.error("Illegal repetition range", this.at - 1);
    return { min, max };
  }

  private digits(): number | undefined {
    const start = this.at;
    while (/[0-9]/.test(this.peek())) this.at += 1;
    if (this.at === start) return undefined;
    const value = Number(this.source.slice(start, this.at));
    if (value > INT_MAX) throw this.error("Illegal repetition range", this.at);
    return value;
  }

  // ---------------------------------------------------------------------------------------- groups

  private group(): Node | undefined {
    this.at += 1;
    if (!this.take("?")) {
      this.groupCount += 1;
      return this.closed({ kind: "group", number: this.groupCount });
    }
    const char = this.peek();
    this.at += 1;
    switch (char) {
      case ":":
        return this.body();
      case "=":
      case "!":
        return this.closed({ kind: "look", isBehind: false, isNegated: char === "!" });
      case ">":
        return this.closed({ kind: "atomic" });
      case "<":
        return this.behindOrNamed();
      default:
        this.at -= 1;
        return this.inlineFlags();
    }
  }

  private closed(
    head:
      | { kind: "group"; number: number }
      | { kind: "look"; isBehind: boolean; isNegated: boolean }
      | { kind: "atomic" },
  ): Node {
    return { ...head, part: this.body() };
  }

  private body(): Node {
    const { flags } = this;
    const node = this.alternatives();
    if (!this.take(")")) throw this.error("Unclosed group", this.at);
    this.flags = flags;
    return node;
  }

  private behindOrNamed(): Node {
    const char = this.peek();
    if (char === "=" || char === "!") {
      this.at += 1;
      const node = this.closed({ kind: "look", isBehind: true, isNegated: char === "!" });
      if (node.kind === "look" && lengthOf(node.part).max >= 2 * LONG) {
        throw this.error("Look-behind group does not have an obvious maximum length", this.at - 2);
      }
      return node;
    }
    if (!/[a-zA-Z]/.test(char)) throw this.error("Unknown look-behind group", this.at);
    const name = this.groupName();
    if (this.groupNames.has(name)) {
      throw this.error(`Named capturing group <${name}> is already defined`, this.at - 1);
    }
    this.groupCount += 1;
    this.groupNames.set(name, this.groupCount);
    return this.closed({ kind: "group", number: this.groupCount });
  }

  /** Ends behind the `>`. */
  private groupName(): string {
    const start = this.at;
    if (!/[a-zA-Z]/.test(this.peek()))
      throw this.error("capturing group name does not start with a Latin letter", this.at);
    while (/[a-zA-Z0-9]/.test(this.peek())) this.at += 1;
    const name = this.source.slice(start, this.at);
    if (!this.take(">")) throw this.error("named capturing group is missing trailing '>'", this.at);
    return name;
  }

  /** `(?i)` is valid to the end of the enclosing group, `(?i:…)` within its own. */
  private inlineFlags(): Node | undefined {
    const before = this.flags;
    let isOff = false;
    for (;;) {
      const char = this.peek();
      const flag = INLINE.get(char);
      if (flag !== undefined) this.flags = isOff ? this.flags & ~flag : this.flags | flag;
      else if (char === "-" && !isOff) isOff = true;
      else break;
      this.at += 1;
    }
    if (this.take(")")) return undefined;
    if (!this.take(":")) throw this.error("Unknown inline modifier", this.at);
    const node = this.body();
    this.flags = before;
    return node;
  }

  // ---------------------------------------------------------------------------------------- escapes

  private escape(): Node {
    const start = this.at;
    const letter = this.source.charAt(start + 1);
    if (/[1-9]/.test(letter)) return this.backReference();
    const anchor = ANCHORS.get(letter);
    if (anchor !== undefined) {
      this.at += 2;
      return this.anchor(anchor);
    }
    if (letter === "k") return this.namedReference();
    if (letter === "R") {
      this.at += 2;
      const codes = (first: number, second: number): Node => ({
        kind: "all-of",
        parts: [first, second].map((code) => ({ kind: "set", set: rangeSet(code, code) })),
      });
      return { kind: "any-of", parts: [codes(13, 10), { kind: "set", set: VERTICAL }] };
    }
    const set = this.escapedClass();
    if (set !== undefined) return { kind: "set", set };
    return this.literal(this.escapedCharacter());
  }

  private backReference(): Node {
    this.at += 1;
    let group = Number(this.peek());
    this.at += 1;
    while (/[0-9]/.test(this.peek())) {
      const longer = group * 10 + Number(this.peek());
      if (longer > this.groupCount) break;
      group = longer;
      this.at += 1;
    }
    return this.reference(group);
  }

  private namedReference(): Node {
    this.at += 2;
    if (!this.take("<"))
      throw this.error("\\k is not followed by '<' for named capturing group", this.at);
    const name = this.groupName();
    const group = this.groupNames.get(name);
    if (group === undefined)
      throw this.error(`named capturing group <${name}> does not exist`, this.at);
    return this.reference(group);
  }

  private reference(group: number): Node {
    const fold = !this.has(FLAG.CASE_INSENSITIVE)
      ? "none"
      : this.has(FLAG.UNICODE_CASE)
        ? "unicode"
        : "ascii";
    return { kind: "back-reference", group, fold };
  }

  /** `\d`, `\p{L}`; begins at the backslash. */
  private escapedClass(): CharSet | undefined {
    const letter = this.source.charAt(this.at + 1);
    if (letter === "p" || letter === "P") {
      this.at += 2;
      const set = this.property();
      return letter === "P" ? complementSet(set) : set;
    }
    const set = this.predefined(letter.toLowerCase());
    if (set === undefined) return undefined;
    this.at += 2;
    return letter === letter.toLowerCase() ? set : complementSet(set);
  }

  private predefined(letter: string): CharSet | undefined {
    const isUnicode = this.has(FLAG.UNICODE_CHARACTER_CLASS);
    const unicode = (name: string): CharSet => propertySet(name) ?? ANY;
    switch (letter) {
      case "d":
        return isUnicode ? unicode("IsDigit") : DIGITS;
      case "w":
        if (!isUnicode) return WORD;
        return unionOf(["IsAlphabetic", "M", "IsDigit", "Pc"].map(unicode));
      case "s":
        return isUnicode ? unicode("IsWhite_Space") : SPACES;
      case "h":
        return HORIZONTAL;
      case "v":
        return VERTICAL;
      default:
        return undefined;
    }
  }

  private property(): CharSet {
    let name = this.peek();
    if (this.take("{")) {
      const end = this.source.indexOf("}", this.at);
      if (end < 0) throw this.error("Unclosed character family", this.source.length - 1);
      name = this.source.slice(this.at, end);
      this.at = end + 1;
      if (name === "") throw this.error("Empty character family", this.at - 1);
    } else {
      this.at += 1;
    }
    const set = propertySet((this.has(FLAG.UNICODE_CHARACTER_CLASS) && UNICODE.get(name)) || name);
    if (set === undefined) {
      throw this.error(`Unknown character property name {${name}}`, this.at - 1);
    }
    if (!this.has(FLAG.CASE_INSENSITIVE)) return set;
    if (name === "Lower" || name === "Upper") return propertySet("Alpha") ?? set;
    return CASES.has(name) ? unionOf(LETTER_CASES.map((one) => propertySet(one) ?? set)) : set;
  }

  /** Begins at the backslash. */
  private escapedCharacter(): number {
    const start = this.at;
    this.at += 1;
    if (!this.isMore()) throw this.error("Unexpected internal error", this.at);
    const letter = this.peek();
    const control = CONTROLS.get(letter);
    if (control !== undefined) {
      this.at += 1;
      return control;
    }
    if (letter === "0") return this.octal();
    if (letter === "x") return this.hexadecimal();
    if (letter === "u") return this.unicode();
    if (letter === "c") {
      if (start + 2 >= this.source.length)
        throw this.error("Illegal control escape sequence", this.at + 1);
      this.at += 1;
      return this.next() ^ 64;
    }
    if (/[a-zA-Z]/.test(letter)) throw this.error("Illegal/unsupported escape sequence", this.at);
    return this.next();
  }

  private octal(): number {
    const digits = /^[0-3]?[0-7]{1,2}/.exec(this.source.slice(this.at + 1, this.at + 4))?.[0];
    if (digits === undefined) throw this.error("Illegal octal escape sequence", this.at + 1);
    this.at += 1 + digits.length;
    return Number.parseInt(digits, 8);
  }

  private hexadecimal(): number {
    const rest = this.source.slice(this.at + 1, this.at + 12);
    const digits = /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,8})\})/.exec(rest);
    const code = Number.parseInt(digits?.[1] ?? digits?.[2] ?? "", 16);
    if (digits === null || code > 0x10ffff) {
      throw this.error("Illegal hexadecimal escape sequence", this.at + 1);
    }
    this.at += 1 + digits[0].length;
    return code;
  }

  private unicode(): number {
    const digits = /^[0-9a-fA-F]{4}/.exec(this.source.slice(this.at + 1, this.at + 5))?.[0];
    if (digits === undefined) throw this.error("Illegal Unicode escape sequence", this.at + 1);
    this.at += 5;
    const code = Number.parseInt(digits, 16);
    const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.source.slice(this.at, this.at + 6));
    if (code < 0xd800 || code > 0xdbff || low === null) return code;
    this.at += 6;
    return 0x10000 + ((code - 0xd800) << 10) + (Number.parseInt(low[1] ?? "", 16) - 0xdc00);
  }

  // ---------------------------------------------------------------------------------------- classes

  /** From behind `[` to behind `]`. `&&` binds less than juxtaposition. */
  private characterClass(): CharSet {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) throw this.error("Too many classes in classes", this.at);
    const isNegated = this.take("^");
    const all: CharSet[] = [];
    let side: CharSet[] = [];
    let isFirst = true;
    for (;;) {
      this.skipComments();
      if (!this.isMore()) throw this.error("Unclosed character class", this.source.length - 1);
      if (this.source.startsWith("&&", this.at)) {
        while (this.peek() === "&") this.at += 1;
        if (side.length > 0) all.push(unionOf(side));
        side = [];
        isFirst = false;
        continue;
      }
      if (this.peek() === "]" && (!isFirst || side.length > 0)) break;
      side.push(this.classItem());
      isFirst = false;
    }
    this.at += 1;
    this.depth -= 1;
    if (side.length > 0) all.push(unionOf(side));
    if (all.length === 0) throw this.error("Bad class syntax", this.at - 1);
    const set = all.length === 1 ? (all[0] as CharSet) : intersectionOf(all);
    return isNegated ? complementSet(set) : set;
  }

  private classItem(): CharSet {
    if (this.take("[")) return this.characterClass();
    if (this.source.startsWith("\\Q", this.at)) return this.quotedClass();
    if (this.peek() === "\\") {
      const set = this.escapedClass();
      if (set !== undefined) return set;
    }
    const first = this.classCharacter();
    const next = this.source.charAt(this.at + 1);
    if (this.peek() !== "-" || next === "]" || next === "[" || next === "")
      return this.folded(rangeSet(first, first));
    const start = this.at;
    this.at += 1;
    const last = this.classCharacter();
    if (last < first) throw this.error("Illegal character range", start + 1);
    return this.folded(rangeSet(first, last));
  }

  private quotedClass(): CharSet {
    const end = this.source.indexOf("\\E", this.at);
    if (end < 0) throw this.error("Unclosed character class", this.source.length - 1);
    const text = this.source.slice(this.at + 2, end);
    this.at = end + 2;
    return this.folded(
      unionOf(
        [...text].map((one) => one.codePointAt(0) as number).map((code) => rangeSet(code, code)),
      ),
    );
  }

  private classCharacter(): number {
    return this.peek() === "\\" ? this.escapedCharacter() : this.next();
  }

  // ---------------------------------------------------------------------------------------- characters

  private skipComments(): void {
    if (!this.has(FLAG.COMMENTS)) return;
    for (;;) {
      if (/[ \t-\r]/.test(this.peek())) this.at += 1;
      else if (this.peek() === "#") {
        while (this.isMore() && !LINE_ENDS.has(this.source.charCodeAt(this.at))) this.at += 1;
      } else return;
    }
  }

  private next(): number {
    const code = this.source.codePointAt(this.at) ?? 0;
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  private peek(): string {
    return this.source.charAt(this.at);
  }

  private isMore(): boolean {
    return this.at < this.source.length;
  }

  private take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at += 1;
    return true;
  }

  private has(flag: number): boolean {
    return (this.flags & flag) !== 0;
  }

  /** A problem as `PatternSyntaxException.getMessage` words it. */
  private error(what: string, at: number): OperationError {
    // Java's index counts code points before the error, and code units behind the end.
    if (at < 0) return syntaxError(`${what}\n${this.source}`);
    const index = [...this.source.slice(0, at)].length + Math.max(0, at - this.source.length);
    const mark = index < this.source.length ? `\n${" ".repeat(index)}^` : "";
    const reason = `${what} near index ${index}\n${this.source}${mark}`;
    return syntaxError(reason);
  }
}

function syntaxError(reason: string): OperationError {
  return new OperationError({ type: "pattern_syntax_exception", reason, status: 400 });
}

/** The properties that POSIX names mean with the flag `U`. */
const UNICODE: ReadonlyMap<string, string> = new Map([
  ["Lower", "IsLowercase"],
  ["Upper", "IsUppercase"],
  ["Alpha", "IsAlphabetic"],
  ["Digit", "IsDigit"],
  ["Punct", "IsPunctuation"],
  ["Space", "IsWhite_Space"],
  ["Alnum", "javaLetterOrDigit"],
]);

const LETTER_CASES = ["Lu", "Ll", "Lt"];

/** Properties that mean letters of any case where case is ignored. */
const CASES = new Set([
  ...LETTER_CASES,
  ...["javaLowerCase", "javaUpperCase", "javaTitleCase"],
  ...["IsLowercase", "IsUppercase", "IsTitlecase"],
]);

const ANCHORS: ReadonlyMap<string, Anchor> = new Map([
  ["A", "text-start"],
  ["z", "text-end"],
  ["Z", "last-line-end"],
  ["b", "boundary"],
  ["B", "no-boundary"],
  ["G", "search-start"],
]);

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["n", 10],
  ["r", 13],
  ["f", 12],
  ["a", 7],
  ["e", 27],
]);
