/** `docvalue_fields` and `fields`: values from columns, and from the source, as clients see them. */
import { lookup, setKey } from "@orrery/stdx";
import type { Json } from "@orrery/stdx";
import { formatDecimal } from "../aggregations/value-format.ts";
import { dateFormatOf } from "../dates/format.ts";
import { UTC } from "../dates/zone.ts";
import { double } from "../json/json-text.ts";
import type { JsonTree } from "../json/exact-json.ts";
import type { CompiledField } from "../mapping/field.ts";
import { decodePoint } from "../mapping/types/geo-point.ts";
import type { FieldFormat } from "../request/field-format.ts";
import type { Rest } from "../search/steps.ts";
import type { Mapping, Printable, SegmentView, ShardView } from "../types.ts";
import { valuesAt } from "./source-values.ts";

function fieldsOf(
  mapping: Mapping,
  { field: pattern }: FieldFormat,
): readonly (readonly [name: string, field: CompiledField])[] {
  const names = pattern.includes("*") ? mapping.matchFields(pattern) : [pattern];
  return names.flatMap((name) => {
    const field = mapping.field(name) as CompiledField | undefined;
    return field === undefined ? [] : [[name, field] as const];
  });
}

/** Rests between fields. */
export function* docValueFields(
  mapping: Mapping,
  { segment: { reader }, doc }: { readonly segment: SegmentView; readonly doc: number },
  requests: readonly FieldFormat[],
  rest: Rest,
): Generator<undefined, { readonly [field: string]: readonly Printable[] }> {
  const found: Record<string, readonly Printable[]> = {};
  for (const request of requests) {
    for (const [name, field] of fieldsOf(mapping, request)) {
      yield* rest();
      const values = columnValues(field, reader, doc, request.format);
      // A field that is asked for twice, in two formats, has both.
      if (values.length > 0) setKey(found, name, [...(lookup(found, name) ?? []), ...values]);
    }
  }
  return found;
}

function columnValues(
  field: CompiledField,
  reader: SegmentView["reader"],
  doc: number,
  format: string | undefined,
): Printable[] {
  const name = field.aliasOf ?? field.name;
  const { values } = field;
  if (values.kind === "geo_point") {
    const column = reader.numbers(name);
    if (column === undefined || !column.has(doc)) return [];
    return range(column.start(doc), column.end(doc)).map((index) => {
      const { lat, lon } = decodePoint(column.bigintAt(index));
      return `${lat}, ${lon}`;
    });
  }
  if (values.kind === "numbers") {
    const column = reader.numbers(name);
    if (column === undefined || !column.has(doc)) return [];
    return range(column.start(doc), column.end(doc)).map((index) =>
      printNumber(field, values.read(column, index), format),
    );
  }
  const column = reader.ordinals(name);
  if (values.kind !== "terms" || column === undefined || !column.has(doc)) return [];
  return range(column.start(doc), column.end(doc)).map((index) =>
    values.decode(column.dictionary.term(column.ords[index] ?? 0)),
  );
}

function printNumber(
  field: CompiledField,
  value: number | bigint,
  format: string | undefined,
): Printable {
  if (field.family === "date") {
    const pattern = format ?? field.dateFormat;
    const dates = typeof pattern === "string" ? dateFormatOf(pattern) : pattern;
    const isNanos = field.type === "date_nanos";
    const ms = isNanos ? Number(BigInt(value) / 1_000_000n) : Number(value);
    const nanos = isNanos ? Number(BigInt(value) % 1_000_000n) : 0;
    return dates?.format({ ms, nanos }, UTC) ?? String(value);
  }
  if (format !== undefined && format !== "use_field_mapping")
    return formatDecimal(Number(value), format);
  const isInteger = field.values.kind === "numbers" && field.values.isInteger;
  return isInteger || typeof value === "bigint" ? value : double(value);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Throws when the source is not kept. Rests between fields. */
export function* sourceFields(
  { mapping }: ShardView,
  tree: JsonTree,
  requests: readonly FieldFormat[],
  rest: Rest,
): Generator<undefined, { readonly [field: string]: readonly Json[] }> {
  const found: Record<string, readonly Json[]> = {};
  for (const request of requests) {
    for (const [name, field] of fieldsOf(mapping, request)) {
      yield* rest();
      const path = parentOf(mapping, name);
      const values = valuesAt(tree, path).flatMap((value): Json[] => {
        const shown = field.present(value, request.format);
        return shown === undefined ? [] : [shown];
      });
      if (values.length > 0) setKey(found, name, values);
    }
  }
  return found;
}

/** A multi-field has its parent's values. */
function parentOf(mapping: Mapping, name: string): string {
  const at = name.lastIndexOf(".");
  if (at < 0) return name;
  const parent = name.slice(0, at);
  return mapping.object(parent) === undefined && mapping.field(parent) !== undefined
    ? parentOf(mapping, parent)
    : name;
}
