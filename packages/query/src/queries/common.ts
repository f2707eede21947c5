/** What most queries share: `boost` and `_name`, and the form `{"term": {"field": value-or-object}}`. */
import { isJsonObject } from "@orrery/stdx";
import { boostOf, members, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

export interface Basics {
  readonly boost: number;
  readonly label: string | undefined;
}

export const NO_BASICS: Basics = { boost: 1, label: undefined };

export interface FieldForm extends Basics {
  readonly field: string;
  /** The value itself in the short form; `undefined` in the long one. */
  readonly scalar: Cursor | undefined;
  /** Parameters of the long form, `boost` and `_name` left out. */
  readonly parameters: ReadonlyMap<string, Cursor>;
}

export interface FormOptions {
  readonly query: string;
  /** Accepted in the long form, besides `boost` and `_name`. */
  readonly parameters: readonly string[];
  /** Words for `{}`. */
  readonly empty: string;
  /** Words for an array where a value belongs; `undefined`: arrays are read like scalars. */
  readonly noArray?: string | undefined;
}

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

/** Reads flat parameters of a query; `boost` and `_name` are taken care of. */
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
