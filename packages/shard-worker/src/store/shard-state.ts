/**
 * The state file of a shard (`ShardStateMetadata`): the allocation that wrote its files, which the cluster manager
 * looks for.
 */
import type { Disk } from "@orrery/ports";
import { crc32c, utf8Decode, utf8Encode } from "@orrery/stdx";
import { CorruptStoreError } from "./corruption.ts";

/** The copy that wrote the shard's files. */
export interface ShardStateFile {
  readonly indexUuid: string;
  readonly allocationId: string;
  readonly primary: boolean;
}

const NAME = "state.json";

/**
 * Writes the state file of a shard durably. When `isGivenUp` returns true the file is not put in place: the folder may
 * belong to another copy by then.
 */
export async function writeShardState(
  disk: Disk,
  folder: string,
  state: ShardStateFile,
  isGivenUp: () => boolean,
): Promise<void> {
  const body = JSON.stringify(state);
  const pending = `${folder}/pending_${state.allocationId}_${NAME}`;
  disk.write(pending, utf8Encode(`${crc32c(utf8Encode(body))}\n${body}`));
  await disk.sync([pending]);
  if (isGivenUp()) return;
  disk.rename(pending, `${folder}/${NAME}`);
  await disk.syncFolder(folder);
}

/**
 * Reads the state file of a shard; `undefined`: the folder has none.
 * @throws CorruptStoreError The file is damaged.
 */
export function readShardState(disk: Disk, folder: string): ShardStateFile | undefined {
  const path = `${folder}/${NAME}`;
  if (!disk.exists(path)) return undefined;
  const text = utf8Decode(disk.read(path));
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (end < 0 || Number(text.slice(0, end)) !== crc32c(utf8Encode(body))) {
    throw new CorruptStoreError("corrupt_index_exception", `checksum failed (resource=${path})`);
  }
  return JSON.parse(body) as ShardStateFile;
}
