/** Bit rot: flips bits of files at rest. */
import { DiskError, type Disk } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";

export interface RotOptions {
  readonly self: string;
  readonly state: FaultState;
  readonly random: Random;
}

/**
 * Flips bits once for each rule `bit-rot` or `store-rot` that becomes active; returns the function
 * that stops this. Rules that are active already acted on an earlier process of the node.
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
      // Files directly in the node's folder belong to the node store, not to the disk.
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

/**
 * Files of the node store that may rot. The database itself is left out: closing a second handle on
 * it would drop the process's lock.
 */
const storeFiles = ["node.marker", "node.sqlite-wal"];

/** Flips one bit; false if the file is empty or gone. The node may remove files meanwhile. */
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

/** All files below a folder, sorted; the path itself if it is a file. */
function filesBelow(disk: Disk, path: string): readonly string[] {
  const names = disk.list(path);
  return names.length === 0 ? [path] : names.flatMap((name) => filesBelow(disk, `${path}/${name}`));
}
