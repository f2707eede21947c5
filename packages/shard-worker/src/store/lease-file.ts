/**
 * Retention leases on disk, beside the shard's state (`ReplicationTracker.persistRetentionLeases`): they must survive
 * a crash between two commits, since their holders do not request them again.
 */
import type { Disk } from "@orrery/ports";
import { supersedes, type RetentionLeases } from "@orrery/replication";
import { crc32c, utf8Decode, utf8Encode } from "@orrery/stdx";

const FILE = "retention-leases";

/** The copy that owns a lease file. */
export interface LeaseOwner {
  /** The newest leases that are on its disk. */
  persistedLeases: RetentionLeases;
}

/**
 * Writes the leases durably, unless newer ones were written meanwhile. It reads no file: a bad sector under the old
 * one is no reason to fail. `isGivenUp`: the folder may belong to another copy.
 */
export async function saveLeases(
  disk: Disk,
  folder: string,
  leases: RetentionLeases,
  { owner, isGivenUp }: { readonly owner: LeaseOwner; readonly isGivenUp: () => boolean },
): Promise<void> {
  const path = `${folder}/${FILE}`;
  const body = JSON.stringify(leases);
  const pending = freeName(disk, `${path}.${leases.primaryTerm}.${leases.version}`);
  disk.write(pending, utf8Encode(`${checksum(body)}\n${body}`));
  await disk.sync([pending]);
  if (isGivenUp()) return;
  // A later change has overtaken this one.
  if (supersedes(owner.persistedLeases, leases)) {
    disk.remove(pending);
    return;
  }
  disk.rename(pending, path);
  owner.persistedLeases = leases;
  await disk.syncFolder(folder);
}

/** The same leases may be saved twice at a time: each save renames a file of its own. */
function freeName(disk: Disk, prefix: string): string {
  let name = `${prefix}.tmp`;
  for (let i = 1; disk.exists(name); i += 1) name = `${prefix}.${i}.tmp`;
  return name;
}

/** Removes files of saves that a crash or the end of an earlier copy has interrupted. No save of this copy may have begun. */
function removePending(disk: Disk, folder: string): void {
  for (const name of disk.list(folder)) {
    if (name.startsWith(`${FILE}.`) && name.endsWith(".tmp")) disk.remove(`${folder}/${name}`);
  }
}

/**
 * The leases on the disk if they are newer than `known`, else `known`. A damaged file is reported to `tell`, and ignored.
 */
export function newestLeases(
  disk: Disk,
  folder: string,
  known: RetentionLeases,
  tell: (damage: string) => void,
): RetentionLeases {
  removePending(disk, folder);
  const path = `${folder}/${FILE}`;
  if (!disk.exists(path)) return known;
  const text = utf8Decode(disk.read(path));
  const body = text.slice(9);
  if (text[8] !== "\n" || text.slice(0, 8) !== checksum(body)) {
    tell(`retention leases in [${path}] are damaged: those of the last commit hold`);
    return known;
  }
  const saved = JSON.parse(body) as RetentionLeases;
  return supersedes(saved, known) ? saved : known;
}

function checksum(body: string): string {
  return crc32c(utf8Encode(body)).toString(16).padStart(8, "0");
}
