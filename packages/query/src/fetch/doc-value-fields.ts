/**
 * `docvalue_fields` and `fields`: values from columns and from the source, formatted for clients.
 */
import { setKey, type Json } from "@orrery/stdx";
import { formatDecimal } from "../json/decimal-format.ts";
import { dateFormatOf } from "../dates/format.ts";
import { UTC } from "../dates/zone.ts";
import type { JsonTree } from "../json/exact-json.ts";
import type { CompiledField } from "../language/field-type.ts";
import type { FieldFormat } from "../body/field-format.ts";
import { Decimal } from "../json/printable.ts";
import { namesOf, valuePathOf } from "../language/field-paths.ts";
import type { HitValue } from "../language/hits.ts";
import type { Mapping } from "../language/mapping.ts";
import type { SegmentView, ShardView } from "../language/view.ts";
import type { HitWork } from "../work/hit-work.ts";
import { valuesAt } from "../source/source-values.ts";

/** Returns the fields that a name or pattern selects. */
function fieldsOf(
  mapping: Mapping,
  { field: pattern }: FieldFormat,
): readonly (readonly [name: string, field: CompiledField])[] {
  return namesOf(mapping, pattern).flatMap((name) => {
    const field = mapping.field(name) as CompiledField | undefined;
    return field === undefined ? [] : [[name, field] as const];
  });
}

/** Reads the doc values that a hit returns. Yields between fields, and within a field when the turn is over. */
export function* docValueFields(
  mapping: Mapping,
  { segment: { reader }, doc }: { readonly segment: SegmentView; readonly doc: number },
  requests: readonly FieldFormat[],
  work: HitWork,
): Generator<undefined, { readonly [field: string]: readonly HitValue[] }> {
  // A field that is requested in two formats has the values of both.
  const found = new Map<string, HitValue[]>();
  for (const request of requests) {
    for (const [name, field] of fieldsOf(mapping, request)) {
      yield* work.rest();
      const column = { reader, doc, format: request.format };
      const values = found.get(name) ?? [];
      for (const value of columnValues(field, column)) {
        take(value, request.format, work);
        values.push(value);
        if (work.budget.isRestDue) yield* work.rest();
      }
      if (values.length > 0) found.set(name, values);
    }
  }
  const members: Record<string, readonly HitValue[]> = {};
  for (const [name, values] of found) setKey(members, name, values);
  return members;
}

/** The characters that each value needs in an array. */
const VALUE_CHARS = 2;

/** The budget steps of each value. */
const VALUE_STEPS = 16;

/**
 * Accounts for one value. Formats may be long and values many, so the costs are counted per value.
 */
function take(value: HitValue, format: string | undefined, work: HitWork): void {
  work.budget.step(VALUE_STEPS + (format?.length ?? 0));
  work.holdText(VALUE_CHARS + (typeof value === "string" ? value.length : 0));
}

/** A document of a segment, and the requested format. */
interface ColumnOf {
  readonly reader: SegmentView["reader"];
  readonly doc: number;
  readonly format: string | undefined;
}

/** Yields the values one by one, each formatted when it is consumed. */
function* columnValues(
  field: CompiledField,
  { reader, doc, format }: ColumnOf,
): Generator<HitValue, void> {
  const name = field.aliasOf ?? field.name;
  const { values } = field;
  if (field.columnValues !== undefined) {
    yield* field.columnValues(reader, name, doc);
    return;
  }
  const numbers = values.kind === "numbers" ? reader.numbers(name) : undefined;
  if (values.kind === "numbers" && numbers?.has(doc) === true) {
    for (let index = numbers.start(doc); index < numbers.end(doc); index += 1)
      yield printNumber(field, values.read(numbers, index), format);
  }
  const ordinals = values.kind === "terms" ? reader.ordinals(name) : undefined;
  if (values.kind !== "terms" || ordinals?.has(doc) !== true) return;
  for (let index = ordinals.start(doc); index < ordinals.end(doc); index += 1)
    yield values.decode(ordinals.dictionary.term(ordinals.ords[index] ?? 0));
}

function printNumber(
  field: CompiledField,
  value: number | bigint,
  format: string | undefined,
): HitValue {
  if (field.dateFormat !== undefined) {
    const pattern = format ?? field.dateFormat;
    const dates = typeof pattern === "string" ? dateFormatOf(pattern) : pattern;
    const isNanos = field.values.kind === "numbers" && field.values.isNanos === true;
    const ms = isNanos ? Number(BigInt(value) / 1_000_000n) : Number(value);
    const nanos = isNanos ? Number(BigInt(value) % 1_000_000n) : 0;
    return dates?.format({ ms, nanos }, UTC) ?? String(value);
  }
  if (format !== undefined && format !== "use_field_mapping")
    return formatDecimal(Number(value), format);
  const isInteger = field.values.kind === "numbers" && field.values.isInteger;
  return isInteger || typeof value === "bigint" ? value : new Decimal(value, "double");
}

/**
 * Reads values from the parsed source; fields without a value are left out. Yields between fields,
 * and within a field when a rest is due.
 * @throws OperationError 400 for a bad format, 429 if the values exceed the budget
 */
export function* sourceFields(
  { mapping }: ShardView,
  tree: JsonTree,
  requests: readonly FieldFormat[],
  work: HitWork,
): Generator<undefined, { readonly [field: string]: readonly Json[] }> {
  const found: Record<string, readonly Json[]> = {};
  for (const request of requests) {
    for (const [name, field] of fieldsOf(mapping, request)) {
      yield* work.rest();
      const path = valuePathOf(mapping, name);
      const values: Json[] = [];
      for (const value of valuesAt(tree, path)) {
        const shown = field.present(value, request.format);
        if (shown === undefined) continue;
        take(shown, request.format, work);
        values.push(shown);
        if (work.budget.isRestDue) yield* work.rest();
      }
      if (values.length > 0) setKey(found, name, values);
    }
  }
  return found;
}
