/** Bit rot: files at rest that are no longer what was written. */
import { DiskError, type Disk } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";

export interface RotOptions {
  readonly self: string;
  readonly state: FaultState;
  readonly random: Random;
}

/**
 * Turns bits once for each such rule that comes up; returns what ends that. Rules that are on already were done to an earlier
 * life of the node.
 */
export function rotDisk(disk: Disk, { self, state, random }: RotOptions): () => void {
  const done = new Set([...state.of("bit-rot"), ...state.of("store-rot")].map(({ id }) => id));
  const turn = (id: string, bits: number, matching: readonly string[]): void => {
    if (done.has(id)) return;
    done.add(id);
    for (let turned = 0; turned < bits && matching.length > 0; turned += 1) {
      if (turnBit(disk, random.pick(matching), random)) state.tookEffect(id);
    }
  };
  return state.onChange(() => {
    for (const { id, path, bits } of state.at("bit-rot", self)) {
      // What lies directly in the node's folder is not the disk's.
      const files = disk.list("").flatMap((folder) => filesBelow(disk, folder));
      turn(
        id,
        bits,
        files.filter((file) => file.includes("/") && file.includes(path)),
      );
    }
    for (const { id, bits } of state.at("store-rot", self)) {
      const names = disk.list("");
      turn(
        id,
        bits,
        storeFiles.filter((file) => names.includes(file)),
      );
    }
  });
}

/** Of the node store, but the database: the process that closes it loses the lock on it. */
const storeFiles = ["node.marker", "node.sqlite-wal"];

/** Whether there was one. The disk goes on working meanwhile: a file may be gone. */
function turnBit(disk: Disk, path: string, random: Random): boolean {
  try {
    const bytes = disk.read(path).slice();
    if (bytes.length === 0) return false;
    const at = random.int(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
    disk.write(path, bytes);
    return true;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}

/** Every file below a folder, sorted; the path itself when it is a file. */
function filesBelow(disk: Disk, path: string): readonly string[] {
  const names = disk.list(path);
  return names.length === 0 ? [path] : names.flatMap((name) => filesBelow(disk, `${path}/${name}`));
}
