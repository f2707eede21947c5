/**
 * The router: one radix tree over the paths of all operations; each path maps methods to operations.
 *
 * Literal segments take precedence over parameters for every method, so `PUT /_refresh` is a wrong method, not an
 * index named `_refresh`.
 */
import findMyWay from "find-my-way";
import type { Operation } from "./operation.ts";
import type { UnbuiltOperation } from "./unbuilt.ts";

/** Operations by method, and the decoded path parameters. */
export interface Match {
  readonly operations: ReadonlyMap<string, Operation>;
  /** Names of operations that the path has in the product and not here, by method. */
  readonly unbuilt: ReadonlyMap<string, string>;
  readonly path: Readonly<Record<string, string | undefined>>;
}

/** Finds the operations that a path has, by method. */
export interface Router {
  /**
   * Finds a raw path without query string; `undefined`: no operation has such a path. Throws `URIError` when an
   * escape cannot be decoded.
   */
  find(path: string): Match | undefined;
}

/** Number of paths whose result is cached. Clients repeat a few paths; those with a document id rarely recur and are not cached. */
const MOST_RECENT = 256;

/**
 * Builds the tree over all routes, and over those of operations that are not built, if they are given. Of two operations
 * with the same method and path, the later one wins.
 */
export function createRouter(
  operations: readonly Operation[],
  unbuilt: readonly UnbuiltOperation[] = [],
): Router {
  const tree = findMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: 65_536,
    onBadUrl: () => undefined,
  });
  for (const [path, place] of byPath(operations, unbuilt)) {
    tree.on("GET", path.replaceAll(/\{(\w+)\}/g, ":$1"), () => undefined, place);
  }
  const find = (path: string): Match | undefined => {
    if (!isDecodable(path)) throw new URIError(path);
    const found = tree.find("GET", path);
    if (found === null || found.store === null) return undefined;
    return { ...(found.store as Place), path: found.params };
  };
  const recent = new Map<string, Match>();
  return {
    find: (path) => {
      const known = recent.get(path);
      if (known !== undefined) return known;
      const match = find(path);
      if (match?.path["id"] !== undefined) return match;
      if (match === undefined) return undefined;
      if (recent.size === MOST_RECENT) recent.clear();
      recent.set(path, match);
      return match;
    },
  };
}

/** A path of the tree, by method. */
interface Place {
  readonly operations: Map<string, Operation>;
  readonly unbuilt: Map<string, string>;
}

function byPath(
  operations: readonly Operation[],
  unbuilt: readonly UnbuiltOperation[],
): Map<string, Place> {
  const paths = new Map<string, Place>();
  const names = new Map<string, string>();
  const placeOf = (path: string): Place => {
    const shape = path.replaceAll(/\{\w+\}/g, "{}");
    // Two operations may name the same parameter differently; the tree keeps the first name.
    const known = names.get(shape) ?? path;
    names.set(shape, known);
    const place = paths.get(known) ?? { operations: new Map(), unbuilt: new Map() };
    paths.set(known, place);
    return place;
  };
  for (const operation of operations) {
    for (const [method, path] of split(operation.routes))
      placeOf(path).operations.set(method, operation);
  }
  for (const { group, routes } of unbuilt) {
    for (const [method, path] of split(routes)) {
      const place = placeOf(path);
      // A plugin may have built it.
      if (!place.operations.has(method)) place.unbuilt.set(method, group);
    }
  }
  return paths;
}

function split(routes: readonly string[]): readonly (readonly [method: string, path: string])[] {
  return routes.map((route) => {
    const [method = "", path = ""] = route.split(" ");
    return [method, path];
  });
}

function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    // The result is used, because a bundler removes a call without effect.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
