/** Conversion of alias metadata from request bodies to the cluster state, and back to responses. */
import type { AliasMetadata } from "@orrery/cluster-state";
import { javaText, isJsonObject, lookup, OperationError, type JsonObject } from "@orrery/stdx";
import type { PrintableObject } from "../json/printable.ts";

/** JSON of the metadata of one alias. */
export function aliasJson(alias: AliasMetadata): PrintableObject {
  return {
    filter: alias.filter,
    index_routing: alias.indexRouting,
    search_routing: alias.searchRouting,
    is_write_index: alias.isWriteIndex,
    is_hidden: alias.isHidden,
  };
}

/** JSON of the aliases of an index, by name. */
export function aliasesJson(aliases: ReadonlyMap<string, AliasMetadata>): PrintableObject {
  return Object.fromEntries([...aliases].map(([name, alias]) => [name, aliasJson(alias)]));
}

/** Keys of an alias in request bodies, in the three spellings that the product accepts. */
const ROUTING = ["routing"];
const INDEX_ROUTING = ["index_routing", "indexRouting", "index-routing"];
const SEARCH_ROUTING = ["search_routing", "searchRouting", "search-routing"];

/** All keys that an alias may have in a request body, in every accepted spelling. */
export const ALIAS_KEYS: readonly string[] = [
  "filter",
  "is_hidden",
  "is_write_index",
  ...ROUTING,
  ...INDEX_ROUTING,
  ...SEARCH_ROUTING,
];

/** Reads the metadata of an alias. Unknown keys are ignored, and an empty filter counts as none. */
export function aliasOfJson(body: JsonObject): AliasMetadata {
  const text = (keys: readonly string[]): string | undefined => {
    const value = keys
      .map((key) => lookup(body, key))
      .find((found) => found !== undefined && found !== null);
    return value === undefined || value === null ? undefined : javaText(value);
  };
  const routing = text(ROUTING);
  const indexRouting = text(INDEX_ROUTING) ?? routing;
  const searchRouting = text(SEARCH_ROUTING) ?? routing;
  const { filter, is_write_index: isWriteIndex, is_hidden: isHidden } = body;
  return {
    ...(isJsonObject(filter) && Object.keys(filter).length > 0 ? { filter } : {}),
    ...(indexRouting === undefined ? {} : { indexRouting }),
    ...(searchRouting === undefined ? {} : { searchRouting }),
    ...(isWriteIndex === undefined || isWriteIndex === null
      ? {}
      : { isWriteIndex: isTrue(isWriteIndex) }),
    ...(isHidden === undefined || isHidden === null ? {} : { isHidden: isTrue(isHidden) }),
  };
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** The 404 for aliases of which none exists. */
export function aliasesNotFound(names: readonly string[]): OperationError {
  return new OperationError({
    type: "aliases_not_found_exception",
    reason: `aliases [${names.join(", ")}] missing`,
    status: 404,
    metadata: {
      "resource.id": names.length === 1 ? (names[0] ?? "") : [...names],
      "resource.type": "aliases",
    },
  });
}
