/** What each fault of repositories does to whoever reads and writes blobs. */
import { BlobError, type BlobStore, type BlobStores, type TraceEvent } from "@orrery/ports";
import { createRandom } from "@orrery/stdx";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createFaultState,
  createNodeLifetime,
  blobsEndingWithNode,
  withBlobFaults,
  type ActiveRule,
  type FaultState,
} from "../src/index.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

let time: VirtualClock;
let state: FaultState;
let told: TraceEvent[];
let store: BlobStore;

beforeEach(async () => {
  time = createVirtualClock();
  state = createFaultState();
  told = [];
  const random = createRandom("blobs");
  const trace = (event: TraceEvent): void => void told.push(event);
  const stores = withBlobFaults(inMemory(), { state, clock: time.clock, random, trace });
  store = stores.open({ type: "fs", location: "/backups/daily" });
  await store.write("old", new Uint8Array([1]));
});

const everywhere = { id: "r", location: "", path: "" };
const bytes = new Uint8Array([2]);

/** Of each operation: what came of it. */
async function outcomes(): Promise<readonly string[]> {
  const all: readonly (() => Promise<unknown>)[] = [
    () => store.list(""),
    () => store.read("old"),
    () => store.write("new", bytes, { replace: true }),
    () => store.remove(["nothing"]),
  ];
  const found: string[] = [];
  for (const act of all)
    found.push(
      await act().then(
        (value) => (Array.isArray(value) ? `${value.length} blobs` : "done"),
        (error: unknown) => (error instanceof BlobError ? error.kind : String(error)),
      ),
    );
  return found;
}

/** The outcomes under a rule, each failure of which is traced, and none after its end. */
async function expectOutcomes(rule: ActiveRule, expected: readonly string[]): Promise<void> {
  state.set([rule]);

  expect(await outcomes()).toEqual(expected);
  const failed = expected.filter((one) => ["io", "missing", "full"].includes(one)).length;
  expect(told.map(({ kind }) => kind)).toEqual(Array.from({ length: failed }, () => "blob-failed"));
  state.set([]);
  expect(await outcomes()).toEqual([expect.stringContaining("blobs"), "done", "done", "done"]);
}

describe("repository-missing", () => {
  test("shows an empty repository, and fails writes", async () => {
    const rule = { ...everywhere, kind: "repository-missing" } as const;
    await expectOutcomes(rule, ["0 blobs", "missing", "io", "io"]);
  });
});

describe("repository-full", () => {
  test("refuses writes for lack of space", async () => {
    const rule = { ...everywhere, kind: "repository-full" } as const;
    await expectOutcomes(rule, ["1 blobs", "done", "full", "done"]);
  });
});

describe("repository-fails", () => {
  test("fails each operation", async () => {
    const rule = { ...everywhere, kind: "repository-fails", perMille: 1000 } as const;
    await expectOutcomes(rule, ["io", "io", "io", "io"]);
  });
});

describe("repository-slow", () => {
  test("a slow repository answers after its time", async () => {
    state.set([{ ...everywhere, kind: "repository-slow", delayMs: 500 }]);
    let isRead = false;
    const reading = store.read("old").then(() => (isRead = true));

    await time.advance(499);
    expect(isRead).toBe(false);
    await time.advance(1);
    await reading;

    expect(state.hits.get("r")).toBe(1);
  });
});

describe("a rule that names a place", () => {
  const missing = (location: string, path = ""): ActiveRule => ({
    ...{ id: "r", kind: "repository-missing", location, path },
  });

  test.each([
    ["/backups/daily", true],
    ["/backups", true],
    ["daily", true],
    ["/backups/dail", false],
    ["weekly", false],
  ])("[%s] means what lies there", async (location, isMeant) => {
    state.set([missing(location)]);

    const found = await store.read("old").then(
      () => false,
      () => true,
    );

    expect([found, state.hits.get("r") ?? 0]).toEqual([isMeant, Number(isMeant)]);
  });

  test("means blobs whose path it names", async () => {
    state.set([missing("", "index-")]);

    expect([...(await store.read("old"))]).toEqual([1]);
    await expect(store.read("index-0")).rejects.toThrow(BlobError);
  });
});

test("nothing that a node asks for after its end is done, and it hears no answer", async () => {
  const lifetime = createNodeLifetime();
  const ending = blobsEndingWithNode(inMemory(), lifetime).open({
    type: "fs",
    location: "/backups",
  });
  await ending.write("before", bytes);
  let isHeard = false;
  const note = (): void => void (isHeard = true);
  ending.read("before").then(note, note);
  lifetime.end();
  ending.write("after", bytes).then(note, note);
  await time.advance(1000);

  expect(isHeard).toBe(false);
});

/** One place, without folders. */
function inMemory(): BlobStores {
  const blobs = new Map<string, Uint8Array>();
  return {
    types: ["fs"],
    open: () => ({
      list: async () => [...blobs].map(([name, { length }]) => ({ name, sizeBytes: length })),
      folders: async () => [],
      read: async (path) => {
        const found = blobs.get(path);
        if (found === undefined) throw new BlobError("missing", path, path);
        return found;
      },
      write: async (path, content) => void blobs.set(path, content),
      remove: async (paths) => {
        for (const path of paths) blobs.delete(path);
      },
      removeFolder: async () => ({ blobs: 0, bytes: 0 }),
    }),
  };
}
