/**
 * Shapes: how a part of a plan is read from a file, written back, described to an editor and to a reader, from one table.
 *
 * A property is written in snake case and without its unit: `convergeMs` is `converge`, a time value such as `5s`.
 */
import type { Product } from "@orrery/node";
import { parseDuration, setKey, type Json, type JsonObject } from "@orrery/stdx";
import type { Checkers } from "./checkers/compose.ts";
import type { ReadFile } from "./data-file.ts";
import { isFields, readName, refuse, checkKeys, type Field, type Fields } from "./fields.ts";

/** Parts that a program composed: without plugins where they are not given. Plans are read and run with the same ones. */
export interface Lab {
  /** What nodes are made of: plugins bring settings. */
  readonly product?: Product;
  /** Judges that a plan may name. */
  readonly checkers?: Checkers;
}

/** What a plan may name that is not in it. */
export interface Surroundings extends Lab {
  /** Where files can be read. */
  readonly readFile?: ReadFile;
}

/** What a value may refer to. */
export interface Context extends Surroundings {
  /** Names of nodes, and which cluster each is in. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly clusters: readonly string[];
  /** Of all nodes; `undefined` where nobody knows them. */
  readonly zones?: ReadonlySet<string>;
  /** Those of them that the plan itself adds. */
  readonly added?: ReadonlySet<string>;
  /** Roles of all nodes; `undefined` where nobody knows them. */
  readonly roles?: ReadonlySet<string>;
  /** How many shards each index has; `areAll`: no other comes while the plan runs. `undefined` where nobody knows. */
  readonly indices?: { readonly known: ReadonlyMap<string, number>; readonly areAll: boolean };
}

export interface Shape<T> {
  /** Throws `OperationError` (`parse_exception`). */
  readonly read: (field: Field, what: string, context: Context) => T;
  readonly write: (value: T) => Json;
  /** JSON Schema. */
  readonly schema: JsonObject;
  /** For the reference: `time`, `number from 1 to 100`. */
  readonly says: string;
}

export interface Key<T> {
  readonly shape: Shape<T>;
  readonly says: string;
  readonly otherwise?: T;
  readonly isRequired: boolean;
}

/** Every property of T; a property without its row does not compile. */
export type Keys<T> = { readonly [Name in keyof T]-?: Key<Exclude<T[Name], undefined>> };

export function must<T>(shape: Shape<T>, says: string): Key<T> {
  return { shape, says, isRequired: true };
}

export function may<T>(shape: Shape<T>, says: string): Key<T> {
  return { shape, says, isRequired: false };
}

export function or<T>(shape: Shape<T>, otherwise: T, says: string): Key<T> {
  return { shape, says, otherwise, isRequired: false };
}

/** A shape whose schema stands once, under a name. */
export interface Defined<T> extends Shape<T> {
  readonly name: string;
  readonly definition: JsonObject;
  /** In TypeScript, where that can say more than the schema's type does. */
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

/** `convergeMs` → `converge`, `perMille` → `per_mille`. */
export function keyOf(property: string): string {
  const withoutUnit = property.replace(/Ms$/, "");
  return withoutUnit.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function keysOf<T>(keys: Keys<T>): readonly string[] {
  return Object.keys(keys).map(keyOf);
}

/** The properties of these keys; other keys are somebody else's to check. */
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

/** What differs from the defaults, as a file has it. */
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

/** Each property, for people. */
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

/** One alone may stand without the brackets. */
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

/** The same, and never empty. */
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

/** A value for each name. */
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

/** `METHOD /path`. */
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

/** Text, a number or a truth value, as text. */
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

/** The longest time a plan may speak of: a year. */
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

/** A time value; its property's name ends in `Ms`. */
export const duration: Defined<number> = defined("time", timeFrom(0), timeType);
/** A time value that may lie in the past. */
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

/** In the largest unit that says it in whole numbers. */
export function writeDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms !== 0 && ms % each === 0) ?? ["ms", 1];
  return `${ms / size}${unit}`;
}

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

/** Any JSON, as it is. */
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
