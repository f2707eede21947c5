/** The `sort` of a request. */
import { illegalArgument, isJsonObject, lookup, type Json } from "@orrery/stdx";
import {
  contentError,
  items,
  members,
  parsingError,
  scalarText,
  unknownField,
  wrapField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { metersPer, pointOf } from "../queries/geo.ts";
import { parseQuery } from "../queries/parse-query.ts";
import type { Query } from "../language/query.ts";
import type { GeoPoint } from "../mapping/types/geo-point.ts";

export type SortMode = "min" | "max" | "avg" | "sum" | "median";

export type SortKey =
  | { readonly kind: "score"; readonly isDescending: boolean }
  | { readonly kind: "doc"; readonly isDescending: boolean }
  /** Shard and document in one number: a tie-break for points in time. */
  | { readonly kind: "shard-doc"; readonly isDescending: boolean }
  | FieldSort
  | {
      readonly kind: "geo-distance";
      readonly field: string;
      readonly points: readonly GeoPoint[];
      readonly unitMeters: number;
      readonly isDescending: boolean;
      readonly mode: SortMode | undefined;
    };

export interface FieldSort {
  readonly kind: "field";
  readonly field: string;
  readonly isDescending: boolean;
  /** `_first`, `_last`, or a value. */
  readonly missing: Json;
  readonly mode: SortMode | undefined;
  readonly unmappedType: string | undefined;
  readonly numericType: string | undefined;
  readonly nested: NestedSort | undefined;
}

export interface NestedSort {
  readonly path: string;
  readonly filter: Query | undefined;
}

const MODES: readonly SortMode[] = ["min", "max", "avg", "sum", "median"];

export function parseSort(at: Cursor): SortKey[] {
  return items(at).flatMap((item) => {
    if (typeof item.json === "string") return [keyOf(item.json, undefined)];
    if (isJsonObject(item.json))
      return members(item).map(([name, member]) => parseKey(name, member));
    throw illegalArgument(
      "malformed sort format, within the sort array, an object, or an actual string are allowed",
    );
  });
}

function parseKey(name: string, at: Cursor): SortKey {
  if (name === "_geo_distance") return parseGeoSort(at);
  if (name === "_script") throw illegalArgument("sorting by scripts is not supported");
  if (isJsonObject(at.json)) return parseFieldSort(name, at);
  return keyOf(name, parseOrder(scalarText(at)));
}

function keyOf(name: string, isDescending: boolean | undefined): SortKey {
  if (name === "_score") return { kind: "score", isDescending: isDescending ?? true };
  if (name === "_shard_doc") return { kind: "shard-doc", isDescending: isDescending ?? false };
  if (name === "_doc") return { kind: "doc", isDescending: isDescending ?? false };
  return {
    kind: "field",
    field: name,
    isDescending: isDescending ?? false,
    missing: "_last",
    mode: undefined,
    unmappedType: undefined,
    numericType: undefined,
    nested: undefined,
  };
}

function parseOrder(word: string): boolean {
  const order = word.toLowerCase();
  if (order === "asc" || order === "desc") return order === "desc";
  throw illegalArgument(
    `No enum constant org.opensearch.search.sort.SortOrder.${word.toUpperCase()}`,
  );
}

const FIELD_KEYS = [
  "missing",
  "unmapped_type",
  "order",
  "mode",
  "nested_filter",
  "nested_path",
  "nested",
  "numeric_type",
];

/** What the parser of a key calls itself. */
const PARSERS: Readonly<Record<string, string>> = {
  _score: "score_sort",
  _shard_doc: "_shard_doc",
};

function parseFieldSort(name: string, at: Cursor): SortKey {
  const parser = lookup(PARSERS, name) ?? "field_sort";
  const isShardDoc = name === "_shard_doc";
  let key = keyOf(name, undefined);
  for (const [option, member] of members(at)) {
    const isKnown = isShardDoc ? option === "order" : FIELD_KEYS.includes(option);
    if (!isKnown) throw unknownField(member, parser, isShardDoc ? ["order"] : FIELD_KEYS);
    if (option === "order") {
      key = {
        ...key,
        isDescending: wrapField(member, parser, () => parseOrder(scalarText(member))),
      };
    } else if (key.kind === "field") {
      key = withOption(key, option, member);
    }
  }
  return key;
}

function withOption(key: FieldSort, option: string, at: Cursor): FieldSort {
  switch (option) {
    case "missing":
      return { ...key, missing: at.json };
    case "unmapped_type":
      return { ...key, unmappedType: scalarText(at) };
    case "mode":
      return { ...key, mode: wrapField(at, "field_sort", () => parseMode(scalarText(at))) };
    case "numeric_type":
      return { ...key, numericType: scalarText(at) };
    case "nested":
      return { ...key, nested: parseNested(at) };
    default:
      return key;
  }
}

function parseMode(word: string): SortMode {
  const mode = MODES.find((candidate) => candidate === word.toLowerCase());
  if (mode === undefined) throw illegalArgument(`Unknown SortMode [${word}]`);
  return mode;
}

function parseNested(at: Cursor): NestedSort {
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

function parseGeoSort(at: Cursor): SortKey {
  let isDescending = false;
  let unitMeters = 1;
  let mode: SortMode | undefined;
  let field: string | undefined;
  let points: GeoPoint[] = [];
  for (const [name, member] of members(at)) {
    if (name === "order") isDescending = parseOrder(scalarText(member));
    else if (name === "unit") unitMeters = metersPer(scalarText(member));
    else if (name === "mode") mode = parseMode(scalarText(member));
    else if (!["distance_type", "validation_method", "ignore_unmapped", "nested"].includes(name)) {
      field = name;
      points = geoPoints(member.json);
    }
  }
  if (field === undefined)
    throw illegalArgument("Field and points must be specified for _geo_distance sort");
  return { kind: "geo-distance", field, points, unitMeters, isDescending, mode };
}

function geoPoints(json: Json): GeoPoint[] {
  const isList = Array.isArray(json) && typeof json[0] !== "number";
  return isList ? (json as readonly Json[]).map(pointOf) : [pointOf(json)];
}
