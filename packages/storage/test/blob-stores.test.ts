/** Blobs in folders against the contract, and read through URLs. */
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BlobError, type BlobStore } from "@orrery/ports";
import { blobStoresContract, settleInRealTime as settle } from "@orrery/ports/contract";
import { afterEach, describe, expect, test } from "vitest";
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

describe("a symbolic link", () => {
  /** A place with a repository, and something beside it that is none of its business. */
  const places = () => {
    const root = newFolder();
    const [place, elsewhere] = [join(root, "place"), join(root, "elsewhere")];
    mkdirSync(join(place, "repository"), { recursive: true });
    mkdirSync(join(elsewhere, "inner"), { recursive: true });
    writeFileSync(join(elsewhere, "secret"), "secret");
    return { place, elsewhere, repository: join(place, "repository") };
  };
  const open = (location: string, place: string): BlobStore =>
    createBlobStores().open({ type: "fs", location, within: [place] });
  const refusal = async (attempt: Promise<unknown>): Promise<string> => {
    const error = await attempt.then(
      () => new Error("it was done"),
      (cause: unknown) => cause as Error,
    );
    return error.message;
  };
  const leads = /leads out of the repository's place$/;

  test.each([
    ["the repository's own folder", "repository", ""],
    ["a folder above it", "above", "above/"],
  ])("%s does not lead out of the place", async (_, name, before) => {
    const { place, elsewhere } = places();
    rmSync(join(place, name), { recursive: true, force: true });
    symlinkSync(elsewhere, join(place, name));
    const store = open(join(place, before === "" ? name : `${before}inner`), place);

    const refusals = [
      await refusal(store.list("")),
      await refusal(store.folders("")),
      await refusal(store.read("secret")),
      await refusal(store.write("blob", new Uint8Array(1))),
      await refusal(store.write("new/folder/blob", new Uint8Array(1))),
      await refusal(store.remove(["secret"])),
      await refusal(store.removeFolder("")),
      await refusal(store.removeFolder("inner")),
    ];

    expect(refusals).toEqual(refusals.map(() => expect.stringMatching(leads)));
    expect(readdirSync(elsewhere).toSorted()).toEqual(["inner", "secret"]);
  });

  test("a folder within it neither", async () => {
    const { place, elsewhere, repository } = places();
    symlinkSync(elsewhere, join(repository, "indices"));
    const store = open(repository, place);

    const refusals = [
      await refusal(store.list("indices")),
      await refusal(store.folders("indices")),
      await refusal(store.read("indices/secret")),
      await refusal(store.write("indices/blob", new Uint8Array(1), { replace: true })),
      await refusal(store.remove(["indices/secret"])),
      await refusal(store.removeFolder("indices/inner")),
    ];

    expect(refusals).toEqual(refusals.map(() => expect.stringMatching(leads)));
    expect(readdirSync(elsewhere).toSorted()).toEqual(["inner", "secret"]);
    expect(await store.folders("")).toEqual([]);
  });

  test("a blob that is one is not read, is replaced itself, and is not listed", async () => {
    const { place, elsewhere, repository } = places();
    symlinkSync(join(elsewhere, "secret"), join(repository, "blob"));
    const store = open(repository, place);

    const listed = await store.list("");
    const read = await refusal(store.read("blob"));
    await store.write("blob", new Uint8Array([7]), { replace: true });

    expect([listed, read]).toEqual([[], expect.stringMatching(leads)]);
    expect([...(await store.read("blob"))]).toEqual([7]);
    expect(readFileSync(join(elsewhere, "secret"), "utf8")).toBe("secret");
  });

  test("the place itself may be, and one that stays inside", async () => {
    const { place, repository } = places();
    const link = join(newFolder(), "link");
    symlinkSync(place, link);
    symlinkSync(repository, join(place, "same"));

    await open(join(link, "repository"), link).write("a/b", new Uint8Array([1]));
    await open(join(place, "same"), place).write("c", new Uint8Array([2]));

    expect([...(await open(repository, place).read("a/b"))]).toEqual([1]);
    expect([...(await open(repository, place).read("c"))]).toEqual([2]);
  });

  test("that leads nowhere makes nothing", async () => {
    const { place, elsewhere, repository } = places();
    symlinkSync(join(elsewhere, "none"), join(repository, "indices"));

    await refusal(open(repository, place).write("indices/a/b", new Uint8Array(1)));

    expect(existsSync(join(elsewhere, "none"))).toBe(false);
  });
});

test.each([
  "../blob",
  "/etc/passwd",
  "a/../../blob",
  "a\0b",
  `a/${"x".repeat(5000)}`,
  "a".repeat(300),
])("a name that no blob has is an error of the repository: %j", async (path) => {
  const store = createBlobStores().open({ type: "fs", location: newFolder() });

  const error = await store.read(path).catch((cause: unknown) => cause);

  expect(error).toBeInstanceOf(BlobError);
  expect(["io", "missing"]).toContain((error as BlobError).kind);
});

describe("a server", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("sends nobody out of what is allowed, one step or several", async () => {
    const heard: string[] = [];
    const other = await serve((request, response) => {
      heard.push(request.url ?? "");
      response.end("secret");
    });
    const base = await serve((request, response) => {
      if (request.url === "/a/once") response.writeHead(302, { location: `${other}/x` }).end();
      else if (request.url === "/a/twice") response.writeHead(307, { location: "once" }).end();
      else if (request.url === "/a/round") response.writeHead(301, { location: "round" }).end();
      else if (request.url === "/a/well") response.writeHead(302, { location: "there" }).end();
      else response.end("blob");
    });
    const redirected = (to: string): string | undefined => (to.startsWith(base) ? to : undefined);
    const address = { type: "url", location: `${base}/a` };
    const store = createBlobStores().open({ ...address, redirected });

    await expect(store.read("once")).rejects.toThrow("does not allow");
    await expect(store.read("twice")).rejects.toThrow("does not allow");
    await expect(store.read("round")).rejects.toThrow("leads on and on");
    expect(new TextDecoder().decode(await store.read("well"))).toBe("blob");
    await expect(createBlobStores().open(address).read("well")).rejects.toThrow("does not allow");
    expect(heard).toEqual([]);
  });

  test("is not read any further than what is wanted", async () => {
    let sent = 0;
    const base = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on("drain", more);
      more();
    });
    const store = createBlobStores().open({ type: "url", location: base });

    const bytes = await store.read("endless", { offset: 10, length: 100 });

    expect(bytes.length).toBe(100);
    expect(sent).toBeLessThan(2 ** 26);
  });
});
