/**
 * The router: one radix tree over the paths of all operations; each path maps methods to operations.
 *
 * Literal segments take precedence over parameters for every method, so `PUT /_refresh` is a wrong method, not an
 * index named `_refresh`.
 */
import findMyWay from "find-my-way";
import type { Operation } from "./operation.ts";

/** Operations by method, and the decoded path parameters. */
export interface Match {
  readonly operations: ReadonlyMap<string, Operation>;
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

/** Builds the tree over all routes. Of two operations with the same method and path, the later one wins. */
export function createRouter(operations: readonly Operation[]): Router {
  const tree = findMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: 65_536,
    onBadUrl: () => undefined,
  });
  for (const [path, methods] of byPath(operations)) {
    tree.on("GET", path.replaceAll(/\{(\w+)\}/g, ":$1"), () => undefined, methods);
  }
  const find = (path: string): Match | undefined => {
    if (!isDecodable(path)) throw new URIError(path);
    const found = tree.find("GET", path);
    if (found === null || found.store === null) return undefined;
    return { operations: found.store as ReadonlyMap<string, Operation>, path: found.params };
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

function byPath(operations: readonly Operation[]): Map<string, Map<string, Operation>> {
  const paths = new Map<string, Map<string, Operation>>();
  const names = new Map<string, string>();
  for (const operation of operations) {
    for (const route of operation.routes) {
      const [method = "", path = ""] = route.split(" ");
      const shape = path.replaceAll(/\{\w+\}/g, "{}");
      // Two operations may name the same parameter differently; the tree keeps the first name.
      const known = names.get(shape) ?? path;
      names.set(shape, known);
      const methods = paths.get(known) ?? new Map<string, Operation>();
      methods.set(method, operation);
      paths.set(known, methods);
    }
  }
  return paths;
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
