/** Snapshots of one shard in a store that only remembers: what is shared is kept, what nobody needs goes. */
import { BlobError, type BlobStore } from "@orrery/ports";
import { forSeedsAsync } from "@orrery/seeds";
import { expect, test } from "vitest";
import {
  cloneShard,
  corrupt,
  openRepository,
  pruneShard,
  readShardFile,
  readShardSnapshot,
  shardFolder,
  writeShardSnapshot,
  type SourceFile,
} from "../src/index.ts";

function memoryStore(): BlobStore & { readonly blobs: Map<string, Uint8Array> } {
  const blobs = new Map<string, Uint8Array>();
  const inside = (folder: string): string[] =>
    [...blobs.keys()].flatMap((path) =>
      folder === "" ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
    );
  return {
    blobs,
    list: async (folder) =>
      inside(folder)
        .filter((name) => !name.includes("/"))
        .toSorted()
        .map((name) => ({
          name,
          sizeBytes: blobs.get(folder === "" ? name : `${folder}/${name}`)?.length ?? 0,
        })),
    folders: async (folder) => [
      ...new Set(
        inside(folder).flatMap((name) => (name.includes("/") ? [name.split("/")[0] ?? ""] : [])),
      ),
    ],
    read: async (path) => {
      const bytes = blobs.get(path);
      if (bytes === undefined) throw new BlobError("missing", path, path);
      return bytes;
    },
    write: async (path, bytes, how) => {
      if (blobs.has(path) && how?.replace !== true) throw new BlobError("exists", path, path);
      blobs.set(path, bytes.slice());
    },
    remove: async (paths) => paths.forEach((path) => blobs.delete(path)),
    removeFolder: async () => ({ blobs: 0, bytes: 0 }),
  };
}

function file(name: string, content: string): SourceFile {
  const bytes = new TextEncoder().encode(content);
  let checksum = 0;
  for (const byte of bytes) checksum = (checksum * 31 + byte) >>> 0;
  return { name, sizeBytes: bytes.length, checksum, read: () => bytes };
}

interface Shard {
  readonly store: ReturnType<typeof memoryStore>;
  snapshot(uuid: string, files: readonly SourceFile[], partBytes?: number): Promise<number>;
  prune(survivors: readonly string[]): Promise<void>;
  clone(source: string, target: string): Promise<void>;
  contents(uuid: string): Promise<Record<string, string>>;
}

function newShard(): Shard {
  const store = memoryStore();
  const folder = "indices/a/0";
  let generation: string | null = null;
  let ids = 0;
  const newId = (): string => `id${(ids += 1)}`;
  return {
    store,
    async snapshot(uuid, files, partBytes = 0) {
      let written = 0;
      generation = await writeShardSnapshot(store, {
        folder,
        baseGeneration: generation,
        snapshot: { name: uuid, uuid },
        files,
        partBytes,
        compression: "none",
        newId,
        nowMs: () => 5,
        startTimeMs: 1,
        pace: async () => undefined,
        progress: { planned: () => undefined, written: () => (written += 1) },
      });
      return written;
    },
    async prune(survivors) {
      const prune = {
        folder,
        generation,
        survivors: new Set(survivors),
        compression: "none",
        newId,
      } as const;
      const pruned = await pruneShard(store, prune);
      generation = pruned.generation;
      await store.remove(pruned.stale);
    },
    async clone(sourceUuid, uuid) {
      const target = { name: uuid, uuid };
      generation = await cloneShard(store, {
        folder,
        generation,
        sourceUuid,
        target,
        compression: "none",
        newId,
        nowMs: 7,
      });
    },
    async contents(uuid) {
      const { files } = await readShardSnapshot(store, folder, uuid);
      const texts: Record<string, string> = {};
      for (const one of files) {
        const bytes = await readShardFile(store, folder, one, async () => undefined);
        texts[one.name] = new TextDecoder().decode(bytes);
      }
      return texts;
    },
  };
}

test("a file that is there already, by name, length and checksum, is not written again", async () => {
  const shard = newShard();

  expect(await shard.snapshot("s1", [file("_0.cfs", "abc"), file("segments_1", "m1")])).toBe(2);
  expect(await shard.snapshot("s2", [file("_0.cfs", "abc"), file("segments_1", "m1")])).toBe(0);
  expect(await shard.snapshot("s3", [file("_0.cfs", "abd"), file("segments_1", "m1")])).toBe(1);
  expect(await shard.contents("s1")).toEqual({ "_0.cfs": "abc", segments_1: "m1" });
  expect(await shard.contents("s3")).toEqual({ "_0.cfs": "abd", segments_1: "m1" });
});

test.each([
  ["gone", (blobs: Map<string, Uint8Array>, path: string) => void blobs.delete(path)],
  ["cut", (blobs: Map<string, Uint8Array>, path: string) => void blobs.set(path, Uint8Array.of(7))],
])("a file of which a blob is %s is written again, under its name", async (_how, damage) => {
  const shard = newShard();
  const files = [file("_0.cfs", "abcdefgh"), file("segments_1", "m1")];
  await shard.snapshot("s1", files, 3);
  const whole = new Map(shard.store.blobs);
  const part = [...whole.keys()].find((path) => path.endsWith(".part1")) ?? "";
  damage(shard.store.blobs, part);

  expect(await shard.snapshot("s2", files, 5)).toBe(1);
  expect(shard.store.blobs.get(part)).toEqual(whole.get(part));
  for (const uuid of ["s1", "s2"])
    expect(await shard.contents(uuid)).toEqual({ "_0.cfs": "abcdefgh", segments_1: "m1" });
});

test("a snapshot of which a blob is gone is not cloned", async () => {
  const shard = newShard();
  await shard.snapshot("s1", [file("_0.cfs", "abc")]);
  const blob = [...shard.store.blobs.keys()].find((path) => path.includes("/__")) ?? "";
  shard.store.blobs.delete(blob);

  await expect(shard.clone("s1", "c1")).rejects.toThrow(
    corrupt(blob, "it is not there as it was written").message,
  );
});

test("a file is cut into parts, and joined again", async () => {
  const shard = newShard();

  await shard.snapshot("s1", [file("_0.cfs", "abcdefgh"), file("tiny", "x")], 3);

  const names = [...shard.store.blobs.keys()].filter((name) => name.includes(".part"));
  expect(names).toHaveLength(3);
  expect(await shard.contents("s1")).toEqual({ "_0.cfs": "abcdefgh", tiny: "x" });
});

test("a clone shares the files of its source and outlives it", async () => {
  const shard = newShard();
  await shard.snapshot("s1", [file("_0.cfs", "abc")]);
  const before = [...shard.store.blobs.keys()].filter((name) => name.includes("__")).length;

  await shard.clone("s1", "c1");
  await shard.prune(["c1"]);

  expect([...shard.store.blobs.keys()].filter((name) => name.includes("__"))).toHaveLength(before);
  expect(await shard.contents("c1")).toEqual({ "_0.cfs": "abc" });
});

test("INV-SNAP-3: whatever is taken away, what is left is whole and nothing else is", async () => {
  await forSeedsAsync(60, async (random) => {
    const shard = newShard();
    const wanted = new Map<string, Record<string, string>>();
    for (let step = 0; step < 12; step += 1) {
      const uuids = [...wanted.keys()];
      const choice = random.int(0, 3);
      if (choice > 0 || uuids.length === 0) {
        const texts: Record<string, string> = {};
        for (let i = 0; i < random.int(1, 4); i += 1) {
          texts[`_${random.int(0, 3)}.cfs`] = `content ${random.int(0, 2)}`;
        }
        const files = Object.entries(texts).map(([name, content]) => file(name, content));
        await shard.snapshot(`s${step}`, files, random.pick([0, 3]));
        wanted.set(`s${step}`, texts);
      } else {
        const gone = uuids.filter(() => random.int(0, 1) === 0);
        for (const uuid of gone) wanted.delete(uuid);
        await shard.prune([...wanted.keys()]);
      }
      for (const [uuid, texts] of wanted) expect(await shard.contents(uuid)).toEqual(texts);
    }
    await shard.prune([]);
    await shard.prune([]);
    expect([...shard.store.blobs.keys()]).toEqual([]);
  });
});

test("hashed paths keep shards apart", () => {
  const at = (pathType: "FIXED" | "HASHED_PREFIX" | "HASHED_INFIX", shard: number): string =>
    shardFolder({ name: "a", id: "id", pathType }, shard);

  expect(at("FIXED", 1)).toBe("indices/id/1");
  expect(at("HASHED_PREFIX", 1)).toMatch(/^[0-9a-f]{8}\/indices\/id\/1$/);
  expect(at("HASHED_INFIX", 1)).toMatch(/^indices\/[0-9a-f]{8}\/id\/1$/);
  expect(at("HASHED_PREFIX", 1)).not.toBe(at("HASHED_PREFIX", 2));
});

test("the newest generation counts, a damaged one is refused and never written over", async () => {
  const store = memoryStore();
  const repository = openRepository("r", store, { compression: "none", isReadOnly: false });
  const data = await repository.readData(-1);
  await repository.writeData({ ...data, generation: 0 });
  await repository.writeData({ ...data, generation: 3 });

  expect(await repository.latestGeneration()).toBe(3);
  await expect(repository.writeData({ ...data, generation: 3 })).rejects.toThrow(BlobError);
  const bytes = store.blobs.get("index-3");
  if (bytes !== undefined) bytes[20] = (bytes[20] ?? 0) ^ 1;
  await expect(repository.readData(3)).rejects.toThrow(
    corrupt("index-3", "codec footer mismatch (file truncated?)").message,
  );
});

test("a generation that `index.latest` names and that is not there is missed, whatever older ones are", async () => {
  const store = memoryStore();
  const repository = openRepository("r", store, { compression: "none", isReadOnly: false });
  expect(await repository.latestGeneration()).toBe(-1);
  const data = await repository.readData(-1);
  await repository.writeData({ ...data, generation: 2 });
  await repository.writeData({ ...data, generation: 3 });
  const missed = corrupt("index-3", "it is not there, and index.latest names it").message;

  for (const lost of ["index-3", "index-2"]) {
    await store.remove([lost]);
    expect(await repository.latestGeneration()).toBe(3);
    await expect(repository.readData(3)).rejects.toThrow(missed);
  }

  await repository.writeData({ ...data, generation: 4 });
  await store.remove(["index.latest"]);
  expect(await repository.latestGeneration()).toBe(4);
});

test.each(["indices/i/0/__1", "a1b2c3d4/indices/i/0/__1", "snap-u.dat", "meta-u.dat"])(
  "a place that holds [%s] and no list of snapshots is not an empty repository",
  async (left) => {
    const store = memoryStore();
    const repository = openRepository("r", store, { compression: "none", isReadOnly: false });
    for (const harmless of ["tests-x/master.dat", "pending-index-0", "notes.txt"])
      await store.write(harmless, new Uint8Array(1));
    expect(await repository.latestGeneration()).toBe(-1);

    await store.write(left, new Uint8Array(1));

    await expect(repository.latestGeneration()).rejects.toThrow("has lost its root");
  },
);

test("a number of the latest that nobody wrote is refused", async () => {
  const store = memoryStore();
  const repository = openRepository("r", store, { compression: "none", isReadOnly: false });
  for (const bytes of [Uint8Array.of(1, 2, 3), new Uint8Array(8).fill(255)]) {
    await store.write("index.latest", bytes, { replace: true });
    await expect(repository.latestGeneration()).rejects.toThrow("index.latest");
  }
});
