/** Claims about aliases of indices, with their filters and routing values. */
import { isJsonObject, javaText, type Json, type JsonObject } from "@orrery/stdx";
import {
  allIndices,
  GONE,
  memberAt,
  plainNames,
  textOf,
  type ChangeKind,
  type Claim,
  type StateChange,
} from "./change.ts";
import { indexState } from "./index-states.ts";

/** Effect of `PUT` and `DELETE /{index}/_alias/{name}`, and of their variants. */
export const aliasOfIndex: ChangeKind = ({ method, path, body }) => {
  const place = path.findIndex((segment) => segment === "_alias" || segment === "_aliases");
  const isChange =
    method === "PUT" || method === "DELETE" || (method === "POST" && path.length > 1);
  if (!isChange || place < 0 || place > 1) return undefined;
  const given = method === "DELETE" ? {} : body();
  // The body may override the names of the path.
  const isAnew = "index" in given || "alias" in given;
  const indices = place === 1 && !isAnew ? plainNames(path[0]) : undefined;
  const names = plainNames(path[place + 1]);
  if (indices === undefined || names === undefined) return { claims: [], touches: ["index-part"] };
  if (isOddlySpelt(given)) return { claims: [], touches: ["index-part"] };
  const becomes = method === "DELETE" ? GONE : aliasText(given);
  return { claims: indices.flatMap((index) => names.map((name) => alias(index, name, becomes))) };
};

/** Effect of `POST /_aliases`. */
export const aliasActions: ChangeKind = ({ method, path, body }) => {
  if (method !== "POST" || path.join("/") !== "_aliases") return undefined;
  const { actions } = body();
  const all = (Array.isArray(actions) ? (actions as readonly Json[]) : []).map(changeOf);
  // A removal matches only aliases that existed before the request, so the combined effect of several actions on one
  // alias is not claimed.
  const claims = all.flatMap((one) => one.claims);
  const parts = claims.map(({ part }) => part);
  const isVague = all.some((one) => one.claims.length === 0);
  const isOnly = ({ part, becomes }: Claim): boolean =>
    parts.indexOf(part) === parts.lastIndexOf(part) && !(isVague && becomes === GONE);
  return {
    claims: claims.filter(isOnly),
    touches: [
      ...all.flatMap(({ touches = [] }) => touches),
      ...claims.filter((claim) => !isOnly(claim)).map(({ part }) => part),
    ],
  };
};

function changeOf(action: Json): StateChange {
  const [kind = "", given = null] = Object.entries(isJsonObject(action) ? action : {})[0] ?? [];
  const indices = namesIn(given, "index", "indices");
  if (kind === "remove_index") {
    if (indices === undefined) return { claims: [], touches: allIndices };
    return {
      claims: indices.map((index) => indexState(index, GONE)),
      touches: indices.map((index) => `index-part/${index}`),
    };
  }
  const names = namesIn(given, "alias", "aliases");
  const isKnown = kind === "add" || kind === "remove";
  if (!isKnown || !isJsonObject(given) || indices === undefined || names === undefined)
    return { claims: [], touches: allIndices };
  if (isOddlySpelt(given)) return { claims: [], touches: ["index-part"] };
  const becomes = kind === "add" ? aliasText(given) : GONE;
  return { claims: indices.flatMap((index) => names.map((name) => alias(index, name, becomes))) };
}

function namesIn(given: Json, one: string, several: string): readonly string[] | undefined {
  const found = memberAt(given, [one]) ?? memberAt(given, [several]);
  return plainNames(Array.isArray(found) ? found.map(String).join(",") : textIn(found));
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function alias(index: string, name: string, becomes: string): Claim {
  return {
    part: `index-part/${index}/alias/${name}`,
    name: `the alias [${name}] of [${index}]`,
    becomes,
    uri: `/${encodeURIComponent(index)}/_alias`,
    find: ({ body }) => {
      const aliases = memberAt(body, [index, "aliases"]);
      if (!isJsonObject(aliases)) return undefined;
      const found = memberAt(aliases, [name]);
      return isJsonObject(found) ? aliasText(found) : GONE;
    },
  };
}

/** True for routing values in spellings that no answer uses. */
function isOddlySpelt(given: JsonObject): boolean {
  return Object.keys(given).some((key) => /^(?:index|search)(?:Routing|-routing)$/.test(key));
}

/** Normal form of an alias, equal for a request and for the answer that shows it. */
function aliasText({ filter, routing, ...given }: JsonObject): string {
  const isFiltered = isJsonObject(filter) && Object.keys(filter).length > 0;
  return textOf({
    ...(isFiltered ? { filter } : {}),
    ...textsOf({
      index_routing: given["index_routing"] ?? routing,
      search_routing: given["search_routing"] ?? routing,
      is_write_index: given["is_write_index"],
    }),
  });
}

function textsOf(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  const given = Object.entries(values).filter(([, value]) => (value ?? null) !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, javaText(value)]));
}
