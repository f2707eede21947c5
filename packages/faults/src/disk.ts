/** The Disk port with faults: full, slow, failing syncs, torn writes, read errors. What is written is written to the disk below. */
import { delay, DiskError, type Clock, type Disk } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { happens, isAt, isMatch } from "./match.ts";

export interface DiskFaultsOptions {
  readonly self: string;
  readonly state: FaultState;
  readonly clock: Clock;
  readonly random: Random;
}

export function withDiskFaults(disk: Disk, options: DiskFaultsOptions): Disk {
  const { self, state, clock, random } = options;

  const struck = (kind: "failing-sync" | "torn-write" | "read-error", path: string): boolean => {
    const hit = state
      .of(kind)
      .find(
        (fault) =>
          isAt(fault.nodes, self) && isMatch(fault.path, path) && happens(fault.perMille, random),
      );
    if (hit !== undefined) state.tookEffect(hit.id);
    return hit !== undefined;
  };

  const isFull = (): boolean => {
    const hit = state.of("disk-full").find(({ nodes }) => isAt(nodes, self));
    if (hit !== undefined) state.tookEffect(hit.id);
    return hit !== undefined;
  };

  /** Everything that makes a sync end later. */
  const patience = async (paths: readonly string[]): Promise<void> => {
    let delayMs = 0;
    for (const fault of [...state.of("slow-disk"), ...state.of("slow")]) {
      if (!isAt(fault.nodes, self)) continue;
      if (fault.kind === "slow-disk" && !paths.some((path) => isMatch(fault.path, path))) continue;
      state.tookEffect(fault.id);
      delayMs += fault.delayMs;
    }
    if (delayMs > 0) await delay(clock, delayMs);
  };

  const sync = async (paths: readonly string[], act: () => Promise<void>): Promise<void> => {
    // What it is asked for now is what it makes durable: a late answer does not make it later.
    const done = act();
    // Heard below, unless the wait ends in an error of its own.
    done.catch(() => undefined);
    await patience(paths);
    const failing = paths.find((path) => struck("failing-sync", path));
    if (failing !== undefined) throw new DiskError("io", failing, `sync of [${failing}] failed`);
    if (isFull()) throw full(paths[0] ?? "");
    await done;
  };

  const writing =
    (act: (path: string, bytes: Uint8Array) => void) =>
    (path: string, bytes: Uint8Array): void => {
      if (state.isCalm) return act(path, bytes);
      if (isFull()) throw full(path);
      if (!struck("torn-write", path)) return act(path, bytes);
      act(path, bytes.subarray(0, random.int(0, Math.max(0, bytes.length - 1))));
      throw new DiskError("io", path, `writing [${path}] failed in the middle`);
    };

  return {
    list: (folder) => disk.list(folder),
    exists: (path) => disk.exists(path),
    sizeBytes: (path) => disk.sizeBytes(path),
    read: (path, range) => {
      if (!state.isCalm && struck("read-error", path))
        throw new DiskError("io", path, `reading [${path}] failed`);
      return disk.read(path, range);
    },
    write: writing((path, bytes) => disk.write(path, bytes)),
    append: writing((path, bytes) => disk.append(path, bytes)),
    truncate: (path, sizeBytes) => disk.truncate(path, sizeBytes),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    sync: (paths) => (state.isCalm ? disk.sync(paths) : sync(paths, async () => disk.sync(paths))),
    syncFolder: (folder) =>
      state.isCalm ? disk.syncFolder(folder) : sync([folder], async () => disk.syncFolder(folder)),
    usage: () => {
      const usage = disk.usage();
      return isFull() ? { ...usage, freeBytes: 0, availableBytes: 0 } : usage;
    },
  };
}

function full(path: string): DiskError {
  return new DiskError("full", path, `no space left on device, writing [${path}]`);
}
