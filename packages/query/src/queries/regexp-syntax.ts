/** Lucene's regular expressions as the engine's: `@`, `#`, `~`, `&`, `<1-9>`, quoted texts. Source: `RegExp`. */
import { illegalArgument } from "@orrery/stdx";
import { escapeRegex } from "./term-plan.ts";

/** Throws `illegal_argument_exception` for bad syntax. */
export function regexpMatcher(
  pattern: string,
  caseInsensitive: boolean,
): (term: string) => boolean {
  const source = new Translation(pattern).run();
  const regex = new RegExp(`^(?:${source})$`, caseInsensitive ? "isu" : "su");
  return (term) => regex.test(term);
}

class Translation {
  private at = 0;
  private readonly pattern: string;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  run(): string {
    if (this.pattern === "") return "";
    const source = this.union();
    if (this.at < this.pattern.length)
      throw illegalArgument(`end-of-string expected at position ${this.at}`);
    return source;
  }

  private union(): string {
    let source = this.intersection();
    while (this.take("|")) source += `|${this.intersection()}`;
    return source;
  }

  private intersection(): string {
    let source = this.concatenation();
    // What follows must match what the left side matched: the left becomes a look-ahead over the same stretch.
    while (this.take("&")) source = `(?=(?:${source})$)(?:${this.concatenation()})`;
    return source;
  }

  private concatenation(): string {
    let source = "";
    while (this.at < this.pattern.length && !"|&)".includes(this.pattern.charAt(this.at)))
      source += this.repeat();
    return source;
  }

  private repeat(): string {
    let source = this.complement();
    for (;;) {
      if (this.take("?")) source = `(?:${source})?`;
      else if (this.take("*")) source = `(?:${source})*`;
      else if (this.take("+")) source = `(?:${source})+`;
      else if (this.pattern.charAt(this.at) === "{") source = `(?:${source})${this.braces()}`;
      else return source;
    }
  }

  private braces(): string {
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.pattern.slice(this.at));
    if (match === null) throw illegalArgument(`integer expected at position ${this.at + 1}`);
    this.at += match[0].length;
    return match[0];
  }

  private complement(): string {
    if (!this.take("~")) return this.characterClass();
    return `(?!(?:${this.complement()})$)[\\s\\S]*`;
  }

  private characterClass(): string {
    if (!this.take("[")) return this.simple();
    let source = this.take("^") ? "[^" : "[";
    do {
      const from = this.character();
      source += escapeRegex(from);
      if (this.pattern.charAt(this.at) === "-" && this.pattern.charAt(this.at + 1) !== "]") {
        this.at += 1;
        source += `-${escapeRegex(this.character())}`;
      }
    } while (this.at < this.pattern.length && this.pattern.charAt(this.at) !== "]");
    if (!this.take("]")) throw illegalArgument(`expected ']' at position ${this.at}`);
    return `${source}]`;
  }

  private character(): string {
    this.take("\\");
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    if (this.at >= this.pattern.length) throw illegalArgument("unexpected end-of-string");
    this.at += char.length;
    return char;
  }

  private simple(): string {
    if (this.take(".")) return ".";
    if (this.take("#")) return "(?!)";
    if (this.take("@")) return "[\\s\\S]*";
    if (this.take('"')) return this.quoted();
    if (this.take("(")) {
      if (this.take(")")) return "";
      const source = this.union();
      if (!this.take(")")) throw illegalArgument(`expected ')' at position ${this.at}`);
      return `(?:${source})`;
    }
    if (this.pattern.charAt(this.at) === "<") return this.interval();
    if (
      this.pattern.charAt(this.at) === "\\" &&
      /[wWsSdD]/.test(this.pattern.charAt(this.at + 1))
    ) {
      this.at += 2;
      return this.pattern.slice(this.at - 2, this.at);
    }
    return escapeRegex(this.character());
  }

  private quoted(): string {
    const end = this.pattern.indexOf('"', this.at);
    if (end < 0) throw illegalArgument(`expected '"' at position ${this.pattern.length}`);
    const text = this.pattern.slice(this.at, end);
    this.at = end + 1;
    return escapeRegex(text);
  }

  private interval(): string {
    const match = /^<(\d+)-(\d+)>/.exec(this.pattern.slice(this.at));
    if (match === null) throw illegalArgument(`interval syntax error at position ${this.at}`);
    this.at += match[0].length;
    const [low, high] = [Number(match[1]), Number(match[2])].toSorted((a, b) => a - b) as [
      number,
      number,
    ];
    const isPadded = match[1]?.length === match[2]?.length;
    if (high - low > 10_000) throw illegalArgument("interval is too large");
    const width = isPadded ? (match[1]?.length ?? 0) : 0;
    const numbers = Array.from({ length: high - low + 1 }, (_, i) =>
      String(low + i).padStart(width, "0"),
    );
    return `(?:${isPadded ? "" : "0*"}(?:${numbers.join("|")}))`;
  }

  private take(char: string): boolean {
    if (this.pattern.charAt(this.at) !== char || char === "") return false;
    this.at += 1;
    return true;
  }
}
