/** Gives scripts access to the doc values of a shard. */
import type { NumberColumn, OrdinalColumn } from "@orrery/segment";
import { illegalArgument } from "@orrery/stdx";
import { requireFieldData } from "../execution/field-data.ts";
import { decodePoint } from "../mapping/types/geo-point.ts";
import type { CompiledField, NumberValues, TermValues } from "../language/field-type.ts";
import type { HitValue } from "../language/hits.ts";
import type { DocValues, ScriptLookup } from "../language/script.ts";
import type { Searcher, SegmentContext } from "../language/searcher.ts";
import type { Budget } from "../work/budget.ts";

/** Returns the access of scripts to the fields of a shard and their doc values. */
export function scriptLookup(searcher: Searcher): ScriptLookup {
  return {
    field: (name) => searcher.mapping.compiledField(name),
    values: (field) => {
      requireFieldData(field, { searcher });
      if (field.name === "_version")
        throw illegalArgument("Fielddata is not supported on field [_version] of type [_version]");
      return (segment) => openValues(field, segment);
    },
  };
}

/** Opens the doc values of a field on a segment. */
function openValues(field: CompiledField, { reader, budget }: SegmentContext): DocValues {
  const name = field.aliasOf ?? field.name;
  const { values } = field;
  if (name === "_seq_no") return single((doc) => reader.seqNo(doc));
  if (values.kind === "terms") {
    const column = reader.ordinals(name);
    return column === undefined ? NO_VALUES : termValues(column, values, budget);
  }
  if (field.columnValues !== undefined && values.kind !== "numbers") {
    const { columnValues } = field;
    const column = values.kind === "geo_point" ? reader.numbers(name) : undefined;
    const listed = listedValues((doc) => [...columnValues(reader, name, doc)], budget);
    return column === undefined ? listed : { ...listed, ...pointsOf(column, listed) };
  }
  const column = reader.numbers(name);
  if (column === undefined) return NO_VALUES;
  if (values.kind === "numbers") return numberValues(column, values, budget);
  return NO_VALUES;
}

/** For a segment in which no document has the field. */
const NO_VALUES: DocValues = {
  at: () => 0,
  number: () => Number.NaN,
  value: () => null,
  point: undefined,
};

/** Doc values with exactly one number per document. */
function single(read: (doc: number) => number): DocValues {
  let now = 0;
  return {
    at: (doc) => {
      now = read(doc);
      return 1;
    },
    number: () => now,
    value: () => now,
    point: undefined,
  };
}

/** The first value of the current document. */
interface Span {
  start: number;
}

/** Returns the function that moves to a document of a column and counts its values. */
function moveIn(column: NumberColumn | OrdinalColumn, span: Span, budget: Budget): DocValues["at"] {
  return (doc) => {
    if (!column.has(doc)) return 0;
    span.start = column.start(doc);
    const count = column.end(doc) - span.start;
    budget.step(count);
    return count;
  };
}

function numberValues(column: NumberColumn, values: NumberValues, budget: Budget): DocValues {
  const span: Span = { start: 0 };
  // Scripts see milliseconds, even of dates with nanoseconds.
  const double =
    values.isNanos === true
      ? (at: number) => Number(column.bigintAt(at) / 1_000_000n)
      : (at: number) => values.double(column, at);
  return {
    at: moveIn(column, span, budget),
    number: (index) => double(span.start + index),
    value: (index) => values.read(column, span.start + index),
    point: undefined,
  };
}

function termValues(column: OrdinalColumn, values: TermValues, budget: Budget): DocValues {
  const span: Span = { start: 0 };
  const read = (index: number): string | boolean =>
    values.decode(column.dictionary.term(column.ords[span.start + index] ?? 0));
  return {
    at: moveIn(column, span, budget),
    number: (index) => (values.format === "boolean" ? Number(read(index)) : Number.NaN),
    value: read,
    point: undefined,
  };
}

/** Doc values of types that list their own values. */
function listedValues(list: (doc: number) => readonly HitValue[], budget: Budget): DocValues {
  let now: readonly HitValue[] = [];
  return {
    at: (doc) => {
      now = list(doc);
      budget.step(now.length);
      return now.length;
    },
    number: (index) => Number(now[index] ?? Number.NaN),
    value: (index) => now[index] ?? null,
    point: undefined,
  };
}

/** Adds points, read from the column that belongs to the listed values. */
function pointsOf(column: NumberColumn, listed: DocValues): Pick<DocValues, "at" | "point"> {
  let start = 0;
  return {
    at: (doc) => {
      const count = listed.at(doc);
      if (count > 0) start = column.start(doc);
      return count;
    },
    point: (index) => decodePoint(column.bigintAt(start + index)),
  };
}
