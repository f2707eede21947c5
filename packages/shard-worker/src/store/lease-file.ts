/**
 * Retention leases, beside the shard's state: they must outlive a crash between two commits, because their holders will not ask
 * again. Source: `RetentionLeases` on disk, `ReplicationTracker.persistRetentionLeases`.
 */
import type { Disk } from "@orrery/ports";
import { supersedes, type RetentionLeases } from "@orrery/replication";
import { crc32c, utf8Decode, utf8Encode } from "@orrery/stdx";

const FILE = "retention-leases";

/** Who saves; a copy. */
export interface LeaseKeeper {
  /** The newest that it has written to its disk. */
  keptLeases: RetentionLeases;
}

/** Durable when it ends. `isGivenUp`: the folder may belong to another by now. Reads nothing: a bad sector is no reason to fail. */
export async function saveLeases(
  disk: Disk,
  folder: string,
  leases: RetentionLeases,
  { keeper, isGivenUp }: { readonly keeper: LeaseKeeper; readonly isGivenUp: () => boolean },
): Promise<void> {
  const path = `${folder}/${FILE}`;
  const body = JSON.stringify(leases);
  const pending = freeName(disk, `${path}.${leases.primaryTerm}.${leases.version}`);
  disk.write(pending, utf8Encode(`${checksum(body)}\n${body}`));
  await disk.sync([pending]);
  if (isGivenUp()) return;
  // A later change may have overtaken this one.
  if (supersedes(keeper.keptLeases, leases)) {
    disk.remove(pending);
    return;
  }
  disk.rename(pending, path);
  keeper.keptLeases = leases;
  await disk.syncFolder(folder);
}

/** The same leases may be saved twice at once: each has a file of its own to rename. */
function freeName(disk: Disk, prefix: string): string {
  let name = `${prefix}.tmp`;
  for (let i = 1; disk.exists(name); i += 1) name = `${prefix}.${i}.tmp`;
  return name;
}

/** What was saved, if it is newer than what is known. A damaged file counts as none, and is told. */
export function newestLeases(
  disk: Disk,
  folder: string,
  known: RetentionLeases,
  tell: (damage: string) => void,
): RetentionLeases {
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
