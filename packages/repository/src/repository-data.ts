/** Repository data (`RepositoryData`): its stored form (`snapshotsToXContent`), and its changes. Pure. */
import { greatest } from "@orrery/stdx";
import type {
  IndexRecord,
  RepositoryData,
  RepositoryIndex,
  SnapshotRecord,
  SnapshotState,
} from "./types.ts";

/** Data of a repository without a generation. */
export const emptyRepository: RepositoryData = {
  generation: -1,
  snapshots: [],
  indices: [],
  indexMetadata: {},
};

const stateNumbers: Readonly<Record<SnapshotState, number>> = { SUCCESS: 1, FAILED: 2, PARTIAL: 3 };
const pathNumbers = ["FIXED", "HASHED_PREFIX", "HASHED_INFIX"] as const;

/** The JSON of `index-N`, with the product's keys. */
export interface StoredData {
  readonly min_version: string;
  readonly snapshots: readonly {
    readonly name: string;
    readonly uuid: string;
    readonly state: number;
    readonly version: string;
    readonly index_metadata_lookup: Readonly<Record<string, string>>;
  }[];
  readonly indices: Readonly<Record<string, StoredIndex>>;
  readonly index_metadata_identifiers: Readonly<Record<string, string>>;
}

interface StoredIndex {
  readonly id: string;
  readonly snapshots: readonly string[];
  readonly shard_generations: readonly (string | null)[];
  readonly shard_path_type: number;
}

/** The stored form of data. */
export function toStored(data: RepositoryData): StoredData {
  return {
    min_version: "7.12.0",
    snapshots: data.snapshots.map(({ name, uuid, state, version, indexMetadata }) => ({
      name,
      uuid,
      state: stateNumbers[state],
      version,
      index_metadata_lookup: indexMetadata,
    })),
    indices: Object.fromEntries(
      data.indices.map(({ name, id, pathType, snapshots, shardGenerations }) => [
        name,
        {
          id,
          snapshots,
          shard_generations: shardGenerations,
          shard_path_type: pathNumbers.indexOf(pathType),
        },
      ]),
    ),
    index_metadata_identifiers: data.indexMetadata,
  };
}

/**
 * Repository data from its stored form. An unknown number of a snapshot's state becomes `FAILED`, one of an index's
 * path type `FIXED`.
 */
export function fromStored(stored: StoredData, generation: number): RepositoryData {
  const states = Object.entries(stateNumbers) as [SnapshotState, number][];
  return {
    generation,
    snapshots: stored.snapshots.map((one) => ({
      name: one.name,
      uuid: one.uuid,
      state: states.find(([, number]) => number === one.state)?.[0] ?? "FAILED",
      version: one.version,
      indexMetadata: one.index_metadata_lookup,
    })),
    indices: Object.entries(stored.indices).map(([name, one]) => ({
      name,
      id: one.id,
      pathType: pathNumbers[one.shard_path_type] ?? "FIXED",
      snapshots: one.snapshots,
      shardGenerations: one.shard_generations,
    })),
    indexMetadata: stored.index_metadata_identifiers,
  };
}

/** A snapshot to be added. */
export interface AddedSnapshot {
  readonly record: SnapshotRecord;
  readonly indices: readonly RepositoryIndex[];
  /** New shard generations by index id and shard number. */
  readonly shardGenerations: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** Blob ids of index metadata that was written for the snapshot, by identifier. */
  readonly indexMetadata: Readonly<Record<string, string>>;
}

/** Repository data with one more snapshot; the caller sets the data's generation. */
export function withSnapshot(data: RepositoryData, added: AddedSnapshot): RepositoryData {
  const { record, shardGenerations } = added;
  const known = new Map(data.indices.map((index) => [index.id, index]));
  for (const index of added.indices) {
    const before = known.get(index.id) ?? { ...index, snapshots: [], shardGenerations: [] };
    known.set(index.id, { ...before, snapshots: [...before.snapshots, record.uuid] });
  }
  const indices = [...known.values()].map((index) =>
    withGenerations(index, shardGenerations.get(index.id) ?? new Map()),
  );
  return {
    ...data,
    snapshots: [...data.snapshots, record],
    indices,
    indexMetadata: { ...data.indexMetadata, ...added.indexMetadata },
  };
}

/** The record of an index with changed generations, by shard number; `null`: the shard has no snapshot any more. */
export function withGenerations(
  index: IndexRecord,
  changed: ReadonlyMap<number, string | null>,
): IndexRecord {
  if (changed.size === 0) return index;
  const length = Math.max(index.shardGenerations.length, greatest(changed.keys()) + 1);
  const shardGenerations = Array.from({ length }, (_, shard) => {
    const next = changed.get(shard);
    return next === undefined ? (index.shardGenerations[shard] ?? null) : next;
  });
  return { ...index, shardGenerations };
}

/** Data without these snapshots, without the indices that only they contain, and without index metadata that only they reference. */
export function withoutSnapshots(
  data: RepositoryData,
  gone: ReadonlySet<string>,
  shardGenerations: ReadonlyMap<string, ReadonlyMap<number, string | null>>,
): RepositoryData {
  const snapshots = data.snapshots.filter(({ uuid }) => !gone.has(uuid));
  const indices = data.indices.flatMap((index) => {
    const left = index.snapshots.filter((uuid) => !gone.has(uuid));
    if (left.length === 0) return [];
    const changed = shardGenerations.get(index.id) ?? new Map<number, string | null>();
    return [withGenerations({ ...index, snapshots: left }, changed)];
  });
  const seen = new Set(snapshots.flatMap(({ indexMetadata }) => Object.values(indexMetadata)));
  const indexMetadata = Object.fromEntries(
    Object.entries(data.indexMetadata).filter(([identifier]) => seen.has(identifier)),
  );
  return { ...data, snapshots, indices, indexMetadata };
}

/** The snapshot of this name; names are unique in a repository. */
export function snapshotNamed(data: RepositoryData, name: string): SnapshotRecord | undefined {
  return data.snapshots.find((snapshot) => snapshot.name === name);
}

/** Indices that the snapshot contains. */
export function indicesOf(data: RepositoryData, uuid: string): readonly IndexRecord[] {
  return data.indices.filter(({ snapshots }) => snapshots.includes(uuid));
}
