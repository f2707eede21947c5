/** Strict parsers of objects, whose errors carry the position. Source: `ObjectParser`. */
import {
  jsonNumber,
  javaText,
  jsonDigits,
  isJsonObject,
  lookup,
  OperationError,
  similar,
  type Json,
  type Problem,
} from "@orrery/stdx";
import type { JsonObject } from "@orrery/stdx";
import { tokenOf, type Content } from "../content.ts";
import type { Path } from "../json/locate.ts";

/** Accepted types of a field's value; `any` accepts all. */
export type FieldKind = "any" | "object" | "text" | "texts" | "number";

const tokens: Readonly<Record<FieldKind, readonly string[] | undefined>> = {
  any: undefined,
  object: ["START_OBJECT"],
  text: ["VALUE_STRING"],
  texts: ["VALUE_STRING", "START_ARRAY"],
  number: ["VALUE_NUMBER", "VALUE_STRING"],
};

/** A parser of the product: its name and fields. */
export interface StrictParser {
  /** Name of the parser in messages. */
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldKind>>;
}

/** Position of an object: its path, and the fields of the parsers around it. */
export interface Place {
  readonly content: Content;
  readonly path: Path;
  readonly outer: readonly { readonly parser: string; readonly field: string }[];
}

/** The object, if the parser knows all its keys and their types. Throws otherwise. */
export function strictObject(value: Json, parser: StrictParser, place: Place): JsonObject {
  const { content, path } = place;
  if (!isJsonObject(value)) {
    const at = content.at(path, "value");
    const what = `Expected START_OBJECT but was: ${tokenOf(value)}`;
    throw wrapProblem(place, at, contentProblem(`${at} [${parser.name}] ${what}`));
  }
  const known = Object.keys(parser.fields);
  for (const [key, inner] of Object.entries(value)) {
    const kind = lookup(parser.fields, key);
    if (kind !== undefined && (tokens[kind]?.includes(tokenOf(inner)) ?? true)) continue;
    // Locating a value scans the body from its start, so it is done only on an error.
    const at = content.at([...path, key], "value");
    if (kind === undefined) {
      const near = similar(key, known);
      const hint = near.length === 0 ? "" : ` did you mean [${near[0]}]?`;
      const keyAt = content.at([...path, key], "key");
      const reason = `${keyAt} [${parser.name}] unknown field [${key}]${hint}`;
      throw wrapProblem(place, at, contentProblem(reason));
    }
    const what = `${key} doesn't support values of type: ${tokenOf(inner)}`;
    throw wrapProblem(place, at, contentProblem(`${at} [${parser.name}] ${what}`));
  }
  return value;
}

/** An integer, or the text of one; fractions are truncated. `undefined` when absent. */
export function strictNumber(
  object: JsonObject,
  key: string,
  { parser, place }: { readonly parser: StrictParser; readonly place: Place },
): number | undefined {
  const value = lookup(object, key);
  if (value === undefined) return undefined;
  const number = Math.trunc(jsonNumber(value));
  if (Number.isFinite(number) && javaText(value).trim() !== "") return number;
  const at = place.content.at([...place.path, key], "value");
  const reason = `For input string: ${jsonDigits(value)}`;
  throw wrapProblem(place, at, {
    ...contentProblem(`${at} [${parser.name}] failed to parse field [${key}]`),
    causedBy: { type: "illegal_argument_exception", reason, status: 400 },
  });
}

/** A text or a list of texts; `undefined` when absent. Throws for a nested object or list. */
export function strictTexts(
  object: JsonObject,
  key: string,
  { parser, place }: { readonly parser: StrictParser; readonly place: Place },
): readonly string[] | undefined {
  const value = lookup(object, key);
  if (value === undefined) return undefined;
  const items = (Array.isArray(value) ? value : [value]) as readonly Json[];
  return items.map((item, i) => {
    if (item !== null && typeof item !== "object") return String(item);
    const where = place.content.locate([...place.path, key, i], "value");
    const at = place.content.at([...place.path, key, i], "value");
    const reason = `Can't get text on a ${tokenOf(item)} at ${where.line}:${where.col}`;
    throw wrapProblem(place, at, {
      ...contentProblem(`${at} [${parser.name}] failed to parse field [${key}]`),
      causedBy: { type: "illegal_state_exception", reason, status: 500 },
    });
  });
}

/** The position of an object that is the value of a field. */
export function inside(place: Place, parser: StrictParser, field: string): Place {
  return {
    content: place.content,
    path: [...place.path, field],
    outer: [...place.outer, { parser: parser.name, field }],
  };
}

function contentProblem(reason: string): Problem {
  return { type: "x_content_parse_exception", reason, status: 400 };
}

/**
 * Wraps a problem in one "failed to parse field" error for each enclosing field; all of them name the same position.
 */
export function wrapProblem({ outer }: Place, at: string, problem: Problem): OperationError {
  const whole = outer.toReversed().reduce<Problem>(
    (causedBy, { parser, field }) => ({
      ...contentProblem(`${at} [${parser}] failed to parse field [${field}]`),
      causedBy,
    }),
    problem,
  );
  return new OperationError(whole);
}
