/**
 * INV-DANGLING-1: an imported dangling index takes no name of another index, and an index whose deletion was
 * acknowledged is imported only if a client asked for it.
 */
import type { RecordedEvent } from "../world.ts";
import type { Checker } from "./checker.ts";

interface Names {
  /** Uuid by name of the indices that no client asked to delete. */
  readonly live: Map<string, string>;
  /** Previous uuid of a name. */
  readonly replaced: Map<string, string>;
  /**
   * Highest version that a node has applied: a restarted node reports older versions again, with indices deleted since.
   */
  newest: number;
}

interface Deletions {
  /** Uuids of indices whose deletion was acknowledged. */
  readonly deleted: Set<string>;
  /** Uuids of indices whose deletion was requested and not rejected: states before it may still be reported. */
  readonly mayBeGone: Set<string>;
  /** Uuids of pending deletions, by client and request. */
  readonly asked: Map<string, readonly string[]>;
  /** Uuids whose import a client requested at any time. */
  readonly wanted: Set<string>;
  /** Uuids whose import was requested after the last request to delete them. */
  readonly wantedLast: Set<string>;
}

export const noDanglingImportOverwrites: Checker = {
  name: "no-dangling-import-overwrites",
  invariant: "INV-DANGLING-1",
  says: "An imported dangling index takes no name of another index, and an index whose deletion was acknowledged is imported only if a client asks for it.",
  excusedBy: [],
  start: (world) => {
    const clusters = new Map<string, Names>();
    const deletions: Deletions = {
      deleted: new Set(),
      mayBeGone: new Set(),
      asked: new Map(),
      wanted: new Set(),
      wantedLast: new Set(),
    };
    const namesIn = (node: string): Names => {
      const cluster = world.clusterOf(node);
      const names = clusters.get(cluster) ?? {
        live: new Map(),
        replaced: new Map(),
        newest: -1,
      };
      clusters.set(cluster, names);
      return names;
    };
    return (event) => {
      switch (event.kind) {
        case "cluster-state-applied":
          noteVersion(namesIn(event.node), event.version);
          return undefined;
        case "shard-copies-changed":
          noteIndex(namesIn(event.node), deletions, event);
          return undefined;
        case "client-request":
          noteRequest(deletions, [...clusters.values()], event);
          return undefined;
        case "client-response":
          noteResponse(deletions, event);
          return undefined;
        case "dangling-index-imported":
          return judge(namesIn(event.node), deletions, event);
        default:
          return undefined;
      }
    };
  },
};

type Of<Kind extends RecordedEvent["kind"]> = Extract<RecordedEvent, { readonly kind: Kind }>;

function noteVersion(names: Names, version: number): void {
  names.newest = Math.max(names.newest, version);
}

function noteIndex(
  names: Names,
  { mayBeGone, wantedLast }: Deletions,
  { index: name, indexUuid: uuid, version }: Of<"shard-copies-changed">,
): void {
  if (version < names.newest) return;
  noteVersion(names, version);
  const { live, replaced } = names;
  if (mayBeGone.has(uuid) && !wantedLast.has(uuid)) return;
  const before = live.get(name);
  if (before === uuid) return;
  if (before !== undefined) replaced.set(name, before);
  live.set(name, uuid);
}

/** Records a deletion. From its request on it may take effect, in any cluster. */
function noteRequest(
  { asked, wanted, wantedLast, mayBeGone }: Deletions,
  clusters: readonly Names[],
  { client, id, operation }: Of<"client-request">,
): void {
  const [, back] = /^POST \/_dangling\/([^?]+)/.exec(operation) ?? [];
  if (back !== undefined) {
    wanted.add(back);
    wantedLast.add(back);
  }
  const [, path] = /^DELETE \/([^?]*)/.exec(operation) ?? [];
  if (path === undefined) return;
  const [, dangling] = /^_dangling\/(.+)$/.exec(path) ?? [];
  const uuids = dangling === undefined ? [] : [dangling];
  for (const name of path.split(",")) {
    for (const { live, replaced } of clusters) {
      const uuid = live.get(name);
      if (uuid !== undefined) uuids.push(uuid);
      live.delete(name);
      replaced.delete(name);
    }
  }
  for (const uuid of uuids) {
    mayBeGone.add(uuid);
    wantedLast.delete(uuid);
  }
  asked.set(`${client}/${id}`, uuids);
}

/** Statuses of a rejected import, which changed nothing. */
const refusals: ReadonlySet<number> = new Set([400, 403, 405, 429]);

function noteResponse(
  { asked, deleted, mayBeGone }: Deletions,
  { client, id, outcome, status }: Of<"client-response">,
): void {
  const key = `${client}/${id}`;
  if (refusals.has(status)) for (const uuid of asked.get(key) ?? []) mayBeGone.delete(uuid);
  if (outcome === "ok") for (const uuid of asked.get(key) ?? []) deleted.add(uuid);
  asked.delete(key);
}

function judge(
  { replaced }: Names,
  { deleted, wanted }: Deletions,
  { index, indexUuid: uuid }: Of<"dangling-index-imported">,
): string | undefined {
  if (deleted.has(uuid) && !wanted.has(uuid))
    return `[${index}/${uuid}] was deleted and has been imported from a disk`;
  const before = replaced.get(index);
  if (before === undefined || before === uuid) return undefined;
  return `[${index}/${uuid}] was imported from a disk in the place of [${index}/${before}]`;
}
