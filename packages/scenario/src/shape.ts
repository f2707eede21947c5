/**
 * Shapes: one table determines how a part of a plan is read from a file, written back, and described in the schema and
 * the reference.
 *
 * Keys of a file are in snake case and without units: `convergeMs` is `converge`, with a time value such as `5s`.
 */
import type { Product } from "@orrery/node";
import { parseDuration, setKey, type Json, type JsonObject } from "@orrery/stdx";
import type { Checkers } from "./checkers/compose.ts";
import type { ReadFile } from "./data-file.ts";
import { isFields, readName, refuse, checkKeys, type Field, type Fields } from "./fields.ts";

/** Parts that a program composes; without plugins by default. A plan must be read and run with the same parts. */
export interface Lab {
  /** Product of the nodes; plugins add settings. */
  readonly product?: Product;
  /** Checkers that a plan may name. */
  readonly checkers?: Checkers;
}

/** Inputs of a parser besides the plan. */
export interface ParserInputs extends Lab {
  /** Reads files that a plan names. */
  readonly readFile?: ReadFile;
}

/** Names that a value may refer to. */
export interface Context extends ParserInputs {
  /** Cluster of each node, by node name. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly clusters: readonly string[];
  /** Zones of all nodes; `undefined` if unknown. */
  readonly zones?: ReadonlySet<string>;
  /** Names of nodes that the plan adds. */
  readonly added?: ReadonlySet<string>;
  /** Roles of all nodes; `undefined` if unknown. */
  readonly roles?: ReadonlySet<string>;
  /**
   * Number of shards of each index; `areAll`: no other index is created while the plan runs. `undefined` if unknown.
   */
  readonly indices?: { readonly known: ReadonlyMap<string, number>; readonly areAll: boolean };
}

/** Reader, writer and description of one kind of value. */
export interface Shape<T> {
  /** Reads the value; throws `OperationError` (`parse_exception`). */
  readonly read: (field: Field, what: string, context: Context) => T;
  readonly write: (value: T) => Json;
  /** JSON Schema. */
  readonly schema: JsonObject;
  /** Form of the value for the reference: `time`, `number from 1 to 100`. */
  readonly says: string;
}

/** Key of an object: its shape, its description, and its default. */
export interface Key<T> {
  readonly shape: Shape<T>;
  readonly says: string;
  readonly otherwise?: T;
  readonly isRequired: boolean;
}

/** Keys of all properties of T. A property without its row does not compile. */
export type Keys<T> = { readonly [Name in keyof T]-?: Key<Exclude<T[Name], undefined>> };

/** Makes a required key. */
export function must<T>(shape: Shape<T>, says: string): Key<T> {
  return { shape, says, isRequired: true };
}

/** Makes an optional key without a default. */
export function may<T>(shape: Shape<T>, says: string): Key<T> {
  return { shape, says, isRequired: false };
}

/** Makes an optional key with a default. */
export function or<T>(shape: Shape<T>, otherwise: T, says: string): Key<T> {
  return { shape, says, otherwise, isRequired: false };
}

/** Shape whose schema is defined once, under a name. */
export interface Defined<T> extends Shape<T> {
  readonly name: string;
  readonly definition: JsonObject;
  /** TypeScript type, if it can express more than the schema's type. */
  readonly type?: string;
}

export function defined<T>(name: string, shape: Shape<T>, type?: string): Defined<T> {
  return {
    name,
    read: shape.read,
    write: shape.write,
    get says() {
      return shape.says;
    },
    schema: { $ref: `#/$defs/${name}` },
    get definition() {
      return shape.schema;
    },
    ...(type === undefined ? {} : { type }),
  };
}

/** Key in a scenario file for a property: `convergeMs` is `converge`, `perMille` is `per_mille`. */
export function keyOf(property: string): string {
  const withoutUnit = property.replace(/Ms$/, "");
  return withoutUnit.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function keysOf<T>(keys: Keys<T>): readonly string[] {
  return Object.keys(keys).map(keyOf);
}

/** Reads the properties of these keys; the caller checks all other keys. */
export function readKeys<T>(fields: Fields, keys: Keys<T>, context: Context): T {
  const read: Record<string, unknown> = {};
  for (const [property, key] of entriesOf(keys)) {
    const name = keyOf(property);
    const field = fields.values.get(name);
    if (field !== undefined) setKey(read, property, key.shape.read(field, name, context));
    else if (key.otherwise !== undefined) setKey(read, property, key.otherwise);
    else if (key.isRequired) throw refuse(fields.place, `[${name}] is missing`);
  }
  return read as T;
}

/** Properties that differ from their defaults, in the form of a file. */
export function writeKeys<T>(value: T, keys: Keys<T>): JsonObject {
  const written: Record<string, Json> = {};
  for (const [property, key] of entriesOf(keys)) {
    const given = value[property as keyof T];
    if (given === undefined) continue;
    const json = key.shape.write(given);
    if (key.otherwise !== undefined && isSame(json, key.shape.write(key.otherwise))) continue;
    setKey(written, keyOf(property), json);
  }
  return written;
}

/** Rows of the properties for the reference. */
export function entriesOfKeys<T>(keys: Keys<T>): readonly {
  readonly name: string;
  readonly says: string;
  readonly value: string;
  readonly isRequired: boolean;
  readonly otherwise?: Json;
}[] {
  return entriesOf(keys).map(([property, { shape, says, isRequired, otherwise }]) => ({
    name: keyOf(property),
    says,
    value: shape.says,
    isRequired,
    ...(otherwise === undefined ? {} : { otherwise: shape.write(otherwise) }),
  }));
}

/** JSON Schema of an object with these keys, and further properties. */
export function schemaOf<T>(keys: Keys<T>, more: JsonObject = {}): JsonObject {
  const entries = entriesOf(keys);
  const properties = entries.map(([property, { shape, says, otherwise }]): [string, Json] => [
    keyOf(property),
    {
      description: says,
      ...shape.schema,
      ...(otherwise === undefined ? {} : { default: shape.write(otherwise) }),
    },
  ]);
  const required = entries.flatMap(([property, { isRequired }]) =>
    isRequired ? [keyOf(property)] : [],
  );
  return {
    type: "object",
    properties: { ...more, ...Object.fromEntries(properties) },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Shape of an object with these keys: another key is rejected, a missing one only if it is required. */
export function object<T>(keys: Keys<T>, says = "object"): Shape<T> {
  return {
    read: (field, what, context) => {
      const fields = fieldsOf(field, what);
      checkKeys(fields, keysOf(keys));
      return readKeys(fields, keys, context);
    },
    write: (value) => writeKeys(value, keys),
    schema: schemaOf(keys),
    says,
  };
}

export function fieldsOf(field: Field, what: string): Fields {
  if (!isFields(field.value)) throw refuse(field.place, `[${what}] must be an object`);
  return field.value;
}

/** Shape of a list; a single item may omit the brackets. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    read: (field, what, context) => {
      if (field.value === null) return [];
      const items = Array.isArray(field.value) ? (field.value as readonly Field[]) : [field];
      return items.map((one) => item.read(one, what, context));
    },
    write: (values) => values.map((value) => item.write(value)),
    schema: { anyOf: [item.schema, { type: "array", items: item.schema }] },
    says: `${item.says}, or a list`,
  };
}

/** Shape of a list that must not be empty. */
export function someOf<T>(item: Shape<T>): Shape<readonly T[]> {
  const list = listOf(item);
  return {
    ...list,
    read: (field, what, context) => {
      const items = list.read(field, what, context);
      if (items.length === 0) throw refuse(field.place, `[${what}] is empty`);
      return items;
    },
    schema: { anyOf: [item.schema, { type: "array", items: item.schema, minItems: 1 }] },
  };
}

/** Shape of a map from names to values. */
export function mapOf<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    read: (field, what, context) =>
      Object.fromEntries(
        [...fieldsOf(field, what).values].map(([name, value]) => [
          name,
          item.read(value, name, context),
        ]),
      ),
    write: (values) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, item.write(value)])),
    schema: { type: "object", additionalProperties: item.schema },
    says: `${item.says} by name`,
  };
}

export const text: Shape<string> = {
  read: ({ place, value }, what) => {
    if (typeof value !== "string" || value === "") throw refuse(place, `[${what}] must be text`);
    return value;
  },
  write: (value) => value,
  schema: { type: "string", minLength: 1 },
  says: "text",
};

const METHODS = ["GET", "PUT", "POST", "DELETE", "HEAD", "PATCH"];
const METHOD_AND_PATH = new RegExp(`^(${METHODS.join("|")}) (\\/\\S*)$`);

/** Shape of a request line, `METHOD /path`. */
export const requestLine: Defined<string> = defined(
  "requestLine",
  {
    read: (field, what, context) => {
      const line = text.read(field, what, context);
      if (METHOD_AND_PATH.test(line)) return line;
      throw refuse(field.place, `[${what}] must be METHOD /path, such as [GET /_cluster/health]`);
    },
    write: (value) => value,
    schema: { type: "string", pattern: METHOD_AND_PATH.source },
    says: "METHOD /path",
  },
  `\`\${${METHODS.map((method) => `"${method}"`).join(" | ")}} /\${string}\``,
);

export const flag: Shape<boolean> = {
  read: ({ value, place }, what) => {
    if (typeof value === "boolean") return value;
    throw refuse(place, `[${what}] must be true or false`);
  },
  write: (value) => value,
  schema: { type: "boolean" },
  says: "true or false",
};

/** Text, number or boolean, as text. */
export const scalar: Shape<string> = {
  read: ({ place, value }, what) => {
    if (value === null || typeof value === "object") throw refuse(place, `[${what}] must be text`);
    return String(value);
  },
  write: (value) => value,
  schema: { type: ["string", "number", "boolean"] },
  says: "text",
};

export function integer(low: number, high: number): Shape<number> {
  return {
    read: ({ place, value }, what) => {
      if (typeof value === "number" && Number.isInteger(value) && value >= low && value <= high)
        return value;
      throw refuse(place, `[${what}] must be a whole number from ${low} to ${high}`);
    },
    write: (value) => value,
    schema: { type: "integer", minimum: low, maximum: high },
    says: `number from ${low} to ${high}`,
  };
}

export const perMille: Shape<number> = integer(0, 1000);

/** Longest time of a plan: a year. */
const LONGEST_MS = 366 * 24 * 3_600_000;

const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
];
const unitNames = UNITS.map(([unit]) => unit);
const timeType = `\`\${number}\${${unitNames.map((unit) => `"${unit}"`).join(" | ")}}\``;

/** Time value; the name of its property ends in `Ms`. */
export const duration: Defined<number> = defined("time", timeFrom(0), timeType);
/** Time value that may be negative. */
export const signedDuration: Defined<number> = defined(
  "signedTime",
  timeFrom(-LONGEST_MS),
  timeType,
);

function timeFrom(lowMs: number): Shape<number> {
  return {
    read: ({ place, value }, what) => {
      const isNegative = lowMs < 0 && typeof value === "string" && value.startsWith("-");
      const size = isNegative ? value.slice(1) : value;
      const parsed = typeof size === "string" ? parseDuration(size) : undefined;
      if (parsed === undefined || parsed < 0)
        throw refuse(place, `[${what}] must be a time value such as [5s]`);
      if (parsed > LONGEST_MS) throw refuse(place, `[${what}] must not be longer than [366d]`);
      return isNegative ? -parsed : parsed;
    },
    write: writeDuration,
    schema: {
      type: "string",
      pattern: `^${lowMs < 0 ? "-?" : ""}\\d+(\\.\\d+)?(${unitNames.toReversed().join("|")})$`,
      examples: ["500ms", "5s", "2m"],
    },
    says: "time",
  };
}

/** Duration in the largest unit that gives a whole number. */
export function writeDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms !== 0 && ms % each === 0) ?? ["ms", 1];
  return `${ms / size}${unit}`;
}

/** Shape of a name from a list. The list is evaluated on use, because tables refer to each other. */
export function oneOf<Name extends string>(
  what: string,
  names: () => readonly Name[],
): Shape<Name> {
  return {
    read: (field) => readName(field, what, names()),
    write: (value) => value,
    get schema() {
      return { enum: names() };
    },
    get says() {
      return names().join(", ");
    },
  };
}

/** Any JSON value, unchanged. */
export const json: Shape<Json> = {
  read: (field) => jsonOf(field),
  write: (value) => value,
  schema: {},
  says: "JSON",
};

export const jsonObject: Shape<JsonObject> = {
  read: (field, what) => jsonOf({ ...field, value: fieldsOf(field, what) }) as JsonObject,
  write: (value) => value,
  schema: { type: "object" },
  says: "JSON object",
};

function jsonOf({ value }: Field): Json {
  if (isFields(value))
    return Object.fromEntries([...value.values].map(([key, field]) => [key, jsonOf(field)]));
  if (Array.isArray(value)) return (value as readonly Field[]).map(jsonOf);
  return value as string | number | boolean | null;
}

function entriesOf<T>(keys: Keys<T>): readonly (readonly [string, Key<unknown>])[] {
  return Object.entries(keys) as unknown as readonly (readonly [string, Key<unknown>])[];
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
