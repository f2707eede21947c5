/**
 * What requests make of the cluster state, as data for the judge of acknowledged changes.
 *
 * A part of the state has a path: `index/books` is whether the index is there, `index-part/books/alias/all` one of its aliases,
 * `setting/persistent/…` and `index_template/…` are of the cluster. A part stands for all below it; the empty path for everything.
 */
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";
import type { ClientAnswer, ClientRequest } from "../../world.ts";

/** A part of the state, as an acknowledged request leaves it. */
export interface Claim {
  readonly part: string;
  /** The part in a sentence. */
  readonly name: string;
  readonly becomes: string;
  /** A question whose answer shows the part; it takes the parameter `local`. */
  readonly uri: string;
  /** What the answer shows; `undefined` when the answer does not tell. */
  readonly find: (answer: ClientAnswer) => string | undefined;
}

export interface StateChange {
  readonly claims: readonly Claim[];
  /** Further parts that the request may change. */
  readonly touches?: readonly string[];
  /** A part that the request may make, and never changes otherwise. */
  readonly makes?: string;
  /** The change goes on after the answer. */
  readonly isLasting?: true;
}

/** A request, taken apart. */
export interface Sent {
  readonly method: string;
  /** Segments of the path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** An empty object when there is none. */
  readonly body: () => JsonObject;
}

/** One kind of change; `undefined` for requests of other kinds. */
export type ChangeKind = (sent: Sent) => StateChange | undefined;

export const GONE = "gone";
/** Every index, and all that indices have. */
export const allIndices: readonly string[] = ["index", "index-part"];

export function sentOf({ method, uri, body }: ClientRequest): Sent {
  const [path = "", query = ""] = uri.split("?", 2);
  return {
    method,
    path: path.split("/").slice(1).map(decoded),
    query: new URLSearchParams(query),
    body: () => {
      const json = body === undefined ? undefined : parsed(body);
      return isJsonObject(json) ? json : {};
    },
  };
}

/** As it stands where it is not well encoded: nothing has such a name. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Names of a comma-separated list that mean themselves; `undefined` when one is a pattern, or none is given. */
export function plainNames(list: string | undefined): readonly string[] | undefined {
  const names = list?.split(",") ?? [];
  return names.length > 0 && names.every((name) => /^[^_<*-][^*]*$/.test(name)) ? names : undefined;
}

/** Whether the request passes over indices that are not there. */
export function isLenient({ query }: Sent): boolean {
  return query.has("ignore_unavailable") || query.has("allow_no_indices");
}

/** A member of a member, and so on. */
export function memberAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value;
  for (const name of path) found = isJsonObject(found) ? lookup(found, name) : undefined;
  return found;
}

/** JSON with its members in order, so that equal values have equal texts. */
export function textOf(value: Json | undefined): string {
  return JSON.stringify(value ?? null, (_, inner: Json) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
