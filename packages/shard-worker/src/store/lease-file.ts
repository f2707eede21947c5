/**
 * Retention leases, beside the shard's state: they must outlive a crash between two commits, because their holders will not ask
 * again. Source: `RetentionLeases` on disk, `ReplicationTracker.persistRetentionLeases`.
 */
import type { Disk } from "@orrery/ports";
import { supersedes, type RetentionLeases } from "@orrery/replication";
import { crc32c, utf8Decode, utf8Encode } from "@orrery/stdx";

const FILE = "retention-leases";

export interface LeaseSaving {
  /** The folder may belong to another by now. */
  isGivenUp(): boolean;
  /** A later change is there already. */
  isOvertaken(): boolean;
  /** These are there now. */
  replaced(): void;
}

/** Durable when it ends. */
export async function saveLeases(
  disk: Disk,
  folder: string,
  leases: RetentionLeases,
  saving: LeaseSaving,
): Promise<void> {
  const path = `${folder}/${FILE}`;
  const body = JSON.stringify(leases);
  const pending = `${path}.${leases.primaryTerm}.${leases.version}.tmp`;
  disk.write(pending, utf8Encode(`${checksum(body)}\n${body}`));
  await disk.sync([pending]);
  if (saving.isGivenUp()) return;
  if (saving.isOvertaken()) {
    disk.remove(pending);
    return;
  }
  disk.rename(pending, path);
  saving.replaced();
  await disk.syncFolder(folder);
}

/** What was saved, if it is newer than what is known. A damaged file counts as none. */
export function newestLeases(disk: Disk, folder: string, known: RetentionLeases): RetentionLeases {
  const path = `${folder}/${FILE}`;
  if (!disk.exists(path)) return known;
  const text = utf8Decode(disk.read(path));
  const body = text.slice(9);
  if (text[8] !== "\n" || text.slice(0, 8) !== checksum(body)) return known;
  const saved = JSON.parse(body) as RetentionLeases;
  return supersedes(saved, known) ? saved : known;
}

function checksum(body: string): string {
  return crc32c(utf8Encode(body)).toString(16).padStart(8, "0");
}
