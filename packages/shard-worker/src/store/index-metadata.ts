/**
 * The metadata of an index on the disk of a data node, beside the shards' folders (`MetaStateService`): with it an
 * index that the cluster has forgotten can be listed and imported.
 */
import {
  decodeIndexMetadata,
  encodeIndexMetadata,
  type IndexMetadata,
} from "@orrery/cluster-state";
import type { Disk } from "@orrery/ports";
import { concatBytes, crc32c, utf8Decode, utf8Encode } from "@orrery/stdx";
import { CorruptStoreError } from "./corruption.ts";
import { indexFolder } from "./layout.ts";

const STATE = "_state";
const NAME = "index";

/**
 * Writes the metadata of an index durably. When `isGivenUp` returns true the file is not put in place: the index was
 * deleted, and its folder with it.
 */
export async function writeIndexMetadata(
  disk: Disk,
  metadata: IndexMetadata,
  isGivenUp: () => boolean,
): Promise<void> {
  const folder = `${indexFolder(metadata.uuid)}/${STATE}`;
  const body = encodeIndexMetadata(metadata);
  const pending = `${folder}/pending_${NAME}`;
  disk.write(pending, concatBytes([utf8Encode(`${crc32c(body)}\n`), body]));
  await disk.sync([pending]);
  if (isGivenUp()) return;
  disk.rename(pending, `${folder}/${NAME}`);
  await disk.syncFolder(folder);
}

/**
 * Reads the metadata of an index; `undefined`: this node has no such file.
 * @throws CorruptStoreError The file is damaged.
 */
export function readIndexMetadata(disk: Disk, uuid: string): IndexMetadata | undefined {
  const path = `${indexFolder(uuid)}/${STATE}/${NAME}`;
  if (!disk.exists(path)) return undefined;
  const bytes = disk.read(path);
  const end = bytes.indexOf(newline);
  const body = bytes.subarray(end + 1);
  if (end < 0 || Number(utf8Decode(bytes.subarray(0, end))) !== crc32c(body)) {
    throw new CorruptStoreError("corrupt_index_exception", `checksum failed (resource=${path})`);
  }
  return decodeIndexMetadata(body);
}

const newline = 10;
