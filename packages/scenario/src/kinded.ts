/** Shape of a union whose member `kind` determines the other properties. */
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
  /** Reads a value that may have the given other keys besides those of its kind. */
  readonly readBeside: (fields: Fields, others: readonly string[], context: Context) => T;
  /** Schema of each kind with other properties besides those of the kind. */
  readonly schemasBeside: (others: JsonObject) => readonly Json[];
}

/** Shape from a table of kinds. The table is passed as a function, because tables refer to each other. */
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

/** Throws an error with the position of the field if there is a complaint. */
export function complain(field: Field | Fields, complaint: string | undefined): void {
  if (complaint !== undefined) throw refuse(field.place, complaint);
}
