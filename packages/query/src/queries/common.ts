/**
 * Parts that most queries have in common: `boost`, `_name`, and the form `{"term": {"field":
 * value-or-object}}`.
 */
import { isJsonObject } from "@orrery/stdx";
import { boostOf, members, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

/** The parameters that every query has: `boost`, and `_name` as `label`. */
export interface Basics {
  readonly boost: number;
  readonly label: string | undefined;
}

export const NO_BASICS: Basics = { boost: 1, label: undefined };

/** A query on one field. */
export interface FieldForm extends Basics {
  readonly field: string;
  /** The value in the short form; `undefined` in the long one. */
  readonly scalar: Cursor | undefined;
  /** Parameters of the long form without `boost` and `_name`. */
  readonly parameters: ReadonlyMap<string, Cursor>;
}

/** The name of a query on one field, its parameters, and its error texts. */
export interface FormOptions {
  readonly query: string;
  /** Parameters of the long form beside `boost` and `_name`. */
  readonly parameters: readonly string[];
  /** The error for `{}`. */
  readonly empty: string;
  /** The error for an array in place of a value; `undefined`: arrays are read like values. */
  readonly noArray?: string | undefined;
}

/**
 * Parses the body of a query on one field, `{"field": value-or-object}`. `boost` and `_name` may
 * stand beside the field or in its object; two boosts are multiplied, and the `_name` in the object
 * takes precedence.
 * @throws BodyError or OperationError 400
 */
export function parseFieldForm(at: Cursor, options: FormOptions): FieldForm {
  const { query } = options;
  if (!isJsonObject(at.json))
    throw parsingError(at, `[${query}] query malformed, no start_object after query name`);
  let form: FieldForm | undefined;
  let outer: Basics = NO_BASICS;
  for (const [name, member] of members(at)) {
    if (name === "boost" && !isJsonObject(member.json))
      outer = { ...outer, boost: boostOf(member) };
    else if (name === "_name" && !isJsonObject(member.json))
      outer = { ...outer, label: scalarText(member) };
    else if (form !== undefined) {
      throw parsingError(
        member,
        `[${query}] query doesn't support multiple fields, found [${form.field}] and [${name}]`,
      );
    } else {
      form = parseForm(name, member, options);
    }
  }
  if (form === undefined) throw parsingError(at, options.empty, "end");
  return {
    ...form,
    boost: form.boost * outer.boost,
    label: form.label ?? outer.label,
  };
}

function parseForm(field: string, at: Cursor, options: FormOptions): FieldForm {
  if (!isJsonObject(at.json)) {
    if (Array.isArray(at.json) && options.noArray !== undefined)
      throw parsingError(at, options.noArray);
    return { field, scalar: at, parameters: new Map(), boost: 1, label: undefined };
  }
  const parameters = new Map<string, Cursor>();
  let basics = NO_BASICS;
  for (const [name, member] of members(at)) {
    if (name === "boost") basics = { ...basics, boost: boostOf(member) };
    else if (name === "_name") basics = { ...basics, label: scalarText(member) };
    else if (options.parameters.includes(name)) parameters.set(name, member);
    else throw parsingError(member, `[${options.query}] query does not support [${name}]`);
  }
  return { field, scalar: undefined, parameters, ...basics };
}

/**
 * Parses a query whose parameters stand directly in its body.
 * @throws BodyError or OperationError 400
 */
export function parseParameters(
  at: Cursor,
  query: string,
  known: readonly string[],
): { readonly parameters: ReadonlyMap<string, Cursor>; readonly basics: Basics } {
  if (!isJsonObject(at.json))
    throw parsingError(at, `[${query}] query malformed, no start_object after query name`);
  const parameters = new Map<string, Cursor>();
  let basics = NO_BASICS;
  for (const [name, member] of members(at)) {
    if (name === "boost") basics = { ...basics, boost: boostOf(member) };
    else if (name === "_name") basics = { ...basics, label: scalarText(member) };
    else if (known.includes(name)) parameters.set(name, member);
    else throw parsingError(member, `[${query}] query does not support [${name}]`);
  }
  return { parameters, basics };
}
