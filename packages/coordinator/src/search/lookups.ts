/**
 * Terms lookup: `terms` queries whose terms come from documents are rewritten before any shard is asked. Source:
 * `TermsQueryBuilder.doRewrite`.
 */
import { parseJson, valuesAt } from "@orrery/query";
import { javaText, isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import { get } from "../get.ts";
import type { ReplicaSelection } from "../replica-selection.ts";
import type { SearchRequest, SearchResponse } from "../types.ts";

interface TermsLookup {
  readonly index: string;
  readonly path: string;
  readonly routing: string | undefined;
  /** One document by id, or all documents that a query matches. */
  readonly from:
    | { readonly kind: "document"; readonly id: string }
    | { readonly kind: "query"; readonly query: JsonObject };
}

/** Reads the values at the lookup's path. */
type ReadLookup = (lookup: TermsLookup) => Promise<readonly Json[]>;

/** Runs the search of a lookup by query. */
export type FindDocuments = (request: SearchRequest) => Promise<SearchResponse>;

interface LookupInput {
  readonly request: SearchRequest;
  readonly search: FindDocuments;
}

/** Maximum of documents that a lookup by query reads. */
const MAX_DOCUMENTS = 10_000;

/** The body with each lookup replaced by its terms; the same object when it contains no lookup. */
export async function lookUpTerms(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  { request, search }: LookupInput,
): Promise<JsonObject> {
  if (!hasLookup(request.body)) return request.body;
  const read: ReadLookup = async ({ index, path, routing, from }) => {
    if (from.kind === "document") {
      const { source } = await get(deps, selection, {
        index,
        id: from.id,
        routing,
        preference: "_local",
        realtime: true,
        refresh: false,
        storedFields: [],
        source: true,
      });
      return source === undefined ? [] : valuesAtPath(source, path);
    }
    const body = { query: from.query, size: MAX_DOCUMENTS, _source: [path] };
    const { hits } = await search({ ...request, indices: [index], routing, body });
    return hits.flatMap(({ source }) => (source === undefined ? [] : valuesAtPath(source, path)));
  };
  return (await resolve(request.body, read)) as JsonObject;
}

/** Values at a dotted path, with arrays flattened. */
function valuesAtPath(json: Uint8Array, path: string): readonly Json[] {
  return valuesAt(parseJson(json) as Parameters<typeof valuesAt>[0], path) as readonly Json[];
}

function hasLookup(json: Json | undefined): boolean {
  if (typeof json !== "object" || json === null) return false;
  if (Array.isArray(json)) return (json as readonly Json[]).some(hasLookup);
  return Object.entries(json as JsonObject).some(
    ([key, value]) =>
      (key === "terms" && isJsonObject(value) && Object.values(value).some(isLookup)) ||
      hasLookup(value),
  );
}

function isLookup(json: Json | undefined): json is JsonObject {
  return (
    isJsonObject(json) && typeof json["index"] === "string" && typeof json["path"] === "string"
  );
}

async function resolve(json: Json, read: ReadLookup): Promise<Json> {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json))
    return Promise.all((json as readonly Json[]).map((item) => resolve(item, read)));
  const entries = Object.entries(json as JsonObject).map(async ([key, value]) => {
    const isTerms = key === "terms" && isJsonObject(value);
    return [key, isTerms ? await resolveTerms(value, read) : await resolve(value ?? null, read)];
  });
  return Object.fromEntries(await Promise.all(entries)) as JsonObject;
}

async function resolveTerms(terms: JsonObject, read: ReadLookup): Promise<Json> {
  const entries = Object.entries(terms).map(async ([field, value]) => [
    field,
    isLookup(value) ? distinct(await read(lookupOf(value))) : await resolve(value ?? null, read),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as JsonObject;
}

function lookupOf(json: JsonObject): TermsLookup {
  const { index, path, id, query, routing } = json as Readonly<Record<string, Json | undefined>>;
  return {
    index: javaText(index),
    path: javaText(path),
    routing: routing === undefined || routing === null ? undefined : javaText(routing),
    from: isJsonObject(query) ? { kind: "query", query } : { kind: "document", id: javaText(id) },
  };
}

function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Set(values)];
}
