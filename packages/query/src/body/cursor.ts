/**
 * A place in a request body: the value there and how it was reached. Parsers complain about a place; where that is in the
 * text (line, column) is only looked up once somebody complained and the text is at hand.
 */
import type { Cursor } from "../language/cursor.ts";
import {
  forInputString,
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  similar,
  type Json,
  type Problem,
} from "@orrery/stdx";
import { locate, type TokenSide } from "../json/position.ts";
import type { SearchLanguage } from "../language/language.ts";
import { TooDeepError } from "./too-deep.ts";

export function rootCursor(json: Json, language: SearchLanguage): Cursor {
  return { json, language, parent: undefined, key: "" };
}

export function child(at: Cursor, key: string | number): Cursor {
  const container = at.json as { readonly [key: string]: Json };
  return { json: lookup(container, String(key)) ?? null, language: at.language, parent: at, key };
}

/** Members of an object, in order. */
export function members(at: Cursor): [name: string, member: Cursor][] {
  if (!isJsonObject(at.json)) return [];
  return Object.keys(at.json).map((key) => [key, child(at, key)]);
}

/** Items of an array; a lone value counts as an array of itself. */
export function items(at: Cursor): Cursor[] {
  return Array.isArray(at.json) ? at.json.map((_, i) => child(at, i)) : [at];
}

export function pathOf(at: Cursor): (string | number)[] {
  return at.parent === undefined ? [] : [...pathOf(at.parent), at.key];
}

/** Where a token stands, for complaints that name more than one place. */
export type Where = (
  at: Cursor,
  side: TokenSide,
) => { readonly line: number; readonly col: number };

export type Describe = (line: number, col: number, where: Where) => Problem;

/** Bad syntax of a body. Becomes an `OperationError` where the text is known. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly at: Cursor;
  readonly side: TokenSide;
  readonly describe: Describe;

  constructor(at: Cursor, side: TokenSide, describe: Describe) {
    super("bad request body");
    this.at = at;
    this.side = side;
    this.describe = describe;
  }

  toOperationError(text: Uint8Array | undefined): OperationError {
    // Every query around the bad one asks for the same place.
    const known = new Map<string, ReturnType<Where>>();
    const where: Where = (at, side) => {
      if (text === undefined) return { line: 1, col: 1 };
      const path = pathOf(at);
      const key = JSON.stringify([side, path]);
      const place = known.get(key) ?? locate(text, path, side);
      known.set(key, place);
      return place;
    };
    const { line, col } = where(this.at, this.side);
    return new OperationError(this.describe(line, col, where));
  }
}

/** `parsing_exception` with line and column as metadata. */
export function parsingError(at: Cursor, reason: string, side: TokenSide = "value"): BodyError {
  return new BodyError(at, side, (line, col) => ({
    type: "parsing_exception",
    reason,
    status: 400,
    metadata: { line, col },
  }));
}

/** `x_content_parse_exception` with the place in front: `[1:19] [bool] unknown field [mustt]`. */
export function contentError(
  at: Cursor,
  reason: string,
  options: { side?: TokenSide; causedBy?: Problem } = {},
): BodyError {
  return new BodyError(at, options.side ?? "value", (line, col) => {
    const problem: Problem = {
      type: "x_content_parse_exception",
      reason: `[${line}:${col}] ${reason}`,
      status: 400,
    };
    return options.causedBy === undefined ? problem : { ...problem, causedBy: options.causedBy };
  });
}

export function unknownField(at: Cursor, parser: string, known: readonly string[]): BodyError {
  return contentError(
    at,
    `[${parser}] unknown field [${at.key}]${didYouMean(String(at.key), known)}`,
    { side: "key" },
  );
}

export function didYouMean(word: string, known: Iterable<string>): string {
  const near = similar(word, known);
  if (near.length === 0) return "";
  return near.length === 1
    ? ` did you mean [${near[0]}]?`
    : ` did you mean any of [${near.join(", ")}]?`;
}

/** Runs `parse`; what goes wrong inside is reported as a failure of the field around it, at the same place. */
export function wrapField<T>(at: Cursor, parser: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const name = `[${parser}] failed to parse field [${at.key}]`;
    if (error instanceof BodyError) {
      throw new BodyError(error.at, error.side, (line, col, where) => {
        // The parser has read on to the value when it finds the key unknown.
        const now = error.side === "key" ? where(error.at, "value") : { line, col };
        return {
          type: "x_content_parse_exception",
          reason: `[${now.line}:${now.col}] ${name}`,
          status: 400,
          causedBy: error.describe(line, col, where),
        };
      });
    }
    if (error instanceof TooDeepError) throw error;
    if (error instanceof OperationError) throw contentError(at, name, { causedBy: error.problem });
    throw error;
  }
}

/** Jackson's name of the token a value starts with; numbers as the product's own tokens. */
export function tokenOf(json: Json): string {
  if (json === null) return "VALUE_NULL";
  if (typeof json === "string") return "VALUE_STRING";
  if (typeof json === "number" || typeof json === "bigint") return "VALUE_NUMBER";
  if (typeof json === "boolean") return "VALUE_BOOLEAN";
  return Array.isArray(json) ? "START_ARRAY" : "START_OBJECT";
}

// ------------------------------------------------------------------------------------------ scalars

export function numberFormat(text: string): OperationError {
  const reason = text === "" ? "empty String" : forInputString(text);
  return new OperationError({ type: "number_format_exception", reason, status: 400 });
}

/**
 * Something else stands where one value should. By itself it is the internal error that the product's reader makes of it; a parser
 * that looks at the token first refuses it in words of its own.
 */
export class TokenError extends BodyError {
  constructor(at: Cursor) {
    super(at, "value", (line, col) => ({
      type: "illegal_state_exception",
      reason: `Can't get text on a ${tokenOf(at.json)} at ${line}:${col}`,
      status: 500,
    }));
  }
}

export function scalarText(at: Cursor): string {
  const { json } = at;
  if (json === null || typeof json === "object") throw new TokenError(at);
  return String(json);
}

const INT = { name: "int", min: -2_147_483_648, max: 2_147_483_647, range: "" };
const LONG_END = 2n ** 63n;
const LONG = {
  name: "long",
  min: -(2 ** 63),
  max: 2 ** 63,
  range: "(-9223372036854775808 - 9223372036854775807)",
};

export function intOf(at: Cursor): number {
  return wholeOf(at, INT);
}

/** Beyond 2^53 a neighbour of what was given. */
export function longOf(at: Cursor): number {
  return wholeOf(at, LONG);
}

function wholeOf(at: Cursor, { name, min, max, range }: typeof INT): number {
  const text = scalarText(at);
  const number = Number(text);
  if (typeof at.json === "boolean" || text.trim() === "" || Number.isNaN(number))
    throw numberFormat(text);
  const isBeyond = typeof at.json === "bigint" && (at.json >= LONG_END || at.json < -LONG_END);
  if (number >= min && number <= max && !isBeyond) return Math.trunc(number);
  if (typeof at.json === "string") throw numberFormat(text);
  const shown = range === "" ? `(${min} - ${max})` : range;
  throw new OperationError({
    type: "input_coercion_exception",
    reason: `Numeric value (${text}) out of range of \`${name}\` ${shown}`,
    status: 400,
  });
}

export function floatOf(at: Cursor): number {
  const text = scalarText(at);
  const number = Number(text);
  if (typeof at.json === "boolean" || text.trim() === "" || Number.isNaN(number))
    throw numberFormat(text);
  return number;
}

/** Not negative; whether it is a finite float is checked where the query is built. */
export function boostOf(at: Cursor): number {
  const boost = at.json === "NaN" ? Number.NaN : floatOf(at);
  if (isNegative(boost) || Object.is(at.json, -0))
    throw illegalArgument(negativeBoost(String(at.parent?.key ?? "")));
  return boost;
}

/** Zero has a sign, too. */
export function isNegative(number: number): boolean {
  return number < 0 || Object.is(number, -0);
}

export function negativeBoost(where: string): string {
  return `negative [boost] are not allowed in [${where}], use a value between 0 and 1 to deboost`;
}

export function booleanOf(at: Cursor): boolean {
  if (at.json === true || at.json === "true") return true;
  if (at.json === false || at.json === "false") return false;
  throw new OperationError({
    type: "illegal_argument_exception",
    reason: `Failed to parse value [${scalarText(at)}] as only [true] or [false] are allowed.`,
    status: 400,
  });
}
