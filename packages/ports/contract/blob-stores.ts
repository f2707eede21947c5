/** The contract of the BlobStores port. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BlobError, type BlobAddress, type BlobStore, type BlobStores } from "../src/index.ts";
import { completed, type Settle } from "./settle.ts";

export interface BlobStoresWorld {
  readonly stores: BlobStores;
  /** Of an empty place that may be written. */
  readonly address: BlobAddress;
  readonly settle: Settle;
  end?(): Promise<void>;
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

export function blobStoresContract(name: string, makeWorld: () => Promise<BlobStoresWorld>): void {
  describe(`the blob stores contract: ${name}`, () => {
    let world: BlobStoresWorld;
    let store: BlobStore;
    const done = <T>(promise: Promise<T>): Promise<T> => completed(world.settle, promise);
    const kindOf = (promise: Promise<unknown>): Promise<string> => done(outcomeOf(promise));

    beforeEach(async () => {
      world = await makeWorld();
      store = world.stores.open(world.address);
    });
    afterEach(async () => {
      await world.end?.();
    });

    test("a blob is read as it was written, whole and in part", async () => {
      await done(store.write("indices/a/blob", bytes(1, 2, 3, 4)));

      expect([...(await done(store.read("indices/a/blob")))]).toEqual([1, 2, 3, 4]);
      const part = store.read("indices/a/blob", { offset: 1, length: 2 });
      expect([...(await done(part))]).toEqual([2, 3]);
    });

    test("an empty blob is a blob", async () => {
      await done(store.write("empty", bytes()));

      expect((await done(store.read("empty"))).length).toBe(0);
      expect(await done(store.list(""))).toEqual([{ name: "empty", sizeBytes: 0 }]);
    });

    test("a read past the end is an io error", async () => {
      await done(store.write("blob", bytes(1, 2)));

      expect(await kindOf(store.read("blob", { offset: 1, length: 2 }))).toBe("io");
    });

    test("a blob that is missing is a missing error, a folder that is missing is empty", async () => {
      expect(await kindOf(store.read("none"))).toBe("missing");
      expect(await done(store.list("none"))).toEqual([]);
      expect(await done(store.folders("none"))).toEqual([]);
    });

    test("a place that nobody ever wrote to is missing; one that was emptied is empty", async () => {
      expect(await kindOf(store.list(""))).toBe("missing");

      await done(store.write("folder/blob", bytes(1)));
      await done(store.removeFolder("folder"));

      expect(await done(store.list(""))).toEqual([]);
    });

    test("a blob is written once, unless it may be replaced", async () => {
      await done(store.write("index-1", bytes(1)));

      expect(await kindOf(store.write("index-1", bytes(2)))).toBe("exists");
      expect([...(await done(store.read("index-1")))]).toEqual([1]);
      await done(store.write("index-1", bytes(3), { replace: true }));
      expect([...(await done(store.read("index-1")))]).toEqual([3]);
    });

    test("one of many writers of one blob wins", async () => {
      const writes = [1, 2, 3, 4].map((byte) => outcomeOf(store.write("index-2", bytes(byte))));

      const outcomes = await done(Promise.all(writes));

      expect(outcomes.filter((outcome) => outcome === "no error")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "exists")).toHaveLength(3);
      const winner = outcomes.indexOf("no error") + 1;
      expect([...(await done(store.read("index-2")))]).toEqual([winner]);
    });

    test("the caller may change bytes after the write has completed", async () => {
      const mine = bytes(1, 2);
      await done(store.write("blob", mine));

      mine.fill(0);

      expect([...(await done(store.read("blob")))]).toEqual([1, 2]);
    });

    test("blobs and folders are listed apart, sorted, with sizes", async () => {
      await done(store.write("b", bytes(1, 2)));
      await done(store.write("a", bytes(1)));
      await done(store.write("folder/2/deep", bytes(1)));
      await done(store.write("folder/1/deep", bytes(1)));

      expect(await done(store.list(""))).toEqual([
        { name: "a", sizeBytes: 1 },
        { name: "b", sizeBytes: 2 },
      ]);
      expect(await done(store.folders(""))).toEqual(["folder"]);
      expect(await done(store.folders("folder"))).toEqual(["1", "2"]);
      expect(await done(store.list("folder"))).toEqual([]);
    });

    test("removed blobs are gone, and removing what is missing is no error", async () => {
      await done(store.write("a/kept", bytes(1)));
      await done(store.write("a/gone", bytes(1)));

      await done(store.remove(["a/gone", "a/never"]));

      expect((await done(store.list("a"))).map((blob) => blob.name)).toEqual(["kept"]);
    });

    test("a folder is removed with all it holds, and says how much that was", async () => {
      await done(store.write("a/1/x", bytes(1, 2)));
      await done(store.write("a/y", bytes(1, 2, 3)));
      await done(store.write("b", bytes(1)));

      expect(await done(store.removeFolder("a"))).toEqual({ blobs: 2, bytes: 5 });
      expect(await done(store.removeFolder("a"))).toEqual({ blobs: 0, bytes: 0 });
      expect(await done(store.folders(""))).toEqual([]);
      expect((await done(store.list(""))).map((blob) => blob.name)).toEqual(["b"]);
    });

    test("the same address is the same store", async () => {
      await done(store.write("blob", bytes(7)));

      const other = world.stores.open(world.address);

      expect([...(await done(other.read("blob")))]).toEqual([7]);
    });
  });
}

function outcomeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no error",
    (error: unknown) => (error instanceof BlobError ? error.kind : String(error)),
  );
}
