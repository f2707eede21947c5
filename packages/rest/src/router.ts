/**
 * One look-up for all operations: a radix tree over paths, each with what every method does there.
 *
 * Explicit segments win over parameters, whatever the method, so `PUT /_refresh` is a wrong method and not an index name.
 */
import findMyWay from "find-my-way";
import type { Operation } from "./operation.ts";

export interface Match {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly path: Readonly<Record<string, string | undefined>>;
}

export interface Router {
  /** `path` is raw, without the query. `undefined`: no operation has such a path. Throws `URIError` when it cannot be decoded. */
  find(path: string): Match | undefined;
}

/** Clients ask the same few paths again and again; so many are remembered. Those of documents hardly come twice. */
const MOST_RECENT = 256;

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
    // What it gives is looked at, because a bundler drops the call otherwise.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
