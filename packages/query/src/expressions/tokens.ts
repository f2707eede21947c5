/**
 * Splits an expression into tokens one at a time, so that a bad character is reported only when the
 * parser gets to it.
 */
import { SyntaxFailure } from "./failures.ts";

export interface Token {
  readonly kind: "variable" | "decimal" | "hex" | "octal" | "symbol" | "end";
  readonly text: string;
  /** The offset in characters, from 0. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const SPACE = /[ \t\n\r]+/y;
const NAME = "[_$a-zA-Z][_$a-zA-Z0-9]*";
const INDEX = String.raw`\[(?:'(?:\\'|\\\\|[^\\'])*'|"(?:\\"|\\\\|[^\\"])*"|0|[1-9][0-9]*)\]`;
const VARIABLE = new RegExp(`${NAME}(?:${INDEX})*(?:\\.${NAME}(?:${INDEX})*)*`, "y");
const HEX = /0[xX][0-9a-fA-F]+/y;
const OCTAL = /0[0-7]+/y;
const DECIMAL = /(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const SYMBOL = />>>|<<|>>|<=|>=|==|!=|&&|\|\||[()+\-*/%<>&|^!~?:,]/y;

/** Characters that start a token but are not one alone. */
const BEGINNINGS = new Set(["=", "."]);

export class Tokens {
  private readonly source: string;
  private at = 0;
  private offset = 0;
  private line = 1;
  private column = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** @throws SyntaxFailure for a character that starts no token */
  next(): Token {
    const space = this.match(SPACE);
    if (space !== undefined) this.pass(space);
    const place = { offset: this.offset, line: this.line, column: this.column };
    if (this.at >= this.source.length) return { kind: "end", text: "<EOF>", ...place };
    const found =
      this.take("variable", VARIABLE) ??
      this.take("hex", HEX) ??
      this.take("octal", OCTAL) ??
      this.take("decimal", DECIMAL) ??
      this.take("symbol", SYMBOL);
    if (found === undefined) throw this.unexpected();
    this.pass(found.text);
    return { ...found, ...place };
  }

  private take(kind: Token["kind"], pattern: RegExp): Pick<Token, "kind" | "text"> | undefined {
    const text = this.match(pattern);
    return text === undefined ? undefined : { kind, text };
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0];
  }

  /** Moves past `text` and counts characters and lines. */
  private pass(text: string): void {
    this.at += text.length;
    for (const char of text) {
      this.offset += 1;
      this.column += 1;
      if (char !== "\n") continue;
      this.line += 1;
      this.column = 0;
    }
  }

  private unexpected(): SyntaxFailure {
    const [first = "", second = ""] = this.source.slice(this.at, this.at + 4);
    const shown = escaped(BEGINNINGS.has(first) ? first + second : first);
    return new SyntaxFailure(
      `unexpected character '${shown}' on line (${this.line}) position (${this.column})`,
      this.offset,
      { type: "lexer_no_viable_alt_exception", reason: null, status: 500 },
    );
  }
}

function escaped(text: string): string {
  return text.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r");
}
