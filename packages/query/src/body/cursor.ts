/**
 * Cursors into a request body: a value together with the path to it.
 *
 * Parsers report errors at a cursor. The line and column are looked up later, when the text of the
 * body is available.
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

/** Returns the cursor of the whole body. */
export function rootCursor(json: Json, language: SearchLanguage): Cursor {
  return { json, language, parent: undefined, key: "" };
}

/** Returns the cursor of a member or an item; its `json` is null if there is no such member. */
export function child(at: Cursor, key: string | number): Cursor {
  const container = at.json as { readonly [key: string]: Json };
  return { json: lookup(container, String(key)) ?? null, language: at.language, parent: at, key };
}

/** Returns the members of an object in order; none for any other value. */
export function members(at: Cursor): [name: string, member: Cursor][] {
  if (!isJsonObject(at.json)) return [];
  return Object.keys(at.json).map((key) => [key, child(at, key)]);
}

/** Returns the items of an array; any other value as its only item. */
export function items(at: Cursor): Cursor[] {
  return Array.isArray(at.json) ? at.json.map((_, i) => child(at, i)) : [at];
}

/** Returns the keys and indices from the root. */
export function pathOf(at: Cursor): (string | number)[] {
  return at.parent === undefined ? [] : [...pathOf(at.parent), at.key];
}

/** Looks up the line and column of a token, for errors that name several positions. */
export type Where = (
  at: Cursor,
  side: TokenSide,
) => { readonly line: number; readonly col: number };

/** Builds the error once its line and column are known. */
export type Describe = (line: number, col: number, where: Where) => Problem;

/**
 * An error at a place of a request body, without line and column. Code that has the text of the
 * body turns it into an `OperationError` (`located`).
 */
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

  /** Without a text, every position is line 1, column 1. */
  toOperationError(text: Uint8Array | undefined): OperationError {
    // All the queries around the bad one look up the same position.
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

/** Returns a `parsing_exception` with line and column as metadata. */
export function parsingError(at: Cursor, reason: string, side: TokenSide = "value"): BodyError {
  return new BodyError(at, side, (line, col) => ({
    type: "parsing_exception",
    reason,
    status: 400,
    metadata: { line, col },
  }));
}

/**
 * Returns an `x_content_parse_exception` that starts with the position: `[1:19] [bool] unknown
 * field [mustt]`.
 */
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

/** Returns the error on an unknown parameter, with suggestions. */
export function unknownField(at: Cursor, parser: string, known: readonly string[]): BodyError {
  return contentError(
    at,
    `[${parser}] unknown field [${at.key}]${didYouMean(String(at.key), known)}`,
    { side: "key" },
  );
}

/** Returns a suggestion of similar words to append to an error; empty without any. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = similar(word, known);
  if (near.length === 0) return "";
  return near.length === 1
    ? ` did you mean [${near[0]}]?`
    : ` did you mean any of [${near.join(", ")}]?`;
}

/**
 * Runs `parse`. A `BodyError` or `OperationError` becomes the cause of an error that names the
 * field `at.key`; only a `TooDeepError` passes unchanged.
 */
export function wrapField<T>(at: Cursor, parser: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const name = `[${parser}] failed to parse field [${at.key}]`;
    if (error instanceof BodyError) {
      throw new BodyError(error.at, error.side, (line, col, where) => {
        // The product's parser stands at the value when it finds that the key is unknown.
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

/** Returns Jackson's name of the value's first token; `VALUE_NUMBER` for all numbers. */
export function tokenOf(json: Json): string {
  if (json === null) return "VALUE_NULL";
  if (typeof json === "string") return "VALUE_STRING";
  if (typeof json === "number" || typeof json === "bigint") return "VALUE_NUMBER";
  if (typeof json === "boolean") return "VALUE_BOOLEAN";
  return Array.isArray(json) ? "START_ARRAY" : "START_OBJECT";
}

// ------------------------------------------------------------------------------------------ scalars

/** Returns the error of Java's number parsers. */
export function numberFormat(text: string): OperationError {
  const reason = text === "" ? "empty String" : forInputString(text);
  return new OperationError({ type: "number_format_exception", reason, status: 400 });
}

/**
 * The error of an object, an array or null where a single value is expected. The status is 500, as
 * for the product's internal error; a parser that checks the token first throws an error of its
 * own.
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

/**
 * The text of a single value: a string, number or boolean.
 * @throws TokenError
 */
export function scalarText(at: Cursor): string {
  const { json } = at;
  if (json === null || typeof json === "object") throw new TokenError(at);
  return String(json);
}

const INT = { name: "int", min: -2_147_483_648, max: 2_147_483_647, range: "" };
/** 2^63, the first integer beyond a long. */
const LONG_END = 2n ** 63n;
const LONG = {
  name: "long",
  min: -(2 ** 63),
  max: 2 ** 63,
  range: "(-9223372036854775808 - 9223372036854775807)",
};

/**
 * Parses an int; a fraction is truncated.
 * @throws TokenError, or OperationError 400 for other text or a number out of range
 */
export function intOf(at: Cursor): number {
  return wholeOf(at, INT);
}

/**
 * Parses a long; above 2^53 the result is rounded.
 * @throws TokenError, or OperationError 400 for other text or a number out of range
 */
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

/**
 * Parses a boost. Building the query checks that it is a finite float.
 * @throws OperationError 400 for a negative boost
 */
export function boostOf(at: Cursor): number {
  const boost = at.json === "NaN" ? Number.NaN : floatOf(at);
  if (isNegative(boost) || Object.is(at.json, -0))
    throw illegalArgument(negativeBoost(String(at.parent?.key ?? "")));
  return boost;
}

/** Whether the number is below 0, or negative zero. */
export function isNegative(number: number): boolean {
  return number < 0 || Object.is(number, -0);
}

export function negativeBoost(where: string): string {
  return `negative [boost] are not allowed in [${where}], use a value between 0 and 1 to deboost`;
}

/** Parses `true` or `false`, also as text. */
export function booleanOf(at: Cursor): boolean {
  if (at.json === true || at.json === "true") return true;
  if (at.json === false || at.json === "false") return false;
  throw new OperationError({
    type: "illegal_argument_exception",
    reason: `Failed to parse value [${scalarText(at)}] as only [true] or [false] are allowed.`,
    status: 400,
  });
}
