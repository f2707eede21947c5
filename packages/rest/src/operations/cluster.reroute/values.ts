/** Values of strict parsers: accepted types, and the errors for other types. Source: `ObjectParser`, `AbstractXContentParser`. */
import { OperationError, similar, type Json, type Problem } from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import type { Path } from "../../json/locate.ts";

/** Position of a value, and the parser that reads it. */
export interface ValuePlace {
  readonly content: Content;
  readonly path: Path;
  readonly parser: string;
}

/** A parsing error with the given reason. */
export function contentProblem(reason: string): Problem {
  return { type: "x_content_parse_exception", reason, status: 400 };
}

/** Error for a value of a type that the field does not accept. */
export function unsupported(
  { content, path, parser }: ValuePlace,
  field: string,
  value: Json,
): Problem {
  const what = `${field} doesn't support values of type: ${tokenOf(value)}`;
  return contentProblem(`${content.at(path, "value")} [${parser}] ${what}`);
}

/** Error for an unknown field, with the most similar known one. */
export function unknownField(
  { content, path, parser }: ValuePlace,
  known: readonly string[],
): Problem {
  const field = String(path.at(-1));
  const [near] = similar(field, known);
  const hint = near === undefined ? "" : ` did you mean [${near}]?`;
  const at = content.at(path, "key");
  return contentProblem(`${at} [${parser}] unknown field [${field}]${hint}`);
}

/** Reads a boolean, or the text of one, from the field at the end of the path. */
export function booleanAt(place: ValuePlace, value: Json | undefined): boolean {
  const { content, path, parser } = place;
  const field = String(path.at(-1));
  if (typeof value !== "boolean" && typeof value !== "string") {
    throw new OperationError(unsupported(place, field, value ?? null));
  }
  const read = readBoolean(value);
  if (typeof read === "boolean") return read;
  const reason = `${content.at(path, "value")} [${parser}] failed to parse field [${field}]`;
  throw new OperationError({ ...contentProblem(reason), causedBy: read });
}

/** A boolean, or the problem with the text of one. */
export function readBoolean(value: string | boolean): boolean | Problem {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  const reason = `Failed to parse value [${value}] as only [true] or [false] are allowed.`;
  return { type: "illegal_argument_exception", reason, status: 400 };
}

const MOST = 2_147_483_647;

/** A number, or the text of one, as an integer of 32 bits, or the problem with it; fractions are truncated. */
export function readInteger(
  content: Content,
  path: Path,
  value: number | bigint | string,
): number | Problem {
  const text = String(value).trim();
  if (text === "") return { type: "number_format_exception", reason: "empty String", status: 400 };
  const number = Number(text);
  if (Number.isNaN(number)) {
    return {
      type: "number_format_exception",
      reason: `For input string: "${text}"`,
      status: 400,
    };
  }
  if (Math.abs(number) <= MOST) return Math.trunc(number);
  const what = `Numeric value (${text}) out of range of \`int\` (-2147483648 - 2147483647)`;
  return miscast(content, path, what);
}

/** The error of the JSON parser for a value that is read as another type. */
export function miscast(content: Content, path: Path, what: string): Problem {
  const source =
    "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); byte offset: #";
  const problem: Problem = {
    type: "input_coercion_exception",
    reason: `${what}\n at ${source}${content.offsetAfter(path)}]`,
    status: 400,
  };
  return { ...problem, causedBy: problem };
}
