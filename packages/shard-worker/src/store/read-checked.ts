/** Verified reading of files that a commit names (`Store.verify`). */
import type { Disk } from "@orrery/ports";
import type { StoredFile } from "@orrery/replication";
import { CorruptStoreError } from "./corruption.ts";
import { fileChecksum } from "./file-checksum.ts";

/**
 * Reads a file and verifies its checksum.
 * @throws CorruptStoreError The file is missing or differs from what was written.
 */
export function readChecked(
  disk: Disk,
  folder: string,
  { name, checksum }: Pick<StoredFile, "name" | "checksum">,
): Uint8Array {
  const path = `${folder}/${name}`;
  if (!disk.exists(path)) {
    throw new CorruptStoreError("corrupt_index_exception", `no such file (resource=${name})`);
  }
  const bytes = disk.read(path);
  const actual = fileChecksum(bytes);
  if (actual === checksum) return bytes;
  const reason = `checksum failed (hardware problem?) : expected=${checksum.toString(16)} actual=${actual.toString(16)} (resource=${name})`;
  throw new CorruptStoreError("corrupt_index_exception", reason);
}
