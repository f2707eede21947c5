/** Fields of a scenario file: values with their place, so that an error names file, line, key and the nearest valid key. */
import { OperationError, parseDuration, similar } from "@orrery/stdx";

export interface Fields {
  readonly place: Place;
  readonly values: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly place: Place;
  /** Text, number, boolean, `null`, a list of fields, or fields. */
  readonly value: FieldValue;
}

export type FieldValue = string | number | boolean | null | readonly Field[] | Fields;

export interface Place {
  readonly file: string;
  readonly line: number;
}

export function refuse(place: Place, what: string): OperationError {
  const reason = `${place.file}:${place.line}: ${what}`;
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}

export function checkKeys(fields: Fields, allowed: readonly string[]): void {
  for (const [key, { place }] of fields.values) {
    if (allowed.includes(key)) continue;
    const [near] = similar(key, allowed);
    const hint =
      near === undefined
        ? `: expected one of [${allowed.join(", ")}]`
        : ` -> did you mean [${near}]?`;
    throw refuse(place, `unknown key [${key}]${hint}`);
  }
}

export function isFields(value: FieldValue | undefined): value is Fields {
  return typeof value === "object" && value !== null && "values" in value && "place" in value;
}

/** Fields below a key; none when it is missing. */
export function readFields(fields: Fields, key: string): Fields {
  const field = fields.values.get(key);
  if (field === undefined || field.value === null)
    return { place: fields.place, values: new Map() };
  if (!isFields(field.value)) throw refuse(field.place, `[${key}] must be an object`);
  return field.value;
}

export function readList(fields: Fields, key: string): readonly Field[] {
  const field = fields.values.get(key);
  if (field === undefined || field.value === null) return [];
  if (!Array.isArray(field.value)) throw refuse(field.place, `[${key}] must be a list`);
  return field.value as readonly Field[];
}

export function requireField(fields: Fields, key: string): Field {
  const field = fields.values.get(key);
  if (field === undefined) throw refuse(fields.place, `[${key}] is missing`);
  return field;
}

/** Text, a number or a truth value, as text. */
export function readScalar({ place, value }: Field, what: string): string {
  if (value === null || typeof value === "object") throw refuse(place, `[${what}] must be text`);
  return String(value);
}

export function readText(fields: Fields, key: string, otherwise?: string): string {
  const field = fields.values.get(key);
  if (field === undefined && otherwise !== undefined) return otherwise;
  if (field === undefined) throw refuse(fields.place, `[${key}] is missing`);
  if (typeof field.value !== "string" || field.value === "")
    throw refuse(field.place, `[${key}] must be text`);
  return field.value;
}

/** One of the names given, with the nearest one in the error. */
export function readName<Name extends string>(
  field: Field,
  what: string,
  names: readonly Name[],
): Name {
  const found = names.find((name) => name === field.value);
  if (found !== undefined) return found;
  const [near] = typeof field.value === "string" ? similar(field.value, names) : [];
  const hint =
    near === undefined ? `: expected one of [${names.join(", ")}]` : ` -> did you mean [${near}]?`;
  throw refuse(field.place, `unknown ${what} [${String(field.value)}]${hint}`);
}

export function readInteger(
  fields: Fields,
  key: string,
  {
    low,
    high,
    otherwise,
  }: { readonly low: number; readonly high: number; readonly otherwise?: number },
): number {
  const field = fields.values.get(key);
  if (field === undefined && otherwise !== undefined) return otherwise;
  if (field === undefined) throw refuse(fields.place, `[${key}] is missing`);
  const { value } = field;
  if (typeof value === "number" && Number.isInteger(value) && value >= low && value <= high)
    return value;
  throw refuse(field.place, `[${key}] must be a whole number from ${low} to ${high}`);
}

/** Milliseconds of a time value such as `5s`. */
export function readDuration(fields: Fields, key: string, otherwiseMs?: number): number {
  const field = fields.values.get(key);
  if (field === undefined && otherwiseMs !== undefined) return otherwiseMs;
  if (field === undefined) throw refuse(fields.place, `[${key}] is missing`);
  const parsed = typeof field.value === "string" ? parseDuration(field.value) : undefined;
  if (parsed === undefined || parsed < 0)
    throw refuse(field.place, `[${key}] must be a time value such as [5s]`);
  return parsed;
}
