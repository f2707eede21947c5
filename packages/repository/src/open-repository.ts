/**
 * A repository over its blob store (`BlobStoreRepository`): reads and writes everything above the single shard.
 *
 * Contract: every blob that a new generation references is written before `writeData`, which never replaces an existing
 * generation (INV-SNAP-1, INV-SNAP-2); a crash in between leaves the former generation intact. Operations reject with
 * `BlobError` for failures of the store, and with `OperationError` for corrupt contents.
 */
import { greatest } from "@orrery/stdx";
import { BlobError, type BlobStore } from "@orrery/ports";
import { corrupt, decodeBlob, encodeBlob } from "./blob-format.ts";
import {
  dataBlob,
  generationOf,
  globalBlob,
  indexMetadataBlob,
  infoBlob,
  latestBlob,
} from "./names.ts";
import { emptyRepository, fromStored, toStored } from "./repository-data.ts";
import { isMissing } from "./problems.ts";
import { isTemporary } from "./names.ts";
import { listRepository } from "./stale.ts";
import { snapshotInfo, storedData } from "./stored-shapes.ts";
import type { RepositorySettings } from "./settings.ts";
import type { GlobalMetadata, RepositoryData, RepositoryIndex, SnapshotInfo } from "./types.ts";

/** Blobs of a repository by what they contain. */
export interface Repository {
  readonly name: string;
  readonly store: BlobStore;
  /**
   * The newest generation, listed or named by `index.latest`; −1 for an empty location, and for a missing one that is
   * writable. The blob `index.latest` is written after the generation it names, so a generation that is named but not
   * listed was lost, and `readData` rejects it. Rejects with `OperationError` for a location with blobs of a repository
   * but no generation: it has lost its root, because a repository has a generation before anything else (INV-SNAP-10).
   */
  latestGeneration(): Promise<number>;
  /** Repository data of a generation; empty data for a negative one. */
  readData(generation: number): Promise<RepositoryData>;
  /** Writes the data as `index-N` of its generation, then `index.latest`. Rejects with kind `exists` when N is taken. */
  writeData(data: RepositoryData): Promise<void>;
  readInfo(uuid: string): Promise<SnapshotInfo>;
  writeInfo(info: SnapshotInfo): Promise<void>;
  readGlobal(uuid: string): Promise<GlobalMetadata>;
  writeGlobal(uuid: string, metadata: GlobalMetadata): Promise<void>;
  readIndexMetadata(index: Pick<RepositoryIndex, "id">, blobId: string): Promise<unknown>;
  writeIndexMetadata(
    index: Pick<RepositoryIndex, "id">,
    blobId: string,
    metadata: unknown,
  ): Promise<void>;
}

/** The repository over `store`. Of its blobs only `index-N` is never compressed, as in the product. */
export function openRepository(
  name: string,
  store: BlobStore,
  { compression, isReadOnly }: Pick<RepositorySettings, "compression" | "isReadOnly">,
): Repository {
  const read = async (path: string): Promise<unknown> => decodeBlob(await store.read(path), path);
  /** Blobs named by uuid may be replaced: a former cluster manager has written them for the same snapshot. */
  const replace = (path: string, value: unknown): Promise<void> =>
    store.write(path, encodeBlob(value, compression, path), { replace: true });

  return {
    name,
    store,
    latestGeneration: () => latestGeneration(store, isReadOnly),
    async readData(generation) {
      if (generation < 0) return emptyRepository;
      const path = dataBlob(generation);
      try {
        return fromStored(storedData(await read(path), path), generation);
      } catch (error) {
        if (!isMissing(error) || (await namedGeneration(store)) !== generation) throw error;
        throw corrupt(path, `it is not there, and ${latestBlob} names it`);
      }
    },
    async writeData(data) {
      const path = dataBlob(data.generation);
      await store.write(path, encodeBlob(toStored(data), "none", path));
      await store.write(latestBlob, bigEndian(data.generation), { replace: true });
    },
    readInfo: async (uuid) => snapshotInfo(await read(infoBlob(uuid)), infoBlob(uuid)),
    writeInfo: (info) => replace(infoBlob(info.uuid), info),
    readGlobal: async (uuid) => (await read(globalBlob(uuid))) as GlobalMetadata,
    writeGlobal: (uuid, metadata) => replace(globalBlob(uuid), metadata),
    readIndexMetadata: (index, blobId) => read(indexMetadataBlob(index, blobId)),
    writeIndexMetadata: (index, blobId, metadata) =>
      replace(indexMetadataBlob(index, blobId), metadata),
  };
}

async function latestGeneration(store: BlobStore, isReadOnly: boolean): Promise<number> {
  try {
    const blobs = await store.list("");
    const listed = blobs.map(({ name }) => generationOf(name) ?? -1);
    const latest = Math.max(await namedGeneration(store), greatest(listed));
    if (latest === -1) await checkEmpty(store);
    return latest;
  } catch (error) {
    // A missing location is empty; the first write creates it.
    if (isMissing(error) && !isReadOnly) return -1;
    // A store that cannot be listed (a URL) has the number in `index.latest`.
    if (!(error instanceof BlobError) || error.kind !== "read-only") throw error;
    return namedGeneration(store);
  }
}

/** Throws `corrupt_index_exception` if blobs of snapshots or folders of indices are there although no generation is. */
async function checkEmpty(store: BlobStore): Promise<void> {
  const { blobs, folders } = await listRepository(store);
  const left =
    blobs.find(({ name }) => /^(?:snap|meta)-.+\.dat$/.test(name))?.name ??
    folders.find(({ name }) => !isTemporary(name))?.path;
  if (left === undefined) return;
  throw corrupt(
    `${dataBlob(0)} or later`,
    `no list of snapshots is there, and neither is ${latestBlob}, but [${left}] is: this repository has lost its root and is not empty`,
  );
}

/** The generation in `index.latest`; −1 without that blob. */
async function namedGeneration(store: BlobStore): Promise<number> {
  try {
    const bytes = await store.read(latestBlob);
    if (bytes.length !== 8) throw corrupt(latestBlob, "it is no number of 8 bytes");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const generation = Number(view.getBigUint64(0));
    if (!Number.isSafeInteger(generation)) throw corrupt(latestBlob, "it is no generation");
    return generation;
  } catch (error) {
    if (isMissing(error)) return -1;
    throw error;
  }
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
