/** Values of a strict parser: the kinds it takes, and the words for those it does not. Source: `ObjectParser`, `AbstractXContentParser`. */
import { OperationError, similar, type Json, type Problem } from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import type { Path } from "../../json/locate.ts";

export interface ValuePlace {
  readonly content: Content;
  readonly path: Path;
  readonly parser: string;
}

export function contentProblem(reason: string): Problem {
  return { type: "x_content_parse_exception", reason, status: 400 };
}

export function unsupported(
  { content, path, parser }: ValuePlace,
  field: string,
  value: Json,
): Problem {
  const what = `${field} doesn't support values of type: ${tokenOf(value)}`;
  return contentProblem(`${content.at(path, "value")} [${parser}] ${what}`);
}

/** With the nearest of the fields that are known. */
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

/** A boolean or the text of one, of the field that ends the path. */
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

export function readBoolean(value: string | boolean): boolean | Problem {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  const reason = `Failed to parse value [${value}] as only [true] or [false] are allowed.`;
  return { type: "illegal_argument_exception", reason, status: 400 };
}

const MOST = 2_147_483_647;

/** A number or the text of one; fractions are cut off. */
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

/** What the JSON parser itself says of a value that it is asked for as another kind. */
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
