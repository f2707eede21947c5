/** Damage to files at rest, done once: a bit that changes, a file that is no longer found. */
import { DiskError, type Disk } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultOf } from "./fault.ts";
import type { FaultState } from "./fault-state.ts";
import { isAt, isMatch } from "./match.ts";

export interface SpoilOptions {
  readonly self: string;
  readonly state: FaultState;
  readonly random: Random;
}

/**
 * Does each such fault that comes up once to the disk; returns what ends that. Those that are on already were done to an earlier
 * life of the node.
 */
export function spoilDisk(disk: Disk, { self, state, random }: SpoilOptions): () => void {
  const spoiling = (): readonly Spoiling[] => [...state.of("bit-rot"), ...state.of("lost-entry")];
  const done = new Set(spoiling().map(({ id }) => id));
  return state.onChange(() => {
    for (const fault of spoiling()) {
      if (done.has(fault.id) || !isAt(fault.nodes, self)) continue;
      done.add(fault.id);
      for (const path of victims(disk, fault, random)) {
        if (spoil(disk, fault, path, random)) state.tookEffect(fault.id);
      }
    }
  });
}

type Spoiling = FaultOf<"bit-rot"> | FaultOf<"lost-entry">;

function victims(disk: Disk, fault: Spoiling, random: Random): readonly string[] {
  // What lies directly in the node's folder is not the disk's.
  const files = disk.list("").flatMap((folder) => filesBelow(disk, folder));
  const matching = files.filter((path) => path.includes("/") && isMatch(fault.path, path));
  return random.shuffle(matching).slice(0, fault.files);
}

/** Whether there was anything to spoil. The disk goes on working meanwhile: a file may be gone. */
function spoil(disk: Disk, fault: Spoiling, path: string, random: Random): boolean {
  try {
    if (fault.kind === "lost-entry") {
      disk.remove(path);
      return true;
    }
    const bytes = disk.read(path).slice();
    if (bytes.length === 0) return false;
    const at = random.int(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
    disk.write(path, bytes);
    return true;
  } catch (error) {
    if (error instanceof DiskError && error.kind === "missing") return false;
    throw error;
  }
}

/** Every file below a folder, sorted. What has a list of its own is a folder. */
function filesBelow(disk: Disk, folder: string): readonly string[] {
  return disk.list(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    const inside = filesBelow(disk, path);
    return inside.length > 0 ? inside : isFile(disk, path) ? [path] : [];
  });
}

function isFile(disk: Disk, path: string): boolean {
  try {
    disk.read(path, { offset: 0, length: 0 });
    return true;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}
