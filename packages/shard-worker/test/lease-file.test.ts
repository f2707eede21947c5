/** Retention leases on disk: the newest stay, in whatever order their syncs end. */
import { noLeases } from "@orrery/replication";
import { expect, test } from "vitest";
import { newestLeases, saveLeases } from "../src/store/lease-file.ts";
import { createCrashDisk } from "./crash-disk.ts";

test("a change that was overtaken while it was synced does not take the place of the later one", async () => {
  const { disk, slow, syncs } = createSlowDisk();
  const how = { owner: { persistedLeases: noLeases }, isGivenUp: () => false };
  const [first, second] = [1, 2].map((version) => ({ ...noLeases, primaryTerm: 1, version }));
  if (first === undefined || second === undefined) throw new Error("two changes");

  const earlier = saveLeases(slow, "state", first, how);
  const later = saveLeases(slow, "state", second, how);
  syncs[1]?.();
  await later;
  syncs[0]?.();
  await earlier;

  expect(newestLeases(disk, "state", noLeases, fail)).toEqual(second);
  expect(disk.list("state")).toHaveLength(1);
});

test("leases that are saved twice at once are saved", async () => {
  const { disk, slow, syncs } = createSlowDisk();
  const how = { owner: { persistedLeases: noLeases }, isGivenUp: () => false };
  const leases = { ...noLeases, primaryTerm: 1, version: 1 };

  const saves = [saveLeases(slow, "state", leases, how), saveLeases(slow, "state", leases, how)];
  for (const end of syncs) end();
  await Promise.all(saves);

  expect(newestLeases(disk, "state", noLeases, fail)).toEqual(leases);
  expect(disk.list("state")).toHaveLength(1);
});

test("files of saves that a crash has interrupted go when the copy opens again", async () => {
  const { disk, slow } = createSlowDisk();
  const how = { owner: { persistedLeases: noLeases }, isGivenUp: () => false };
  const leases = { ...noLeases, primaryTerm: 1, version: 1 };
  await saveLeases(disk, "state", leases, how);
  // Its sync never ends.
  void saveLeases(slow, "state", { ...leases, version: 2 }, how);
  disk.write("state/shard.st", new Uint8Array(1));
  const before = disk.list("state");

  expect(newestLeases(disk, "state", noLeases, fail)).toEqual(leases);
  expect(before).toHaveLength(3);
  expect(disk.list("state")).toEqual(["retention-leases", "shard.st"]);
});

test("a damaged file counts as none, and is reported", async () => {
  const disk = createCrashDisk();
  const how = { owner: { persistedLeases: noLeases }, isGivenUp: () => false };
  await saveLeases(disk, "state", { ...noLeases, primaryTerm: 1, version: 1 }, how);
  const bytes = disk.read("state/retention-leases").slice();
  bytes[12] = (bytes[12] ?? 0) ^ 1;
  disk.write("state/retention-leases", bytes);
  const told: string[] = [];

  const found = newestLeases(disk, "state", noLeases, (damage) => told.push(damage));

  expect([found, told]).toEqual([noLeases, [expect.stringContaining("are damaged")]]);
});

function fail(damage: string): void {
  throw new Error(damage);
}

/** Its syncs end when the test says so. */
function createSlowDisk() {
  const disk = createCrashDisk();
  const syncs: (() => void)[] = [];
  const slow = {
    ...disk,
    sync: () => new Promise<void>((resolve) => void syncs.push(resolve)),
    syncFolder: async () => undefined,
  };
  return { disk, slow, syncs };
}
