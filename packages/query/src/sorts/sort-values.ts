/** What documents are sorted by: a reader for each sort key. */
import { illegalArgument, OperationError } from "@orrery/stdx";
import type { BuildContext } from "../language/query.ts";
import { shardProblem } from "../queries/query.ts";
import type { FieldSort, SortKey } from "./parse-sort.ts";
import type { SortValue } from "../language/results.ts";
import { requireFieldData } from "../execution/field-data.ts";
import { geoReader } from "./sort-distance.ts";
import { missingNumber, numberReader, parseNumber } from "./sort-numbers.ts";
import type { SortReader } from "./sort-reader.ts";
import { idReader, indexReader, missingText, termReader } from "./sort-terms.ts";

export function sortReaders(
  keys: readonly SortKey[],
  context: BuildContext,
  shardIndex = 0,
): SortReader[] {
  return keys.map((key) => {
    switch (key.kind) {
      case "score":
        return scoreReader(key.isDescending);
      case "doc":
        return docReader(key.isDescending);
      case "shard-doc":
        return shardDocReader(key.isDescending, shardIndex);
      case "field":
        return fieldReader(key, context);
      case "geo-distance":
        return geoReader(key, context);
    }
  });
}

function scoreReader(isDescending: boolean): SortReader {
  return {
    isDescending,
    isMissingFirst: false,
    isScore: true,
    isDoc: false,
    print: undefined,
    open: () => ({ value: (_doc, score) => score, rank: undefined, ranks: undefined }),
    parse: (value) => parseNumber(value, "_score", false),
  };
}

function docReader(isDescending: boolean): SortReader {
  return {
    isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: true,
    print: undefined,
    open: ({ base }) => ({
      value: (doc) => base + doc,
      rank: { of: (doc) => base + doc, ofValue: Number },
      ranks: undefined,
    }),
    parse: (value) => parseNumber(value, "_doc", false),
  };
}

/** Shards and segments come in this order, too, so that nothing after a full page is better. */
function shardDocReader(isDescending: boolean, shardIndex: number): SortReader {
  const first = shardIndex * 2 ** 32;
  return {
    isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: true,
    print: undefined,
    open: ({ base }) => ({
      value: (doc) => first + base + doc,
      rank: { of: (doc) => first + base + doc, ofValue: Number },
      ranks: undefined,
    }),
    parse: (value) => parseNumber(value, "_shard_doc", true),
  };
}

function fieldReader(key: FieldSort, context: BuildContext): SortReader {
  const field = context.mapping.compiledField(key.field);
  if (field === undefined) return unmappedReader(key, context);
  requireFieldData(field, context);
  if (field.name === "_id") return idReader(key);
  if (field.name === "_index") return indexReader(key, context.searcher.view.index);
  if (field.values.kind === "numbers")
    return numberReader(key, field, { values: field.values, context });
  if (field.values.kind === "terms")
    return termReader(key, field, { values: field.values, context });
  throw illegalArgument(
    `can't sort on ${field.type} field without using specific sorting feature, like geo_distance`,
  );
}

function unmappedReader(key: FieldSort, context: BuildContext): SortReader {
  const type = key.unmappedType;
  if (type === undefined) {
    throw new OperationError(
      shardProblem(context.searcher, `No mapping found for [${key.field}] in order to sort on`),
    );
  }
  const row = context.mapping.language.fieldTypes.get(type);
  if (row === undefined) {
    throw illegalArgument(`No mapper found for type [${type}]`);
  }
  const isText = row.sortsAs === "text";
  const isInteger = row.sortsAs === "integers";
  const missing = isText ? missingText(key) : missingNumber(key, isInteger, type);
  return {
    isDescending: key.isDescending,
    isMissingFirst: key.missing === "_first",
    isScore: false,
    isDoc: false,
    print: undefined,
    open: () => ({ value: () => missing, rank: undefined, ranks: undefined }),
    parse: (value) => (isText ? (value as SortValue) : parseNumber(value, key.field, isInteger)),
  };
}
