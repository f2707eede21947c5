/**
 * Disk port with faults: full, slow, failing syncs and failing reads. Every change that is accepted
 * reaches the disk below at once.
 */
import { delay, DiskError, type Clock, type Disk, type Trace } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { happens } from "./match.ts";

export interface DiskFaultsOptions {
  readonly self: string;
  readonly state: FaultState;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives `disk-synced` and `disk-failed` for each sync. */
  readonly trace?: Trace | undefined;
}

export function withDiskFaults(disk: Disk, options: DiskFaultsOptions): Disk {
  const { state, trace } = options;
  const { isFull, fails, waitForDelay } = activeFaultsOf(options);

  const sync = async (paths: readonly string[], act: () => Promise<void>): Promise<void> => {
    // The sync below starts before the delay: it makes durable the writes made so far, not those
    // made during the delay.
    const done = act();
    // `await done` below rethrows a rejection; if the wait throws first, the rejection must still
    // count as handled.
    done.catch(() => undefined);
    await waitForDelay();
    const failing = paths.find((path) => fails("sync-fails", path));
    if (failing !== undefined) throw new DiskError("io", failing, `sync of [${failing}] failed`);
    if (isFull()) throw full(paths[0] ?? "");
    await done;
  };
  const traced = async (paths: readonly string[], act: () => Promise<void>): Promise<void> => {
    try {
      await sync(paths, act);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      trace?.({ kind: "disk-failed", path: paths[0] ?? "", reason });
      throw error;
    }
    for (const path of paths) trace?.({ kind: "disk-synced", path });
  };
  const isPlain = (): boolean => trace === undefined && state.isCalm;

  const writing =
    (act: (path: string, bytes: Uint8Array) => void) =>
    (path: string, bytes: Uint8Array): void => {
      if (isFull()) throw full(path);
      act(path, bytes);
    };

  return {
    list: (folder) => disk.list(folder),
    exists: (path) => disk.exists(path),
    sizeBytes: (path) => disk.sizeBytes(path),
    read: (path, range) => {
      if (fails("read-error", path)) throw new DiskError("io", path, `reading [${path}] failed`);
      return disk.read(path, range);
    },
    write: writing((path, bytes) => disk.write(path, bytes)),
    append: writing((path, bytes) => disk.append(path, bytes)),
    truncate: (path, sizeBytes) => disk.truncate(path, sizeBytes),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    sync: (paths) => (isPlain() ? disk.sync(paths) : traced(paths, async () => disk.sync(paths))),
    syncFolder: (folder) =>
      isPlain() ? disk.syncFolder(folder) : traced([folder], async () => disk.syncFolder(folder)),
    usage: () => {
      const usage = disk.usage();
      return isFull() ? { ...usage, freeBytes: 0, availableBytes: 0 } : usage;
    },
  };
}

function activeFaultsOf({ self, state, clock, random }: DiskFaultsOptions) {
  return {
    isFull: (): boolean => {
      const [hit] = state.at("disk-full", self);
      if (hit !== undefined) state.tookEffect(hit.id);
      return hit !== undefined;
    },
    fails: (kind: "sync-fails" | "read-error", path: string): boolean => {
      const hit = state
        .at(kind, self)
        .find((rule) => path.includes(rule.path) && happens(rule.perMille, random));
      if (hit !== undefined) state.tookEffect(hit.id);
      return hit !== undefined;
    },
    /** Waits for the sum of the delays of all `disk-slow` and `slow` rules of this node. */
    waitForDelay: async (): Promise<void> => {
      let delayMs = 0;
      for (const rule of [...state.at("disk-slow", self), ...state.at("slow", self)]) {
        state.tookEffect(rule.id);
        delayMs += rule.delayMs;
      }
      if (delayMs > 0) await delay(clock, delayMs);
    },
  };
}

function full(path: string): DiskError {
  return new DiskError("full", path, `no space left on device, writing [${path}]`);
}
