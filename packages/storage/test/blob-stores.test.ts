/** Blobs in folders against the contract, and read through URLs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BlobError } from "@orrery/ports";
import { blobStoresContract, settleInRealTime as settle } from "@orrery/ports/contract";
import { afterEach, expect, test } from "vitest";
import { createBlobStores } from "../src/index.ts";

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-blobs-"));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

blobStoresContract("folders", async () => ({
  stores: createBlobStores(),
  address: { type: "fs", location: join(newFolder(), "repository") },
  settle,
}));

test("a write leaves no other file behind, whether it wins or not", async () => {
  const store = createBlobStores().open({ type: "fs", location: newFolder() });
  await store.write("blob", new Uint8Array([1]));

  await store.write("blob", new Uint8Array([2])).catch(() => undefined);

  expect((await store.list("")).map((blob) => blob.name)).toEqual(["blob"]);
});

test("a file URL of nothing lists nothing", async () => {
  const location = pathToFileURL(join(newFolder(), "none")).href;
  const store = createBlobStores().open({ type: "url", location });

  expect(await store.list("")).toEqual([]);
});

test("a URL that leads nowhere opens, and fails when it is read", async () => {
  const store = createBlobStores().open({ type: "url", location: "http:?" });

  await expect(store.read("index.latest")).rejects.toThrow(
    "[http:?] is no URL that leads anywhere",
  );
});

test("a file URL reads what a folder holds and refuses to write", async () => {
  const location = newFolder();
  const stores = createBlobStores();
  await stores.open({ type: "fs", location }).write("a/blob", new Uint8Array([1, 2]));
  const store = stores.open({ type: "url", location: pathToFileURL(location).href });

  const refused = await store.write("b", new Uint8Array()).catch((error: unknown) => error);

  expect([...(await store.read("a/blob"))]).toEqual([1, 2]);
  expect(await store.folders("")).toEqual(["a"]);
  expect((refused as BlobError).kind).toBe("read-only");
});

test("a type that nobody brought is refused, one that was brought is opened", () => {
  const brought = createBlobStores().open({ type: "fs", location: newFolder() });

  expect(() => createBlobStores().open({ type: "s4", location: "" })).toThrow(BlobError);
  const stores = createBlobStores({ s4: () => brought });
  expect(stores.open({ type: "s4", location: "" })).toBe(brought);
});
