/**
 * Sorts by terms. Within a segment documents are compared by ordinal, without decoding a term;
 * values of other segments are ranked by searching the segment's dictionary. Source: Lucene's
 * `TermOrdValComparator`.
 */
import type { OrdinalColumn, SegmentReader } from "@orrery/segment";
import { javaText, isJsonObject, latin1Text, utf8Decode, utf8Encode } from "@orrery/stdx";
import type { CompiledField, TermValues } from "../language/field-type.ts";
import type { BuildContext } from "../language/query.ts";
import type { FieldSort } from "./field-sort.ts";
import type { SortValue } from "../language/results.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { childrenOf } from "./sort-children.ts";
import { missingNumber, parseNumber } from "./sort-numbers.ts";
import type { SegmentSort, SortReader } from "../language/sort.ts";

/**
 * The sort value of documents without a term. `null`: `missing` names no text (`_first`, `_last`,
 * an object or a list).
 */
export function missingText(key: FieldSort): SortValue {
  if (key.missing === "_first" || key.missing === "_last") return null;
  return isJsonObject(key.missing) || Array.isArray(key.missing) ? null : javaText(key.missing);
}

/**
 * The sort reader of a field with terms: boolean ones as the numbers 0 and 1, binary ones by their
 * bytes, others as text.
 */
export function termReader(
  key: FieldSort,
  field: CompiledField,
  { values, context }: { readonly values: TermValues; readonly context: BuildContext },
): SortReader {
  const name = field.aliasOf ?? field.name;
  const isBoolean = values.format === "boolean";
  const isBinary = values.isBinary === true;
  const missing = isBoolean
    ? missingNumber(key, true, "boolean")
    : isBinary && missingText(key) !== null
      ? latin1Text(values.encode(key.missing))
      : missingText(key);
  const decode = (term: Uint8Array): SortValue =>
    isBoolean ? (term[0] === 84 ? 1 : 0) : isBinary ? latin1Text(term) : utf8Decode(term);
  const isMax = (key.mode ?? (key.isDescending ? "max" : "min")) === "max";
  const children = childrenOf(key, field, context);
  const open = (segment: SegmentContext): SegmentSort => {
    const column = segment.reader.ordinals(name);
    if (column === undefined) return { value: () => missing, rank: undefined, ranks: undefined };
    const ofChildren = children?.(segment);
    const ordOf = (doc: number): number =>
      ofChildren === undefined
        ? pickOrd(column, doc, isMax)
        : pickOrdOf(column, ofChildren(doc), isMax);
    const { dictionary } = column;
    return {
      value: (doc) => {
        const ord = ordOf(doc);
        return ord < 0 ? missing : decode(dictionary.term(ord));
      },
      rank: rankOf(column, ordOf, {
        missing,
        isBoolean,
        isBinary,
        isMissingFirst: key.missing === "_first",
        isDescending: key.isDescending,
      }),
      ranks:
        column.isDense && ofChildren === undefined && missing === null ? column.ords : undefined,
    };
  };
  return {
    isDescending: key.isDescending,
    isMissingFirst: key.missing === "_first",
    isScore: false,
    isDoc: false,
    print: isBinary
      ? (value) => (typeof value === "string" ? String(values.decode(bytesOfBinary(value))) : value)
      : undefined,
    open,
    parse: (value) => {
      if (value === null) return null;
      if (isBoolean)
        return value === true || value === "true"
          ? 1
          : value === false || value === "false"
            ? 0
            : parseNumber(value, key.field, true, "boolean");
      return isBinary ? latin1Text(values.encode(value)) : javaText(value);
    },
  };
}

/** The order of missing values, and how a value is encoded as a term. */
interface RankOptions {
  readonly missing: SortValue;
  readonly isBoolean: boolean;
  readonly isBinary: boolean;
  readonly isMissingFirst: boolean;
  readonly isDescending: boolean;
}

/**
 * Ranks by ordinal. A value between two terms ranks half way between their ordinals. Values that
 * replace missing ones may lie anywhere among the terms, so they have no ranks; booleans are
 * compared as numbers.
 */
function rankOf(
  column: OrdinalColumn,
  ordOf: (doc: number) => number,
  options: RankOptions,
): SegmentSort["rank"] {
  if (options.missing !== null || options.isBoolean) return undefined;
  const { dictionary } = column;
  const last = options.isMissingFirst === options.isDescending ? Infinity : -Infinity;
  return {
    of: (doc) => {
      const ord = ordOf(doc);
      return ord < 0 ? last : ord;
    },
    ofValue: (value) => {
      if (value === null) return last;
      const term = options.isBinary ? bytesOfBinary(String(value)) : utf8Encode(String(value));
      const found = dictionary.find(term);
      return found >= 0 ? found : dictionary.ceiling(term) - 0.5;
    },
  };
}

/**
 * The least or greatest ordinal of a document; -1: it has no term. Ordinals ascend within a
 * document.
 */
function pickOrd(column: OrdinalColumn, doc: number, isMax: boolean): number {
  const start = column.start(doc);
  const end = column.end(doc);
  if (end <= start) return -1;
  return column.ords[isMax ? end - 1 : start] as number;
}

/** The least or greatest ordinal of several documents. */
function pickOrdOf(column: OrdinalColumn, docs: readonly number[], isMax: boolean): number {
  let best = -1;
  for (const doc of docs) {
    const ord = pickOrd(column, doc, isMax);
    if (ord >= 0 && (best < 0 || (isMax ? ord > best : ord < best))) best = ord;
  }
  return best;
}

/** The sort reader of `_id`. */
export function idReader(key: FieldSort): SortReader {
  return {
    isDescending: key.isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: false,
    print: undefined,
    open: ({ reader }: { reader: SegmentReader }) => ({
      value: (doc) => reader.id(doc),
      rank: undefined,
      ranks: undefined,
    }),
    parse: (value) => (value === null ? null : javaText(value)),
  };
}

/** The sort reader of `_index`, whose value all documents of a shard share. */
export function indexReader(key: FieldSort, index: string): SortReader {
  return {
    ...idReader(key),
    open: () => ({ value: () => index, rank: undefined, ranks: undefined }),
  };
}

/** The bytes of a text in Latin-1, as which binary terms travel. */
function bytesOfBinary(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
