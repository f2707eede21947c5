/** A shape for each kind of a union: `kind` says which properties there are. */
import { lookup } from "@orrery/stdx";
import type { Json, JsonObject } from "@orrery/stdx";
import { checkKeys, readName, refuse, requireField, type Field, type Fields } from "./fields.ts";
import {
  fieldsOf,
  keysOf,
  readKeys,
  schemaOf,
  writeKeys,
  type Context,
  type Keys,
  type Shape,
} from "./shape.ts";

export interface KindRow {
  readonly says: string;
  readonly keys: object;
}

export interface Kinded<T> extends Shape<T> {
  /** With other keys beside those of the kind. */
  readonly readBeside: (fields: Fields, others: readonly string[], context: Context) => T;
  /** The schema of each kind, with other properties beside those of the kind. */
  readonly schemasBeside: (others: JsonObject) => readonly Json[];
}

/** Rows are asked for late: tables refer to each other. */
export function kinded<T extends { readonly kind: string }>(
  what: string,
  rows: () => { readonly [kind: string]: KindRow },
): Kinded<T> {
  const keysOfKind = (kind: string): Keys<object> => lookup(rows(), kind)?.keys ?? {};

  const readBeside = (fields: Fields, others: readonly string[], context: Context): T => {
    const kind = readName(requireField(fields, "kind"), what, Object.keys(rows()));
    const keys = keysOfKind(kind);
    checkKeys(fields, ["kind", ...others, ...keysOf(keys)]);
    const properties: object = readKeys(fields, keys, context);
    return { kind, ...properties } as unknown as T;
  };

  const schemasBeside = (others: JsonObject): readonly Json[] =>
    Object.entries(rows()).map(([kind, { says }]): Json => {
      const schema = schemaOf(keysOfKind(kind), { kind: { const: kind }, ...others });
      const required = Array.isArray(schema["required"]) ? (schema["required"] as Json[]) : [];
      return { ...schema, description: says, required: ["kind", ...required] };
    });

  return {
    readBeside,
    schemasBeside,
    read: (field: Field, _what, context) => readBeside(fieldsOf(field, what), [], context),
    write: (value) => ({ kind: value.kind, ...writeKeys(value, keysOfKind(value.kind) as never) }),
    get schema(): JsonObject {
      return { anyOf: schemasBeside({}) };
    },
    says: what,
  };
}

/** Refuses with the place of what is wrong. */
export function complain(field: Field | Fields, complaint: string | undefined): void {
  if (complaint !== undefined) throw refuse(field.place, complaint);
}
