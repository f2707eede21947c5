/**
 * Sorts by a field: the options, and the reader for the type of the field's values. Source:
 * `FieldSortBuilder`.
 */
import { illegalArgument, OperationError, type Json } from "@orrery/stdx";
import { contentError, members, parsingError, scalarText, wrapField } from "../body/cursor.ts";
import { requireFieldData } from "../execution/field-data.ts";
import type { Cursor } from "../language/cursor.ts";
import type { BuildContext, Query } from "../language/query.ts";
import type { SortValue } from "../language/results.ts";
import type { SortKey, SortReader } from "../language/sort.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { shardProblem } from "../queries/query.ts";
import { parseMode, type SortMode } from "./sort-mode.ts";
import { missingNumber, numberReader, parseNumber } from "./sort-numbers.ts";
import { readOptions } from "./sort-options.ts";
import { idReader, indexReader, missingText, termReader } from "./sort-terms.ts";

/** A parsed field sort. */
export interface FieldSort {
  readonly field: string;
  readonly isDescending: boolean;
  /** The value of documents without one: `_first`, `_last`, or a value. */
  readonly missing: Json;
  readonly mode: SortMode | undefined;
  /** Type of the field where it is not mapped; `undefined`: such a shard fails. */
  readonly unmappedType: string | undefined;
  readonly numericType: string | undefined;
  readonly nested: NestedSort | undefined;
}

/** The nested objects whose values sort their documents; `filter` selects among them. */
export interface NestedSort {
  readonly path: string;
  readonly filter: Query | undefined;
}

/** Options of a field sort. */
export const FIELD_OPTIONS: readonly string[] = [
  "missing",
  "unmapped_type",
  "order",
  "mode",
  "nested_filter",
  "nested_path",
  "nested",
  "numeric_type",
];

/** The key of a field without options. An `undefined` order is ascending. */
export function fieldKey(field: string, isDescending: boolean | undefined): SortKey {
  return keyOf({ ...withoutOptions(field), isDescending: isDescending ?? false });
}

/** Parses a field sort with options. */
export function parseFieldSort(field: string, at: Cursor): SortKey {
  let sort = withoutOptions(field);
  const isDescending = readOptions(at, {
    parser: "field_sort",
    known: FIELD_OPTIONS,
    read: (option, member) => {
      sort = withOption(sort, option, member);
    },
  });
  return keyOf({ ...sort, isDescending: isDescending ?? false });
}

function keyOf(sort: FieldSort): SortKey {
  return {
    name: sort.field,
    isDescending: sort.isDescending,
    isMissingFirst: sort.missing === "_first",
    isScore: false,
    field: sort.field,
    printsAs: (mapping) => {
      const values = mapping.compiledField(sort.field)?.values;
      if (values?.kind !== "numbers" || values.isInteger) return undefined;
      return values.isFloat === true ? "float" : "double";
    },
    reader: (context) => fieldReader(sort, context),
  };
}

function withoutOptions(field: string): FieldSort {
  return {
    field,
    isDescending: false,
    missing: "_last",
    mode: undefined,
    unmappedType: undefined,
    numericType: undefined,
    nested: undefined,
  };
}

/** The sort with one option read; deprecated ones are accepted and ignored. */
function withOption(sort: FieldSort, option: string, at: Cursor): FieldSort {
  switch (option) {
    case "missing":
      return { ...sort, missing: at.json };
    case "unmapped_type":
      return { ...sort, unmappedType: scalarText(at) };
    case "mode":
      return { ...sort, mode: wrapField(at, "field_sort", () => parseMode(scalarText(at))) };
    case "numeric_type":
      return { ...sort, numericType: scalarText(at) };
    case "nested":
      return { ...sort, nested: parseNested(at) };
    default:
      return sort;
  }
}

/** Parses `nested`; `max_children` is accepted and ignored. */
export function parseNested(at: Cursor): NestedSort {
  let path = "";
  let filter: Query | undefined;
  for (const [name, member] of members(at)) {
    if (name === "path") path = scalarText(member);
    else if (name === "filter") filter = parseQuery(member);
    else if (name !== "max_children" && name !== "nested")
      throw parsingError(member, `malformed nested format, unexpected [${name}]`);
  }
  if (path === "") throw contentError(at, "[nested_sort] missing [path]");
  return { path, filter };
}

/**
 * The reader for the field's type.
 * @throws OperationError 400 if it cannot be sorted on
 */
function fieldReader(sort: FieldSort, context: BuildContext): SortReader {
  const field = context.mapping.compiledField(sort.field);
  if (field === undefined) return unmappedReader(sort, context);
  requireFieldData(field, context);
  if (field.name === "_id") return idReader(sort);
  if (field.name === "_index") return indexReader(sort, context.searcher.view.index);
  if (field.values.kind === "numbers")
    return numberReader(sort, field, { values: field.values, context });
  if (field.values.kind === "terms")
    return termReader(sort, field, { values: field.values, context });
  throw illegalArgument(
    `can't sort on ${field.type} field without using specific sorting feature, like geo_distance`,
  );
}

/**
 * The reader of a shard that does not map the field: all values are missing ones of
 * `unmapped_type`.
 */
function unmappedReader(sort: FieldSort, context: BuildContext): SortReader {
  const type = sort.unmappedType;
  if (type === undefined) {
    throw new OperationError(
      shardProblem(context.searcher, `No mapping found for [${sort.field}] in order to sort on`),
    );
  }
  const row = context.mapping.language.fieldTypes.get(type);
  if (row === undefined) {
    throw illegalArgument(`No mapper found for type [${type}]`);
  }
  const isText = row.sortsAs === "text";
  const isInteger = row.sortsAs === "integers";
  const missing = isText ? missingText(sort) : missingNumber(sort, isInteger, type);
  return {
    isDescending: sort.isDescending,
    isMissingFirst: sort.missing === "_first",
    isScore: false,
    isDoc: false,
    print: undefined,
    open: () => ({ value: () => missing, rank: undefined, ranks: undefined }),
    parse: (value) => (isText ? (value as SortValue) : parseNumber(value, sort.field, isInteger)),
  };
}
