/**
 * The exact JSON parser. Every number stays a literal, and errors are reported like Jackson's, with
 * the byte offset.
 *
 * Dynamic mapping needs the literals (`1.0` is a float), and so do keyword fields (`1.50` keeps its
 * zero).
 */
import { inOrder, isPlace } from "./key-order.ts";
import { fail, OperationError, setKey, utf8Encode, type Problem } from "@orrery/stdx";

export const QUOTE = 34;
export const BACKSLASH = 92;

/**
 * The limit of digits in a number, including the exponent. Converting millions of digits would take
 * seconds.
 */
const MAX_DIGITS = 1000;

/**
 * Parses an optional sign and digits. A longer number than `MAX_DIGITS` is cut, which leaves it out
 * of every type's range.
 */
export function integerOf(text: string): bigint {
  const digits = text.startsWith("+") ? text.slice(1) : text;
  return BigInt(digits.length > MAX_DIGITS ? cut(digits) : digits);
}

function cut(digits: string): string {
  const sign = digits.startsWith("-") ? "-" : "";
  const significant = digits.slice(sign.length).replace(/^0+(?=\d)/, "");
  return `${sign}${significant.slice(0, MAX_DIGITS)}`;
}

/** A number exactly as written. */
export class JsonLiteral {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  get isInteger(): boolean {
    return !/[.eE]/.test(this.text);
  }
  /** The value: a bigint for an integer beyond 2^53, a double for any other number. */
  get value(): number | bigint {
    const number = Number(this.text);
    return this.isInteger && !Number.isSafeInteger(number) ? BigInt(this.text) : number;
  }
}

/** Parsed JSON whose numbers may be literals. */
export type JsonTree =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonLiteral
  | readonly JsonTree[]
  | { readonly [key: string]: JsonTree };

/**
 * Prints a value as Java's `toString` does (`{a=1, b=[x, y]}`), but numbers as they were written.
 */
export function treeText(value: JsonTree): string {
  if (value instanceof JsonLiteral) return value.text;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonTree[]).map(treeText).join(", ")}]`;
  const entries = Object.entries(value as { readonly [key: string]: JsonTree });
  return `{${entries.map(([key, item]) => `${key}=${treeText(item)}`).join(", ")}}`;
}

/** The greatest depth of nested objects and arrays. */
export const MAX_NESTING = 1000;

/** Describes bytes that are a part of a larger text. */
export interface PartOfText {
  /** Added to the byte offsets of error messages. */
  readonly shift: number;
  /** The depth of the object that `isTaken` is about. */
  readonly depth: number;
  /** True for keys of that object that occur elsewhere in the text. */
  readonly isTaken: (key: string) => boolean;
  /** True to keep lone surrogates; otherwise each becomes `?`, as in Java's encoder. */
  readonly keepsHalves?: boolean;
}

const wholeText: PartOfText = { shift: 0, depth: 0, isTaken: () => false };

/** Options for a whole text whose tree will be printed again: lone surrogates are kept. */
export const losslessText: PartOfText = { ...wholeText, keepsHalves: true };

/**
 * Parses with the exact parser. `bytes` is used for the offsets in errors only.
 * @throws OperationError 400
 */
export function readJson(text: string, bytes: Uint8Array, part: PartOfText = wholeText): JsonTree {
  if (text.includes("\ufffd")) refuseBrokenText(text, bytes, part.shift);
  const reader = new ExactReader(text, bytes, part);
  const value = reader.readValue();
  reader.finish();
  return value;
}

/**
 * @throws OperationError 400 if `bytes` are not UTF-8
 *
 * U+FFFD may be in the text itself, so the encoded text is compared with the bytes. A character cut
 * off at the end is left to the parser, which reports an unterminated string.
 */
function refuseBrokenText(text: string, bytes: Uint8Array, shift: number): void {
  const sound = utf8Encode(text);
  const start = sound.findIndex((byte, i) => byte !== bytes[i]);
  if (start < 0) return;
  const at = brokenByte(bytes, start);
  const byte = bytes[at];
  if (byte === undefined) return;
  const what = `Invalid UTF-8 ${at === start ? "start" : "middle"} byte 0x${byte.toString(16)}`;
  const reason = `${what}\n at ${source(shift + at)}`;
  const type = "json_parse_exception";
  const causedBy: Problem = { type: "stream_read_exception", reason, status: 400 };
  fail({ type, reason, status: 400, causedBy });
}

/**
 * Returns the first invalid byte of the character at `start`; the length of the text if it is cut
 * off.
 */
function brokenByte(bytes: Uint8Array, start: number): number {
  const first = bytes[start] ?? 0;
  if (first < 0xc2 || first > 0xf4) return start;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let at = start + 1; at < start + length; at += 1) {
    const byte = bytes[at];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return at;
  }
  // A surrogate or an overlong form: the second byte is out of its range.
  return start + 1;
}

const openTokens = new Map([
  ["{", "START_OBJECT"],
  ["[", "START_ARRAY"],
]);

function scalarToken(value: JsonTree): string {
  if (value === null) return "VALUE_NULL";
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  return typeof value === "string" ? "VALUE_STRING" : "VALUE_NUMBER";
}

/** Replaces lone surrogates, as Java's encoder does. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "?");
}

class ExactReader {
  private at = 0;
  private depth = 0;
  private readonly text: string;
  private readonly bytes: Uint8Array;
  private readonly part: PartOfText;

  constructor(text: string, bytes: Uint8Array, part: PartOfText) {
    this.text = text;
    this.bytes = bytes;
    this.part = part;
  }

  readValue(): JsonTree {
    this.skipBlanks();
    const char = this.text.charAt(this.at);
    if (char === "{" || char === "[") return this.readNested(char);
    if (char === '"') return this.readString();
    if (char === "-" || (char >= "0" && char <= "9")) return this.readNumber();
    if (char === "") this.endOfInput(" within/between Object entries");
    return this.readWord();
  }

  private readNested(open: string): JsonTree {
    this.depth += 1;
    if (this.depth > MAX_NESTING) throw tooDeep();
    const value = open === "{" ? this.readObject() : this.readArray();
    this.depth -= 1;
    return value;
  }

  /** Rejects text after the value, which the error names by its first token. */
  finish(): void {
    this.skipBlanks();
    const char = this.text.charAt(this.at);
    if (char === "") return;
    if (char === "}" || char === "]") {
      const kind = char === "}" ? "Object" : "Array";
      const what = `Unexpected close marker '${char}': no open ${kind} to close`;
      this.broken("json_parse_exception", what);
    }
    const token = openTokens.get(char) ?? scalarToken(this.readValue());
    const reason = `Malformed content, found extra data after parsing: ${token}`;
    fail({ type: "illegal_argument_exception", reason, status: 400 });
  }

  private readObject(): JsonTree {
    const object: Record<string, JsonTree> = {};
    /** The keys in order, once JavaScript would reorder them. */
    let order: string[] | undefined;
    this.at += 1;
    this.skipBlanks();
    if (this.text.charAt(this.at) === "}") {
      this.at += 1;
      return object;
    }
    for (;;) {
      this.skipBlanks();
      const char = this.text.charAt(this.at);
      if (char === "") this.endOfInput(closeMarker("Object"));
      if (char !== '"') this.unexpected("was expecting double-quote to start property name");
      const key = this.readString();
      if (Object.hasOwn(object, key) || (this.depth === this.part.depth && this.part.isTaken(key)))
        this.broken("json_parse_exception", `Duplicate Object property "${key}"`);
      this.skipBlanks();
      if (this.at >= this.text.length) this.endOfInput(closeMarker("Object"));
      if (this.text.charAt(this.at) !== ":")
        this.unexpected("was expecting a colon to separate property name and value");
      this.at += 1;
      if (order === undefined && isPlace(key)) order = Object.keys(object);
      order?.push(key);
      setKey(object, key, this.readValue());
      this.skipBlanks();
      const next = this.text.charAt(this.at);
      this.at += 1;
      if (next === "}") return order === undefined ? object : inOrder(object, order);
      if (next === "") this.endOfInput(closeMarker("Object"));
      if (next !== ",") {
        this.at -= 1;
        this.unexpected("was expecting comma to separate Object entries");
      }
    }
  }

  private readArray(): JsonTree {
    const items: JsonTree[] = [];
    this.at += 1;
    this.skipBlanks();
    if (this.text.charAt(this.at) === "]") {
      this.at += 1;
      return items;
    }
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.text.length) this.endOfInput(closeMarker("Array"));
      items.push(this.readValue());
      this.skipBlanks();
      const next = this.text.charAt(this.at);
      this.at += 1;
      if (next === "]") return items;
      if (next === "") this.endOfInput(closeMarker("Array"));
      if (next !== ",") {
        this.at -= 1;
        this.unexpected("was expecting comma to separate Array entries");
      }
    }
  }

  private readString(): string {
    const start = this.at;
    let end = start + 1;
    for (;;) {
      const code = this.text.charCodeAt(end);
      if (Number.isNaN(code)) this.endOfInput(" in VALUE_STRING");
      if (code === QUOTE) break;
      if (code < 32) {
        this.at = end;
        this.broken(
          "json_parse_exception",
          `Illegal unquoted character ((CTRL-CHAR, code ${code})): has to be escaped using backslash to be included in string value`,
        );
      }
      end += code === BACKSLASH ? 2 : 1;
    }
    this.at = end + 1;
    const raw = this.text.slice(start, end + 1);
    if (!raw.includes("\\")) return raw.slice(1, -1);
    try {
      const text = JSON.parse(raw) as string;
      return this.part.keepsHalves === true ? text : wellFormed(text);
    } catch {
      // Only an escape can be invalid in a text between quotes.
      const escape = badEscape(raw);
      return this.broken(
        "json_parse_exception",
        `Unrecognized character escape '${escape}' (code ${escape.charCodeAt(0)})`,
      );
    }
  }

  private readNumber(): JsonTree {
    const start = this.at;
    if (this.text.charAt(this.at) === "-") this.at += 1;
    let digits = this.text.charAt(this.at) === "0" ? 1 : this.digitsAt(this.at);
    if (digits === 0)
      return this.unexpected("Expected digit (0-9) to follow minus sign, for valid numeric value");
    this.at += digits;
    if (this.text.charAt(this.at) === ".") {
      const fraction = this.digitsAt(this.at + 1);
      if (fraction > 0) this.at += 1 + fraction;
      digits += fraction;
    }
    if (/[eE]/.test(this.text.charAt(this.at))) {
      const signed = /[+-]/.test(this.text.charAt(this.at + 1)) ? 2 : 1;
      const exponent = this.digitsAt(this.at + signed);
      if (exponent > 0) this.at += signed + exponent;
      digits += exponent;
    }
    if (digits > MAX_DIGITS) throw tooLong(digits);
    const literal = this.text.slice(start, this.at);
    const next = this.text.charAt(this.at);
    if (/[0-9]/.test(next) && literal.endsWith("0")) {
      this.broken("json_parse_exception", "Invalid numeric value: Leading zeroes not allowed");
    }
    if (next === ".") {
      this.at += 1;
      this.unexpected("Decimal point not followed by a digit");
    }
    return new JsonLiteral(literal);
  }

  /**
   * Returns the number of digits in a row. A loop, because a regular expression may overflow the
   * stack.
   */
  private digitsAt(start: number): number {
    let end = start;
    for (;;) {
      const code = this.text.charCodeAt(end);
      if (!(code >= 48 && code <= 57)) return end - start;
      end += 1;
    }
  }

  private readWord(): JsonTree {
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const) {
      if (
        this.text.startsWith(word, this.at) &&
        !/\w/.test(this.text.charAt(this.at + word.length))
      ) {
        this.at += word.length;
        return value;
      }
    }
    const word = /^[A-Za-z_$][\w$]*/.exec(this.text.slice(this.at, this.at + 256))?.[0];
    if (word === undefined) {
      return this.unexpected(
        "expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
      );
    }
    this.at += word.length;
    return this.broken(
      "json_parse_exception",
      `Unrecognized token '${word}': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')`,
    );
  }

  private skipBlanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at += 1;
    }
  }

  private unexpected(expectation: string): never {
    const char = this.text.charAt(this.at);
    const reason = `Unexpected character ('${char}' (code ${this.text.charCodeAt(this.at)})): ${expectation}`;
    return this.broken("json_parse_exception", reason);
  }

  private endOfInput(where: string): never {
    this.at = this.text.length;
    return this.broken("unexpected_end_of_input_exception", `Unexpected end-of-input${where}`);
  }

  private broken(type: string, what: string): never {
    const offset = this.at >= this.text.length ? this.bytes.length : this.byteOffset();
    const reason = `${what}\n at ${source(offset + this.part.shift)}`;
    const inner = type === "json_parse_exception" ? "stream_read_exception" : type;
    const causedBy: Problem = { type: inner, reason, status: 400 };
    return fail({ type, reason, status: 400, causedBy });
  }

  /** Converts `at` to an offset in UTF-8. */
  private byteOffset(): number {
    let offset = 0;
    for (let i = 0; i < this.at; i += 1) {
      const code = this.text.charCodeAt(i);
      // A surrogate pair is four bytes: two for each half.
      if (code < 0x80) offset += 1;
      else if (code < 0x800 || (code >= 0xd800 && code < 0xe000)) offset += 2;
      else offset += 3;
    }
    return offset;
  }
}

/** Returns the first invalid escape character; `u` if only the digits after one are invalid. */
function badEscape(raw: string): string {
  for (const [, char = ""] of raw.matchAll(/\\(.)/gsu))
    if (!'"\\/bfnrtu'.includes(char)) return char;
  return "u";
}

function tooDeep(): OperationError {
  return overLimit(
    `Document nesting depth (${MAX_NESTING + 1}) exceeds the maximum allowed (${MAX_NESTING}, from \`StreamReadConstraints.getMaxNestingDepth()\`)`,
  );
}

function tooLong(digits: number): OperationError {
  return overLimit(
    `Number value length (${digits}) exceeds the maximum allowed (${MAX_DIGITS}, from \`StreamReadConstraints.getMaxNumberLength()\`)`,
  );
}

/** The product answers 500 in some places, but a bad body is a client error. */
function overLimit(reason: string): OperationError {
  const problem: Problem = { type: "stream_constraints_exception", reason, status: 400 };
  return new OperationError({ ...problem, causedBy: problem });
}

function closeMarker(kind: "Object" | "Array"): string {
  return `: expected close marker for ${kind} (start marker at ${source("UNKNOWN")})`;
}

function source(offset: number | string): string {
  return `[Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); byte offset: #${offset}]`;
}
