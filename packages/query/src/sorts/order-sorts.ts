/**
 * Sorts without values of a field: `_score`, `_doc`, and `_shard_doc`, the tie-break of points in
 * time.
 */
import type { SortKey, SortReader, SortType } from "../language/sort.ts";
import { FIELD_OPTIONS } from "./field-sort.ts";
import { parseNumber } from "./sort-numbers.ts";
import { readOptions } from "./sort-options.ts";

/** A sort whose only option is the order. */
function orderSort(
  options: { readonly parser: string; readonly known: readonly string[] },
  named: NonNullable<SortType["named"]>,
): SortType {
  return { named, parse: (at) => named(readOptions(at, options)) };
}

/** The sort `_score`, descending by default. */
export const scoreSort: SortType = orderSort(
  { parser: "score_sort", known: FIELD_OPTIONS },
  (isDescending = true) => ({
    ...orderKey("_score", isDescending, () => scoreReader(isDescending)),
    isScore: true,
    printsAs: () => "float",
  }),
);

/** The sort `_doc`: the order of documents in the index. */
export const docSort: SortType = orderSort(
  { parser: "field_sort", known: FIELD_OPTIONS },
  (isDescending = false) => orderKey("_doc", isDescending, () => docReader(isDescending)),
);

/** The sort `_shard_doc`: by shard, then by the order of documents in the index. */
export const shardDocSort: SortType = orderSort(
  { parser: "_shard_doc", known: ["order"] },
  (isDescending = false) =>
    orderKey("_shard_doc", isDescending, (_context, shardIndex) =>
      shardDocReader(isDescending, shardIndex),
    ),
);

function orderKey(name: string, isDescending: boolean, reader: SortKey["reader"]): SortKey {
  return {
    name,
    isDescending,
    isMissingFirst: false,
    isScore: false,
    field: undefined,
    printsAs: () => undefined,
    reader,
  };
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

/**
 * Shard and document in one number. Segments are read in this order, so nothing after a full page
 * is better.
 */
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
