/**
 * Fields of a scenario file: values with their positions, so that an error names file, line, key and the nearest valid
 * key.
 */
import { OperationError, similar, type Problem } from "@orrery/stdx";

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

/** Position in a file, or in a plan made by code. */
export type Place = FilePlace | PlanPlace;

export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface PlanPlace {
  /** Name of the plan. */
  readonly plan: string;
  /** Path such as `faults[0].node`; empty for the plan itself. */
  readonly path: string;
}

/** Greatest depth of nesting in a scenario, which bounds the recursion of readers. */
export const DEEPEST = 100;
export const deepSentence: string = `a scenario must not be nested more than ${DEEPEST} deep`;

/** Error of the value at a position. */
export function refuse(place: Place, what: string): OperationError {
  const where = whereOf(place);
  const reason = where === "" ? what : `${where}: ${what}`;
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}

/** Throws the error of a value at a position if a cluster has a problem with the value; the reason is the cluster's. */
export function refuseProblem(place: Place, problem: Problem | undefined): void {
  if (problem !== undefined) throw refuse(place, problem.reason ?? problem.type);
}

/** Position in words; empty for a plan without a name, such as a fault requested from a running cluster. */
function whereOf(place: Place): string {
  if ("file" in place) return `${place.file}:${place.line}:${place.column}`;
  return [place.plan, place.path].filter((part) => part !== "").join(": ");
}

/** Throws for a key that is not allowed; the error suggests the nearest allowed key. */
export function checkKeys(fields: Fields, allowed: readonly string[]): void {
  for (const [key, { place }] of fields.values)
    if (!allowed.includes(key)) throw unknownKey(place, key, allowed);
}

/** Error of a key that is not allowed. */
export function unknownKey(place: Place, key: string, allowed: readonly string[]): OperationError {
  const [near] = similar(key, allowed);
  const hint =
    near === undefined
      ? `: expected one of [${allowed.join(", ")}]`
      : ` -> did you mean [${near}]?`;
  return refuse(place, `unknown key [${key}]${hint}`);
}

export function isFields(value: FieldValue | undefined): value is Fields {
  return typeof value === "object" && value !== null && "values" in value && "place" in value;
}

export function requireField(fields: Fields, key: string): Field {
  const field = fields.values.get(key);
  if (field === undefined) throw refuse(fields.place, `[${key}] is missing`);
  return field;
}

/** Name that must be one of those given; the error suggests the nearest one. */
export function readName<Name extends string>(
  field: Field,
  what: string,
  names: readonly Name[],
): Name {
  const found = names.find((name) => name === field.value);
  if (found !== undefined) return found;
  if (typeof field.value === "object" && field.value !== null) {
    const given = isFields(field.value) ? "an object" : "a list";
    throw refuse(field.place, `expected one ${what}, not ${given}: one of [${names.join(", ")}]`);
  }
  const [near] = typeof field.value === "string" ? similar(field.value, names) : [];
  const hint =
    near === undefined ? `: expected one of [${names.join(", ")}]` : ` -> did you mean [${near}]?`;
  throw refuse(field.place, `unknown ${what} [${String(field.value)}]${hint}`);
}
