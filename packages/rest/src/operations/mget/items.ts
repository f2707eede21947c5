/** Body of `mget`: documents with their own options, or ids in one index. Source: `MultiGetRequest`. */
import type { GetRequest, SourceFilter } from "@orrery/node";
import {
  javaText,
  isJsonObject,
  lookup,
  OperationError,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import { sourceFilterOfJson } from "../../documents/source-filter.ts";

/** Options of the request, for documents without their own. */
export interface MultiGetDefaults {
  readonly index: string | undefined;
  readonly routing: string | undefined;
  readonly preference: string | undefined;
  readonly realtime: boolean;
  readonly refresh: boolean;
  readonly storedFields: readonly string[] | undefined;
  readonly source: SourceFilter | undefined;
}

/** A document to read. Index and id may be missing, which validation reports. */
export type MultiGetItem = Omit<GetRequest, "index" | "id"> & {
  readonly index: string | undefined;
  readonly id: string | undefined;
};

/** The documents of the body in its order. Throws the product's error for a malformed one. */
export function multiGetItems(
  content: Content,
  defaults: MultiGetDefaults,
): readonly MultiGetItem[] {
  const body = content.object();
  const items: MultiGetItem[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (!Array.isArray(value)) throw unexpected(content, key, value);
    const itemOf = key === "docs" ? documentItem : key === "ids" ? idItem : undefined;
    if (itemOf === undefined) throw unknownKey(content, key);
    for (const entry of value as readonly Json[]) items.push(itemOf(entry, defaults));
  }
  return items;
}

function idItem(id: Json, defaults: MultiGetDefaults): MultiGetItem {
  if (typeof id === "object") throw argument("ids array element should only contain ids");
  return documentItem({ _id: javaText(id) }, defaults);
}

const STRUCTURED = new Set(["stored_fields", "_stored_fields", "_source"]);

function documentItem(entry: Json, defaults: MultiGetDefaults): MultiGetItem {
  if (!isJsonObject(entry)) throw argument("docs array element should include an object");
  for (const key of Object.keys(entry)) checkKey(entry, key);
  const stored =
    textsOf(entry["stored_fields"] ?? entry["_stored_fields"]) ?? defaults.storedFields ?? [];
  const isSourceDefault = stored.length === 0 || stored.includes("_source");
  const version = entry["version"];
  const versionType = entry["version_type"];
  return {
    index: textOf(entry["_index"]) ?? defaults.index,
    id: textOf(entry["_id"]),
    routing: textOf(entry["routing"]) ?? defaults.routing,
    preference: defaults.preference,
    realtime: defaults.realtime,
    refresh: defaults.refresh,
    storedFields: stored.filter((field) => field !== "_source" && field !== "_none_"),
    source: sourceFilterOfJson(entry["_source"]) ?? defaults.source ?? isSourceDefault,
    ...(version === undefined ? {} : { version: Number(version) }),
    ...(versionType === "external" || versionType === "external_gte" ? { versionType } : {}),
  };
}

const KEYS = new Set([
  "_index",
  "_id",
  "routing",
  "stored_fields",
  "version",
  "version_type",
  "_source",
]);

function checkKey(entry: JsonObject, key: string): void {
  if (KEYS.has(key)) {
    if (
      typeof lookup(entry, key) === "object" &&
      lookup(entry, key) !== null &&
      !STRUCTURED.has(key)
    ) {
      throw parseProblem(`failed to parse multi get request. unknown field [${key}]`);
    }
    return;
  }
  if (key === "fields") {
    throw parseProblem("Unsupported field [fields] used, expected [stored_fields] instead");
  }
  throw parseProblem(`failed to parse multi get request. unknown field [${key}]`);
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : javaText(value);
}

function textsOf(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(javaText) : [javaText(value)];
}

function unexpected(content: Content, key: string, value: Json | undefined): OperationError {
  const reason = `unexpected token [${tokenOf(value)}], expected [FIELD_NAME] or [START_ARRAY]`;
  return parsing(content, key, reason);
}

function unknownKey(content: Content, key: string): OperationError {
  return parsing(content, key, `unknown key [${key}] for a START_ARRAY, expected [docs] or [ids]`);
}

function parsing(content: Content, key: string, reason: string): OperationError {
  const metadata = { ...content.locate([key], "value") };
  return new OperationError({ type: "parsing_exception", reason, status: 400, metadata });
}

function parseProblem(reason: string): OperationError {
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}

function argument(reason: string): OperationError {
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}
