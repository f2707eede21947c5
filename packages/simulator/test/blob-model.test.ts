/** The shared blob stores of a run against the contract, and under every condition the lab can set. */
import { BlobError, type BlobStores } from "@orrery/ports";
import { blobStoresContract, completed } from "@orrery/ports/contract";
import { forSeedsAsync } from "@orrery/seeds";
import { expect, test } from "vitest";
import { createBlobModel } from "../src/blob-model.ts";
import { createVirtualWorld } from "./world.ts";

const address = { type: "fs", location: "/repositories/one" };
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

function newBlobs(seed: number | string = 1) {
  const world = createVirtualWorld(seed);
  const model = createBlobModel({
    types: ["fs", "url"],
    random: world.random("blobs"),
    later: (delayMs, action) => void world.queue.schedule(delayMs, action),
  });
  const stores = (alive: () => boolean = () => true): BlobStores =>
    model.stores(alive, (event) => world.record("node", event));
  const done = <T>(promise: Promise<T>): Promise<T> => completed(world.settle, promise);
  const kindOf = (promise: Promise<unknown>): Promise<string> =>
    done(
      promise.then(
        () => "no error",
        (error: unknown) => (error instanceof BlobError ? error.kind : String(error)),
      ),
    );
  return { ...world, model, stores, store: stores().open(address), done, kindOf };
}

blobStoresContract("simulated", async () => {
  const { stores, settle } = newBlobs();
  return { stores: stores(), address, settle };
});

test("what one node wrote outlives it, and another node reads it", async () => {
  const { stores, done } = newBlobs();
  let isUp = true;
  await done(
    stores(() => isUp)
      .open(address)
      .write("blob", bytes(1)),
  );

  isUp = false;

  expect([...(await done(stores().open(address).read("blob")))]).toEqual([1]);
});

test("a write of a node that crashes meanwhile has happened whole or not at all", async () => {
  const seen = new Set<string>();
  await forSeedsAsync(40, async (_random, seed) => {
    const { stores, model, runOut } = newBlobs(seed);
    let isUp = true;
    void stores(() => isUp)
      .open(address)
      .write("blob", bytes(1, 2, 3));

    isUp = false;
    await runOut();

    seen.add(String(model.contents(address.location).get("blob") ?? "nothing"));
  });
  expect([...seen].toSorted()).toEqual(["1,2,3", "nothing"]);
});

test.each([
  ["isFull", { isFull: true }, { read: "no error", write: "full", remove: "no error" }],
  [
    "isReadOnly",
    { isReadOnly: true },
    { read: "no error", write: "read-only", remove: "read-only" },
  ],
  ["isMissing", { isMissing: true }, { read: "missing", write: "io", remove: "io" }],
  ["failing", { failingPerMille: 1000 }, { read: "io", write: "io", remove: "io" }],
  [
    "failing writes",
    { failingPerMille: 1000, failing: ["write"] as const },
    { read: "no error", write: "io", remove: "no error" },
  ],
])(
  "%s shows in the operations it concerns, and is lifted again",
  async (_, conditions, expected) => {
    const { store, model, kindOf, done, trace } = newBlobs();
    await done(store.write("blob", bytes(1)));

    const lift = model.set("/repositories", conditions);
    const outcome = {
      read: await kindOf(store.read("blob")),
      write: await kindOf(store.write("other", bytes(2))),
      remove: await kindOf(store.remove(["never"])),
    };
    lift();

    expect(outcome).toEqual(expected);
    const failed = Object.values(expected).filter((kind) => kind !== "no error").length;
    expect(trace.filter(({ kind }) => kind === "blob-failed")).toHaveLength(failed);
    expect(await kindOf(store.write("after", bytes(3)))).toBe("no error");
  },
);

test("conditions of one place leave another alone", async () => {
  const { stores, model, kindOf } = newBlobs();

  model.set(address.location, { isFull: true });

  const other = stores().open({ type: "fs", location: "/repositories/one-more" });
  expect(await kindOf(other.write("blob", bytes(1)))).toBe("no error");
});

test("a slow place takes its time for bytes and for each operation", async () => {
  const { store, model, queue, done } = newBlobs();
  model.set("", { latencyMs: { low: 100, high: 100 }, bytesPerSecond: 1000 });
  const before = queue.nowMs;

  await done(store.write("blob", new Uint8Array(500)));

  expect(queue.nowMs - before).toBeCloseTo(600, 0);
});

test("rot flips one bit of one blob, losing takes one away, corrupt reads leave the blob alone", async () => {
  const { store, model, done } = newBlobs();
  await done(store.write("index-0", bytes(0, 0)));
  await done(store.write("data", bytes(0, 0)));
  const ones = (of: Uint8Array): number => [...of].filter((byte) => byte !== 0).length;

  const lift = model.set("", { corruptReadsPerMille: 1000 });
  expect(ones(await done(store.read("data")))).toBe(1);
  lift();
  expect(ones(await done(store.read("data")))).toBe(0);

  const rotten = model.rot(address.location, (path) => path.endsWith("data"));
  expect(rotten).toBe("/repositories/one/data");
  expect(ones(await done(store.read("data")))).toBe(1);
  expect(model.lose(address.location, (path) => path.endsWith("index-0"))).toBeDefined();
  expect([...model.contents(address.location).keys()]).toEqual(["data"]);
});

test("a URL reads the folder it names and refuses to write", async () => {
  const { stores, store, done, kindOf } = newBlobs();
  await done(store.write("blob", bytes(5)));

  const url = stores().open({
    type: "url",
    location: "file:///repositories/one/",
    isReadOnly: true,
  });

  expect([...(await done(url.read("blob")))]).toEqual([5]);
  expect(await kindOf(url.write("other", bytes(1)))).toBe("read-only");
});
