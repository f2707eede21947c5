/**
 * Fields of a reroute command. `move` and `cancel` read them token by token, the `allocate` commands with a strict
 * parser; each reports errors with its own messages. Source: `MoveAllocationCommand`,
 * `AbstractAllocateAllocationCommand`.
 */
import {
  isJsonObject,
  lookup,
  setKey,
  type Json,
  type JsonObject,
  type OperationError,
  type Problem,
} from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import type { Path } from "../../json/locate.ts";
import {
  contentProblem,
  miscast,
  readBoolean,
  readInteger,
  unknownField,
  unsupported,
} from "./values.ts";

/** Fields of a command, and the function that reads them. */
export interface CommandShape {
  readonly read: (command: CommandText, place: CommandPlace) => JsonObject;
  readonly required: readonly string[];
  readonly flags: readonly string[];
}

interface CommandText {
  readonly name: string;
  readonly shape: CommandShape;
  readonly value: Json;
}

interface CommandPlace {
  readonly content: Content;
  readonly path: Path;
  readonly refuse: (at: string, cause: Problem) => OperationError;
}

type Fields = Record<string, string | number | boolean>;

/** Reads the fields of `move` and `cancel`. */
export function readFields({ name, shape, value }: CommandText, place: CommandPlace): JsonObject {
  const { content, path, refuse } = place;
  const fail = (at: string, what: string): OperationError =>
    refuse(at, { type: "parse_exception", reason: `[${name}] command ${what}`, status: 400 });
  const complex = (token: string): string => `does not support complex json tokens [${token}]`;
  const fields: Fields = {};
  if (Array.isArray(value)) {
    const [first]: readonly Json[] = value;
    if (first === undefined) throw fail(content.at(path, "end"), complex("END_ARRAY"));
    const what = isScalar(first) ? "does not support field [null]" : complex(tokenOf(first));
    throw fail(content.at([...path, 0], "value"), what);
  }
  for (const [key, field] of Object.entries(isJsonObject(value) ? value : {})) {
    // Locating a value scans the body from its start, so it is done only on an error.
    const at = (): string => content.at([...path, key], "value");
    if (!isScalar(field)) throw fail(at(), complex(tokenOf(field)));
    if (!shape.required.includes(key) && !shape.flags.includes(key)) {
      throw fail(at(), `does not support field [${key}]`);
    }
    const read = scalarOf(field, shape.flags.includes(key) ? "flag" : key, {
      content,
      path: [...path, key],
    });
    if (typeof read === "object") throw refuse(at(), read);
    setKey(fields, key, read);
  }
  const missing = shape.required.find(
    (key) => lookup(fields, key) === undefined || lookup(fields, key) === -1,
  );
  if (missing === undefined) return fields;
  const at = content.at(isJsonObject(value) ? path : path.slice(0, -1), "end");
  throw fail(at, `missing the ${missing} parameter`);
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return value !== null && value !== undefined && typeof value !== "object";
}

function scalarOf(
  value: string | number | boolean,
  kind: string,
  { content, path }: { readonly content: Content; readonly path: Path },
): string | number | boolean | Problem {
  if (kind === "flag") {
    if (typeof value !== "number") return readBoolean(value);
    const token = Number.isInteger(value) ? "VALUE_NUMBER_INT" : "VALUE_NUMBER_FLOAT";
    return miscast(content, path, `Current token (${token}) not of boolean type`);
  }
  if (kind !== "shard") return String(value);
  if (typeof value !== "boolean") return readInteger(content, path, value);
  const what = `Current token (VALUE_${String(value).toUpperCase()}) not numeric, cannot use numeric value accessors`;
  return miscast(content, path, what);
}

/** Reads the fields of the `allocate` commands. */
export function readOptions({ name, shape, value }: CommandText, place: CommandPlace): JsonObject {
  const { content, path, refuse } = place;
  if (!isJsonObject(value)) throw notAnObject(name, value, place);
  const fields: Fields = {};
  for (const [key, field] of Object.entries(value)) {
    const at = (): string => content.at([...path, key], "value");
    const where = { content, path: [...path, key], parser: name };
    const known = [...shape.required, ...shape.flags];
    if (!known.includes(key)) throw refuse(at(), unknownField(where, known));
    if (!isTaken(field, shape.flags.includes(key) ? "flag" : key)) {
      throw refuse(at(), unsupported(where, key, field ?? null));
    }
    const read = scalarOf(field, shape.flags.includes(key) ? "flag" : key, where);
    if (typeof read === "object") {
      const reason = `${at()} [${name}] failed to parse field [${key}]`;
      throw refuse(at(), { ...contentProblem(reason), causedBy: read });
    }
    setKey(fields, key, read);
  }
  const missing = shape.required.find((key) => {
    const field = lookup(fields, key);
    return field === undefined || (typeof field === "number" && field < 0);
  });
  if (missing === undefined) return fields;
  const kind = missing === "shard" ? "defined and non-negative" : "defined";
  const reason = `Argument [${missing}] must be ${kind}`;
  throw refuse(content.at(path, "end"), {
    type: "illegal_argument_exception",
    reason,
    status: 400,
  });
}

function isTaken(value: Json | undefined, kind: string): value is string | number | boolean {
  if (typeof value === "string") return true;
  return kind === "flag"
    ? typeof value === "boolean"
    : kind === "shard" && typeof value === "number";
}

/** The error names the token after the one that should have been an object. */
function notAnObject(
  name: string,
  value: Json,
  { content, path, refuse }: CommandPlace,
): OperationError {
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : [];
  const token =
    first === undefined ? (Array.isArray(value) ? "END_ARRAY" : "END_OBJECT") : tokenOf(first);
  const at = Array.isArray(value)
    ? first === undefined
      ? content.at(path, "end")
      : content.at([...path, 0], "value")
    : content.at(path.slice(0, -1), "end");
  return refuse(at, contentProblem(`${at} [${name}] Expected START_OBJECT but was: ${token}`));
}
