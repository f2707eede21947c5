/**
 * An item of `docvalue_fields` and `fields`: a field name, optionally with a format of its values.
 */
import { illegalArgument, isJsonObject } from "@orrery/stdx";
import { child, contentError, scalarText, tokenOf, type BodyError } from "./cursor.ts";
import type { Cursor } from "../language/cursor.ts";

export interface FieldFormat {
  readonly field: string;
  /** `undefined` for the format of the mapping. */
  readonly format: string | undefined;
}

export function parseFieldFormat(at: Cursor): FieldFormat {
  const { json } = at;
  if (json === null || Array.isArray(json)) throw noObject(at);
  if (!isJsonObject(json)) return { field: scalarText(at), format: undefined };
  const { field, format } = json;
  if (typeof field !== "string") throw illegalArgument("Required [field]");
  return {
    field,
    format: typeof format === "string" && format !== "use_field_mapping" ? format : undefined,
  };
}

/** The error names the token after the bad one, where the product's parser stands. */
function noObject(at: Cursor): BodyError {
  const inner = Array.isArray(at.json) ? at : at.parent;
  const next = Array.isArray(at.json) ? 0 : Number(at.key) + 1;
  const expected = "[docvalues_field] Expected START_OBJECT but was: ";
  if (inner === undefined || !Array.isArray(inner.json) || next >= inner.json.length)
    return contentError(inner ?? at, `${expected}END_ARRAY`, { side: "end" });
  const token = child(inner, next);
  return contentError(token, `${expected}${tokenOf(token.json)}`);
}
