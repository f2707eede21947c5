/**
 * Values of a field as keys of buckets, by document: strings, doubles, 64-bit integers; booleans as
 * 0 and 1. For aggregations that accept any type of field, such as `multi_terms`, `rare_terms` and
 * `composite`.
 */
import { javaText, latin1Text } from "@orrery/stdx";
import type { OrdinalColumn } from "@orrery/segment";
import { formatIp } from "../mapping/types/ip.ts";
import { double, javaDouble } from "../json/json-text.ts";
import type { Budget } from "../work/budget.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { Printable } from "../json/printable.ts";
import type { AggregationContext } from "../language/aggregation.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { aggregatedField, numberSource, type ValuesSpec } from "./values.ts";

/**
 * A bucket's key, as partials carry it between nodes and reductions compare it: a text, a double,
 * or a 64-bit integer as bigint.
 */
export type Key = string | number | bigint;

/** The kind of keys, on which printing depends: a `double` always has a fraction. */
export type KeyKind = "string" | "long" | "double";

/** Reads the bucket keys of documents from the values of one field. */
export interface KeySource {
  readonly kind: KeyKind;
  readonly format: ValueFormat;
  /** The distinct keys of a document; `undefined`: no document of the segment has one. */
  open(segment: SegmentContext): ((doc: number) => readonly Key[]) | undefined;
}

/**
 * The source for a field, with `missing` for documents without a value. The key of an address is
 * the text of its bytes in Latin-1, so keys sort as addresses do.
 * @throws OperationError if the field cannot be aggregated on
 */
export function keySource(context: AggregationContext, spec: ValuesSpec, type: string): KeySource {
  const field = aggregatedField(context, spec);
  if (field !== undefined && field.values.kind === "terms" && field.values.format !== "boolean") {
    const { values } = field;
    const name = field.aliasOf ?? field.name;
    const isIp = values.format === "ip";
    const decode = isIp ? latin1Text : (term: Uint8Array): string => String(values.decode(term));
    const missing =
      spec.missing === undefined
        ? NONE
        : [isIp ? latin1Text(values.encode(spec.missing)) : javaText(spec.missing)];
    return {
      kind: "string",
      format: isIp ? "ip" : RAW,
      open: ({ reader }) => {
        const column = reader.ordinals(name);
        if (column === undefined) return missing === NONE ? undefined : () => missing;
        return ordinalKeys(column, decode, { missing, budget: context.budget });
      },
    };
  }
  if (field === undefined && typeof spec.missing === "string") {
    const missing = [spec.missing];
    return { kind: "string", format: RAW, open: () => () => missing };
  }
  const source = numberSource(context, spec, type);
  const isDouble =
    field !== undefined && field.values.kind === "numbers" && !field.values.isInteger;
  return {
    kind: isDouble ? "double" : "long",
    format: formatOf(field, spec.format, spec.timeZone),
    open: (segment) => {
      const exact = source.exact?.(segment);
      if (exact !== undefined) return (doc) => distinct(exact(doc));
      const values = source.open(segment);
      if (values === undefined) return undefined;
      return (doc) => distinct([...values.buffer.subarray(0, values.read(doc))]);
    },
  };
}

const NONE: readonly Key[] = [];

function distinct(keys: readonly Key[]): readonly Key[] {
  return keys.length < 2 ? keys : [...new Set(keys)];
}

/** Keys of a column; each term is decoded once for each segment. */
function ordinalKeys(
  column: OrdinalColumn,
  decode: (term: Uint8Array) => string,
  { missing, budget }: { readonly missing: readonly Key[]; readonly budget: Budget },
): (doc: number) => readonly Key[] {
  const texts: (string | undefined)[] = [];
  const textOf = (ord: number): string => {
    const text = texts[ord] ?? decode(column.dictionary.term(ord));
    texts[ord] = text;
    return text;
  };
  return (doc) => {
    if (!column.has(doc)) return missing;
    const keys: Key[] = [];
    budget.step(column.end(doc) - column.start(doc));
    for (let at = column.start(doc); at < column.end(doc); at += 1)
      keys.push(textOf(column.ords[at] as number));
    return keys;
  };
}

/** A key as JSON prints it. */
export function printKey(key: Key, kind: KeyKind, format: ValueFormat): Printable {
  if (typeof key === "string") return keyText(key, kind, format);
  if (format === "boolean") return key !== 0;
  return kind === "double" ? double(Number(key)) : key;
}

/** A key as text (`key_as_string`), in the field's format. */
export function keyText(key: Key, kind: KeyKind, format: ValueFormat): string {
  if (typeof key === "string")
    return format === "ip" ? formatIp(Uint8Array.from(key, (char) => char.charCodeAt(0))) : key;
  return (
    formatNumber(Number(key), format) ?? (kind === "double" ? javaDouble(Number(key)) : String(key))
  );
}
