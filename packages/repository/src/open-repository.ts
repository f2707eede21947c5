/**
 * A repository over its blob store: reads and writes everything above the single shard.
 *
 * Contract: what a new generation leads to is written first, then `writeData`, which never replaces (INV-SNAP-1, INV-SNAP-2). Rejects with
 * `BlobError` for what the store says, with `OperationError` for what is corrupt.
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

export interface Repository {
  readonly name: string;
  readonly store: BlobStore;
  /**
   * The highest that is there or that `index.latest` names, which is written after what it names: what it alone knows was lost, and is
   * refused when it is read. −1 without any, where nothing else of a repository is: a repository has a generation before it has anything
   * else (INV-SNAP-10), and one that has lost all of them is not empty. Rejects with `OperationError` then. Of a place that is not there it is only known where it may be written.
   */
  latestGeneration(): Promise<number>;
  readData(generation: number): Promise<RepositoryData>;
  /** Makes the data the generation it says it is. */
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

/** `index-N` alone is never compressed, as in the product. */
export function openRepository(
  name: string,
  store: BlobStore,
  { compression, isReadOnly }: Pick<RepositorySettings, "compression" | "isReadOnly">,
): Repository {
  const read = async (path: string): Promise<unknown> => decodeBlob(await store.read(path), path);
  /** What a manager before this one may have written is written again. */
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
    // The first that is written makes the place.
    if (isMissing(error) && !isReadOnly) return -1;
    // One that cannot be listed has the number in a blob.
    if (!(error instanceof BlobError) || error.kind !== "read-only") throw error;
    return namedGeneration(store);
  }
}

/** Folders of indices or descriptions of snapshots, and nothing that leads to them, are the rest of a repository. */
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

/** By `index.latest`; −1 without one. */
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
