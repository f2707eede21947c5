/**
 * Effects of requests on the cluster state, as data for the checker of acknowledged changes.
 *
 * A part of the state has a path: `index/books` is the existence of an index, `index-part/books/alias/all` one of its
 * aliases; `setting/persistent/…` and `index_template/…` belong to the cluster. A path includes all paths below it; the
 * empty path includes everything.
 */
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";
import type { ClientAnswer, ClientRequest } from "../../world.ts";

/** Expectation after an acknowledged request: a part of the state has this value. */
export interface Claim {
  readonly part: string;
  /** Part in words, for findings. */
  readonly name: string;
  readonly becomes: string;
  /** Request whose answer shows the part; it accepts the parameter `local`. */
  readonly uri: string;
  /** Value of the part in the answer; `undefined` if the answer does not contain it. */
  readonly find: (answer: ClientAnswer) => string | undefined;
}

/** Effect of a request on the cluster state: values that are expected after it, and parts that are not judged. */
export interface StateChange {
  readonly claims: readonly Claim[];
  /** Further parts that the request may change. */
  readonly touches?: readonly string[];
  /** Part that the request may create, and does not change otherwise. */
  readonly makes?: string;
  /** The change continues after the answer. */
  readonly isLasting?: true;
}

/** Parsed request. */
export interface Sent {
  readonly method: string;
  /** Segments of the path, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Body; an empty object if there is none. */
  readonly body: () => JsonObject;
}

/** Row for one kind of request: its effect on the cluster state; `undefined` for a request of another kind. */
export type ChangeKind = (sent: Sent) => StateChange | undefined;

/** Value of a part that does not exist. */
export const GONE = "gone";
/** Paths of every index and all its parts. */
export const allIndices: readonly string[] = ["index", "index-part"];

/** Parses a request. */
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

/** Decoded segment; one that is not well encoded stays as it is, as nothing has such a name. */
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

/** Literal names of a comma-separated list; `undefined` if one is a pattern, or the list is empty. */
export function plainNames(list: string | undefined): readonly string[] | undefined {
  const names = list?.split(",") ?? [];
  return names.length > 0 && names.every((name) => /^[^_<*-][^*]*$/.test(name)) ? names : undefined;
}

/** True if the request ignores missing indices. */
export function isLenient({ query }: Sent): boolean {
  return query.has("ignore_unavailable") || query.has("allow_no_indices");
}

/** Member of a nested object at a path of names; `undefined` if there is none. */
export function memberAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value;
  for (const name of path) found = isJsonObject(found) ? lookup(found, name) : undefined;
  return found;
}

/** JSON with sorted members, so that equal values have equal texts. */
export function textOf(value: Json | undefined): string {
  return JSON.stringify(value ?? null, (_, inner: Json) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
