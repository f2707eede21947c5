/**
 * Simulated blob stores: one file system that all nodes of a run share and that outlives each of them.
 *
 * An operation takes virtual time and then takes effect at once. If the node crashes meanwhile, its promise never
 * settles, and a write or removal has taken effect or not, by chance.
 */
import { BlobError, blobError, isAtLocation, type BlobStore, type BlobStores } from "@orrery/ports";
import type { RepositoryRule, TraceEvent } from "@orrery/ports";
import { compareText, type Random } from "@orrery/stdx";
import {
  createBlobConditions,
  type BlobConditions,
  type BlobLayer,
  type BlobOperation,
} from "./blob-conditions.ts";

export interface BlobModel {
  /** BlobStores port of one incarnation of a node. */
  stores(alive: () => boolean, record: (event: TraceEvent) => void): BlobStores;
  /** Sets conditions for all paths below a location; returns the function that lifts them. */
  set(location: string, conditions: Partial<BlobConditions>): () => void;
  /** Applies the rule until its `end` is called; `repository-corrupt` flips its bits immediately. */
  applyRule(rule: RepositoryRule): BlobLayer;
  /**
   * Flips one bit of one non-empty blob below the location that `isMeant` accepts; returns the blob's path, `undefined`
   * if there is no such blob.
   */
  rot(location: string, isMeant?: (path: string) => boolean): string | undefined;
  /**
   * Removes one blob below the location that `isMeant` accepts; returns its path, `undefined` if there is no such blob.
   */
  lose(location: string, isMeant?: (path: string) => boolean): string | undefined;
  /** Blobs by path, relative to the location. Callers must not change the bytes. */
  contents(location: string): ReadonlyMap<string, Uint8Array>;
}

export interface BlobModelOptions {
  /** Repository types that the port opens; all of them address the same file system. */
  readonly types: readonly string[];
  readonly random: Random;
  readonly later: (delayMs: number, action: () => void) => void;
}

interface Request<T> {
  readonly operation: BlobOperation;
  readonly path: string;
  readonly bytes: number;
  readonly happen: (conditions: BlobConditions) => T;
}

/** Blobs of all repositories. */
interface BlobFiles {
  readonly blobs: Map<string, Uint8Array>;
  /** Roots of stores that were written to, and their parent folders. */
  readonly places: Set<string>;
  readonly random: Random;
}

export function createBlobModel({ types, random, later }: BlobModelOptions): BlobModel {
  const files: BlobFiles = { blobs: new Map(), places: new Set(), random };
  const { blobs } = files;
  const conditions = createBlobConditions();

  const pick = (location: string, isMeant: (path: string) => boolean): string | undefined => {
    const inside = [...blobs.keys()].filter((path) => isAtLocation(path, location));
    const candidates = inside.filter(isMeant).toSorted(compareText);
    return candidates.length === 0 ? undefined : random.pick(candidates);
  };

  const rot: BlobModel["rot"] = (location, isMeant = () => true) => {
    const path = pick(location, (one) => isMeant(one) && (blobs.get(one)?.length ?? 0) > 0);
    const bytes = path === undefined ? undefined : blobs.get(path);
    if (path !== undefined && bytes !== undefined) blobs.set(path, flipBit(bytes.slice(), random));
    return path;
  };

  return {
    stores: (alive, record) => {
      const perform = createPerform({ random, later, conditions, alive, record });
      return {
        types,
        open: ({ location, isReadOnly = false }) => {
          const root = placeOf(location);
          const store = storeAt(files, perform, { root, isReadOnly });
          return isReadOnly ? readOnly(store, root) : store;
        },
      };
    },
    set: (location, wanted) => conditions.set(placeOf(location), wanted).end,
    applyRule: (rule) => {
      const { location, path } = rule;
      if (rule.kind !== "repository-corrupt")
        return conditions.set(placeOf(location), conditionsOf(rule), path);
      let hits = 0;
      for (let bit = 0; bit < rule.bits; bit += 1)
        if (rot(location, (one) => one.includes(path)) !== undefined) hits += 1;
      return { hits: () => hits, end: () => undefined };
    },
    rot,
    lose: (location, isMeant = () => true) => {
      const path = pick(location, isMeant);
      if (path !== undefined) blobs.delete(path);
      return path;
    },
    contents: (location) => {
      const root = placeOf(location);
      return new Map(
        below(files, root).map((path) => [path.slice(root.length + 1), blobs.get(path) ?? none]),
      );
    },
  };
}

/** Executes an operation when its virtual duration has passed, under the conditions of that moment. */
type Perform = <T>(request: Request<T>) => Promise<T>;

interface PerformOptions extends Omit<BlobModelOptions, "types"> {
  readonly conditions: ReturnType<typeof createBlobConditions>;
  readonly alive: () => boolean;
  readonly record: (event: TraceEvent) => void;
}

function createPerform(options: PerformOptions): Perform {
  const { random, later, conditions, alive, record } = options;
  return <T>(request: Request<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!alive()) return;
      conditions.tookEffect(request.path, false);
      later(durationMs(random, conditions.at(request.path), request.bytes), () => {
        const changes = request.operation === "write" || request.operation === "remove";
        if (!alive() && !(changes && happens(random, 500))) return;
        const now = conditions.at(request.path);
        try {
          check(random, request, now);
          const result = request.happen(now);
          if (alive()) resolve(result);
        } catch (error) {
          if (!(error instanceof BlobError)) throw error;
          if (!alive()) return;
          if (isCondition(error, now)) {
            conditions.tookEffect(request.path, true);
            record({ kind: "blob-failed", path: request.path, reason: error.message });
          }
          reject(error);
        }
      });
    });
}

function check(random: Random, { operation, path }: Request<unknown>, now: BlobConditions): void {
  const changes = operation === "write" || operation === "remove";
  if (now.isMissing && operation !== "list") throw blobError(changes ? "io" : "missing", path);
  if (now.isReadOnly && changes) throw blobError("read-only", path);
  if (now.isFull && operation === "write") throw blobError("full", path);
  const mayFail = now.failing?.includes(operation) ?? true;
  if (mayFail && happens(random, now.failingPerMille)) throw blobError("io", path);
}

function durationMs(random: Random, now: BlobConditions, bytes: number): number {
  const { low, high } = now.latencyMs;
  const latencyMs = low + (random.int(0, 1000) / 1000) * (high - low);
  return Math.round((latencyMs + (bytes / now.bytesPerSecond) * 1000) * 1000) / 1000;
}

function happens(random: Random, perMille: number): boolean {
  return perMille > 0 && random.int(1, 1000) <= perMille;
}

/** Store rooted at a location; a read-only (URL) store may be opened although nothing is there. */
function storeAt(
  files: BlobFiles,
  perform: Perform,
  { root, isReadOnly }: { readonly root: string; readonly isReadOnly: boolean },
): BlobStore {
  const { blobs, places, random } = files;
  const at = (path: string): string => (path === "" ? root : `${root}/${path}`);
  const isThere = (): boolean => places.has(root) || below(files, root).length > 0;
  return {
    list: (folder) =>
      perform({
        operation: "list",
        path: at(folder),
        bytes: 0,
        happen: ({ isMissing }) => {
          if (folder === "" && !isMissing && !isReadOnly && !isThere())
            throw blobError("missing", root);
          return (isMissing ? [] : below(files, at(folder)))
            .map((path) => ({
              name: path.slice(at(folder).length + 1),
              sizeBytes: blobs.get(path)?.length ?? 0,
            }))
            .filter(({ name }) => !name.includes("/"))
            .toSorted((a, b) => compareText(a.name, b.name));
        },
      }),
    folders: (folder) =>
      perform({
        operation: "list",
        path: at(folder),
        bytes: 0,
        happen: ({ isMissing }) => {
          const inside = isMissing ? [] : below(files, at(folder));
          const names = inside
            .map((path) => path.slice(at(folder).length + 1).split("/"))
            .filter((steps) => steps.length > 1)
            .map(([first]) => first ?? "");
          return [...new Set(names)].toSorted(compareText);
        },
      }),
    read: (path, range) =>
      perform({
        operation: "read",
        path: at(path),
        bytes: range?.length ?? blobs.get(at(path))?.length ?? 0,
        happen: ({ corruptReadsPerMille }) => {
          const whole = blobs.get(at(path));
          if (whole === undefined) throw blobError("missing", at(path));
          const { offset, length } = range ?? { offset: 0, length: whole.length };
          if (offset + length > whole.length) throw blobError("io", at(path));
          const copy = whole.slice(offset, offset + length);
          return happens(random, corruptReadsPerMille) ? flipBit(copy, random) : copy;
        },
      }),
    write: (path, bytes, how) => {
      const own = bytes.slice();
      return perform({
        operation: "write",
        path: at(path),
        bytes: own.length,
        happen: () => {
          if (blobs.has(at(path)) && how?.replace !== true) throw blobError("exists", at(path));
          blobs.set(at(path), own);
          for (const place of withParents(root)) places.add(place);
        },
      });
    },
    remove: (paths) =>
      perform({
        operation: "remove",
        path: at(paths[0] ?? ""),
        bytes: 0,
        happen: () => {
          for (const path of paths) blobs.delete(at(path));
        },
      }),
    removeFolder: (folder) =>
      perform({
        operation: "remove",
        path: at(folder),
        bytes: 0,
        happen: () => {
          const removed = { blobs: 0, bytes: 0 };
          for (const path of below(files, at(folder))) {
            removed.blobs += 1;
            removed.bytes += blobs.get(path)?.length ?? 0;
            blobs.delete(path);
          }
          return removed;
        },
      }),
  };
}

function readOnly(store: BlobStore, root: string): BlobStore {
  const refuse = (path: string): Promise<never> => Promise.reject(blobError("read-only", path));
  return { ...store, write: refuse, remove: () => refuse(root), removeFolder: refuse };
}

function below({ blobs }: BlobFiles, folder: string): string[] {
  return [...blobs.keys()].filter(startsWith(`${folder}/`));
}

/** Conditions equivalent to a lasting rule. */
function conditionsOf(
  rule: Exclude<RepositoryRule, { readonly kind: "repository-corrupt" }>,
): Partial<BlobConditions> {
  switch (rule.kind) {
    case "repository-slow":
      return { latencyMs: { low: rule.delayMs, high: rule.delayMs } };
    case "repository-fails":
      return { failingPerMille: rule.perMille };
    case "repository-full":
      return { isFull: true };
    case "repository-missing":
      return { isMissing: true };
  }
}

const none = new Uint8Array(0);

/** True if the conditions caused the error, rather than the caller. */
function isCondition(error: BlobError, now: BlobConditions): boolean {
  return now.isMissing || (error.kind !== "missing" && error.kind !== "exists");
}

/** Path of a location, so that a `file:` URL and a folder name address the same place. */
function placeOf(location: string): string {
  return location.replace(/^file:(\/\/)?/, "").replace(/(?<!\/)\/+$/, "");
}

function withParents(place: string): readonly string[] {
  const steps = place.split("/");
  return steps.map((_, i) => steps.slice(0, i + 1).join("/"));
}

function startsWith(prefix: string): (path: string) => boolean {
  return (path) => path.startsWith(prefix);
}

function flipBit(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = random.int(0, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
  return bytes;
}
