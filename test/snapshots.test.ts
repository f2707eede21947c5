/** Snapshots while machines come and go: what was snapshotted is what comes back, and the repository holds nothing else. */
import { primaryOf, repositoriesOf, snapshotsOf } from "@orrery/cluster-state";
import { createRandom, defined, type Json } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  inSnapshotWorld,
  repositoryFolder,
  type Answer,
  type SnapshotWorld,
} from "./snapshot-world.ts";

type Documents = ReadonlyMap<string, number>;

interface Blob {
  /** Below the repository. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const REPOSITORY = { type: "fs", settings: { location: repositoryFolder } };

async function prepare(world: SnapshotWorld, index = "docs"): Promise<void> {
  expect((await world.ask("PUT", "/_snapshot/r", REPOSITORY)).status).toBe(200);
  const settings = { number_of_shards: 3, number_of_replicas: 1 };
  expect((await world.ask("PUT", `/${index}`, { settings })).status).toBe(200);
  await world.ask("GET", "/_cluster/health?wait_for_status=green&timeout=60s");
}

function documentLines(from: number, count: number): Json {
  return Array.from({ length: count }, (_, i) => [
    { index: { _index: "docs", _id: String(from + i) } },
    { value: from + i, text: `document number ${from + i} `.repeat(20) },
  ]).flat();
}

async function write(world: SnapshotWorld, from: number, count: number): Promise<void> {
  const lines = documentLines(from, count);
  const { status, body } = await world.ask("POST", "/_bulk?refresh=true", lines);
  expect([status, (body as { errors: boolean }).errors]).toEqual([200, false]);
}

async function documentsOf(world: SnapshotWorld, index: string): Promise<Documents> {
  const { body } = await world.ask("GET", `/${index}/_search?size=1000`);
  const { hits } = body as unknown as {
    hits: { hits: readonly { _id: string; _source: { value: number } }[] };
  };
  return new Map(hits.hits.map(({ _id, _source }) => [_id, _source.value]));
}

function expected(count: number): Documents {
  return new Map(Array.from({ length: count }, (_, i) => [String(i), i]));
}

async function stateOf(world: SnapshotWorld, name: string): Promise<string> {
  const { status, body } = await world.ask("GET", `/_snapshot/r/${name}`);
  if (status !== 200) return `${status}`;
  return (body as unknown as { snapshots: readonly { state: string }[] }).snapshots[0]?.state ?? "";
}

/** Until nothing is under way any more. */
async function settled(world: SnapshotWorld): Promise<void> {
  for (;;) {
    const state = world.simulation.cluster(world.elected() ?? "")?.state();
    const sections = ["snapshots", "snapshot_deletions", "restore", "repository_cleanup"];
    const isQuiet =
      state?.managerNodeId !== undefined &&
      sections.every((section) => !state.metadata.customs.has(section));
    if (isQuiet) return;
    await world.sleep(200);
  }
}

async function restored(world: SnapshotWorld, snapshot: string, into: string): Promise<Documents> {
  const body = { indices: "docs", rename_pattern: "docs", rename_replacement: into };
  const uri = `/_snapshot/r/${snapshot}/_restore?wait_for_completion=true`;
  const answer = await world.ask("POST", uri, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await world.ask("GET", `/_cluster/health/${into}?wait_for_status=yellow&timeout=120s`);
  return documentsOf(world, into);
}

/** Crashes a node (the elected one, or another) some time soon, and brings it back later. */
async function disturb(world: SnapshotWorld, seed: number, withinMs: number): Promise<void> {
  const random = createRandom(`${seed}:disturb`);
  await world.sleep(random.int(0, withinMs));
  const elected = world.elected();
  const others = world.nodes.filter((node) => node !== elected);
  const victim = random.int(0, 1) === 0 && elected !== undefined ? elected : random.pick(others);
  world.simulation.crash(victim);
  await world.sleep(random.int(500, 8000));
  world.start(victim);
  await world.ask("GET", "/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=120s");
}

/** How many blobs a clean-up still finds. */
async function leftovers(world: SnapshotWorld): Promise<number> {
  const { status, body } = await world.ask("POST", "/_snapshot/r/_cleanup");
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as unknown as { results: { deleted_blobs: number } }).results.deleted_blobs;
}

/** Of the repository, as a node knows it. */
function generationAt(world: SnapshotWorld, node: string): number | undefined {
  const state = world.simulation.cluster(node)?.state();
  return state === undefined ? undefined : repositoriesOf(state).get("r")?.generation;
}

function pendingAt(world: SnapshotWorld, node: string): number | undefined {
  const state = world.simulation.cluster(node)?.state();
  return state === undefined ? undefined : repositoriesOf(state).get("r")?.pending_generation;
}

/** Paths of the metadata blobs whose bodies are compressed. */
function compressedBlobs(world: SnapshotWorld): string[] {
  const blobs = world.simulation.blobs.contents(repositoryFolder);
  const isCompressed = (bytes: Uint8Array): boolean =>
    Buffer.from(bytes.subarray(9, 13)).toString("latin1") === "DFL\0";
  return [...blobs].flatMap(([path, bytes]) => (isCompressed(bytes) ? [path] : []));
}

/** Names of the snapshots whose files any shard keeps. */
function listedByShards(world: SnapshotWorld): string[] {
  const blobs = world.simulation.blobs.contents(repositoryFolder);
  const names = [...blobs].flatMap(([path, bytes]) => {
    if (!/\/\d+\/index-/.test(path)) return [];
    const { snapshots } = JSON.parse(Buffer.from(bytes.subarray(9)).toString()) as {
      snapshots: readonly { name: string }[];
    };
    return snapshots.map(({ name }) => name);
  });
  return [...new Set(names)].toSorted();
}

/** Of the first shard. */
function manifestOf(world: SnapshotWorld, snapshot: string): Blob {
  const blobs = world.simulation.blobs.contents(repositoryFolder);
  for (const [path, bytes] of blobs) {
    if (!/\/0\/snap-[^/]*\.dat$/.test(path)) continue;
    const { name, files } = JSON.parse(Buffer.from(bytes.subarray(9)).toString()) as {
      name: string;
      files: readonly { name: string; blob: string }[];
    };
    const manifest = files.find((file) => file.name.startsWith("segments_"));
    if (name !== snapshot || manifest === undefined) continue;
    const place = path.replace(/snap-[^/]*$/, manifest.blob);
    return { path: place, bytes: defined(blobs.get(place), "the manifest") };
  }
  throw new Error(`no manifest of ${snapshot}`);
}

/** What kind of blob lies there. */
function shapeOf(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  const shape = name.replace(/^(snap|meta)-.*$/, "$1.dat").replace(/^index-.*$/, "index");
  return /\/\d+\//.test(path) ? `shard ${shape}` : shape;
}

function reasonOf({ body }: Answer): unknown {
  return (body as { error?: { reason?: unknown } }).error?.reason;
}

async function untilThere(world: SnapshotWorld, index: string): Promise<void> {
  while ((await world.ask("GET", `/${index}`)).status !== 200) await world.sleep(20);
}

/** A request to a node whose answers from the elected cluster manager vanish until that one is lost. */
function unanswered(
  world: SnapshotWorld,
  action: string,
  ask: (node: string) => Promise<Answer | undefined>,
): { readonly withoutManager: () => Promise<Answer | undefined> } {
  const { network } = world.simulation;
  const manager = world.elected() ?? "";
  const others = world.nodes.filter((node) => node !== manager);
  const links = { from: [manager], to: others, both: false };
  const applied = network.applyRule({ kind: "drop", links, actions: [action], perMille: 1000 });
  const asking = ask(others[0] ?? "");
  return {
    withoutManager: async () => {
      expect(applied.hits()).toBeGreaterThan(0);
      world.simulation.crash(manager);
      applied.end();
      const answer = await asking;
      world.start(manager);
      return answer;
    },
  };
}

const seeds = Array.from({ length: 12 }, (_, i) => i + 1);

describe("in the simulation", () => {
  test("a second snapshot copies only what is new, and both come back as they were", async () => {
    await inSnapshotWorld(1, async (world) => {
      await prepare(world);
      await write(world, 0, 30);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");
      await write(world, 30, 30);
      await world.ask("PUT", "/_snapshot/r/s3?wait_for_completion=true");

      const statusOf = async (name: string): Promise<{ incremental: { file_count: number } }> => {
        const { body } = await world.ask("GET", `/_snapshot/r/${name}/_status`);
        type Status = { snapshots: readonly { stats: { incremental: { file_count: number } } }[] };
        return (
          (body as unknown as Status).snapshots[0]?.stats ?? { incremental: { file_count: -1 } }
        );
      };

      expect((await statusOf("s1")).incremental.file_count).toBeGreaterThan(0);
      expect((await statusOf("s2")).incremental.file_count).toBe(0);
      expect((await statusOf("s3")).incremental.file_count).toBeGreaterThan(0);
      expect(await restored(world, "s2", "back-2")).toEqual(expected(30));
      expect(await restored(world, "s3", "back-3")).toEqual(expected(60));
      await world.ask("DELETE", "/_snapshot/r/s1,s2");
      expect(await restored(world, "s3", "back-again")).toEqual(expected(60));
      expect(await leftovers(world)).toBe(0);
    });
  });

  test("a repository is read, cloned, pruned and cleaned whatever of it is compressed", async () => {
    await inSnapshotWorld(2, async (world) => {
      const use = (compress: boolean): Promise<unknown> =>
        world.ask("PUT", "/_snapshot/r", {
          ...REPOSITORY,
          settings: { ...REPOSITORY.settings, compress },
        });
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/plain?wait_for_completion=true");
      const plainBefore = compressedBlobs(world);
      await use(true);
      await write(world, 20, 20);
      await world.ask("PUT", "/_snapshot/r/small?wait_for_completion=true");
      await world.ask("PUT", "/_snapshot/r/small/_clone/copy", { indices: "docs" });
      await settled(world);
      const small = compressedBlobs(world);
      await use(false);
      await world.ask("DELETE", "/_snapshot/r/small");

      expect(plainBefore).toEqual([]);
      expect(small.map(shapeOf)).toEqual(
        expect.arrayContaining(["snap.dat", "meta.dat", "shard index", "shard snap.dat"]),
      );
      expect(small.filter((path) => /^index-\d+$/.test(path))).toEqual([]);
      expect(await restored(world, "plain", "back-plain")).toEqual(expected(20));
      expect(await restored(world, "copy", "back-copy")).toEqual(expected(40));
      expect(await leftovers(world)).toBe(0);
    });
  });

  test("a compressor that is not there is refused, unless nothing is to be compressed", async () => {
    await inSnapshotWorld(3, async (world) => {
      const put = (settings: Readonly<Record<string, string>>): ReturnType<typeof world.ask> =>
        world.ask("PUT", "/_snapshot/r", {
          ...REPOSITORY,
          settings: { ...REPOSITORY.settings, ...settings },
        });

      const refused = await put({ compress: "true", compression_type: "lz9" });

      expect(refused.status).toBe(500);
      expect(refused.body).toMatchObject({
        error: {
          reason: "[r] failed to create repository",
          caused_by: {
            type: "illegal_argument_exception",
            reason: "No registered compressor found by name [LZ9]",
          },
        },
      });
      expect((await put({ compression_type: "lz9" })).status).toBe(200);
      expect((await put({ compress: "true", compression_type: "Deflate" })).status).toBe(200);
    });
  });

  test.each(seeds)(
    "INV-SNAP-6: a crash during a snapshot ends in one or none (seed %i)",
    async (seed) => {
      await inSnapshotWorld(seed, async (world) => {
        await prepare(world);
        await write(world, 0, 40);
        await world.ask("PUT", "/_snapshot/r/before?wait_for_completion=true");
        await write(world, 40, 40);
        const creating = world.tell(world.nodes[seed % 3] ?? "", "PUT", "/_snapshot/r/during", {
          partial: true,
        });
        await disturb(world, seed, 120);
        await creating;
        await settled(world);

        const state = await stateOf(world, "during");

        expect(["SUCCESS", "PARTIAL", "404"]).toContain(state);
        if (state === "SUCCESS")
          expect(await restored(world, "during", "back")).toEqual(expected(80));
        expect(await restored(world, "before", "old")).toEqual(expected(40));
        await world.ask("PUT", "/_snapshot/r/after?wait_for_completion=true");
        expect(await restored(world, "after", "new")).toEqual(expected(80));
      });
    },
  );

  test.each(seeds)(
    "INV-SNAP-3: a crash during a deletion spares what is left (seed %i)",
    async (seed) => {
      await inSnapshotWorld(seed, async (world) => {
        await prepare(world);
        await write(world, 0, 40);
        await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
        await write(world, 40, 40);
        await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");
        const deleting = world.tell(world.nodes[seed % 3] ?? "", "DELETE", "/_snapshot/r/s1");
        await disturb(world, seed, 150);
        await deleting;
        await settled(world);
        const state = await stateOf(world, "s1");
        expect(["SUCCESS", "404"]).toContain(state);
        if (state === "SUCCESS") await world.ask("DELETE", "/_snapshot/r/s1");

        expect(await stateOf(world, "s1")).toBe("404");
        expect(await restored(world, "s2", "back")).toEqual(expected(80));
        await leftovers(world);
        expect(await restored(world, "s2", "again")).toEqual(expected(80));
        expect(await leftovers(world)).toBe(0);
      });
    },
  );

  test.each<[string, (world: SnapshotWorld, manager: string) => Promise<unknown>, string]>([
    [
      "a deletion",
      (world, manager) => world.tell(manager, "DELETE", "/_snapshot/r/s1"),
      "generation",
    ],
    [
      "a clean-up",
      (world, manager) => world.tell(manager, "POST", "/_snapshot/r/_cleanup"),
      "repository_cleanup",
    ],
  ])(
    "INV-SNAP-3: who comes late to the end of %s removes nothing of a snapshot taken since",
    async (_, begin, until) => {
      await inSnapshotWorld(21, async (world) => {
        await prepare(world);
        await write(world, 0, 20);
        await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
        await write(world, 20, 20);
        await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");
        const { simulation } = world;
        const old = world.elected() ?? "";
        const other = world.nodes.find((node) => node !== old) ?? "";
        const before = generationAt(world, other);
        const lift = simulation.blobs.set(repositoryFolder, { latencyMs: { low: 200, high: 200 } });
        void begin(world, old);
        const isBegun = (): boolean =>
          until === "generation"
            ? generationAt(world, other) !== before
            : simulation.cluster(other)?.state()?.metadata.customs.has(until) === true;
        while (!isBegun()) await world.sleep(1);
        const pause = simulation.gate(old).pause();
        lift();
        const told = async (method: string, uri: string, body?: Json): Promise<void> => {
          while ((await world.tell(other, method, uri, body))?.status !== 200)
            await world.sleep(500);
        };
        await told("GET", "/_cluster/health?wait_for_nodes=2&wait_for_status=yellow");
        await told("POST", "/_bulk?refresh=true", documentLines(40, 20));
        await told("PUT", "/_snapshot/r/s9?wait_for_completion=true");
        pause.end();
        await world.sleep(60_000);
        await settled(world);

        expect(await stateOf(world, "s9")).toBe("SUCCESS");
        expect(await restored(world, "s9", "back")).toEqual(expected(60));
        await leftovers(world);
        expect(await restored(world, "s9", "again")).toEqual(expected(60));
        expect(await leftovers(world)).toBe(0);
      });
    },
  );

  test("what a manager wrote under a number that never came into force is not read when the repository is registered anew", async () => {
    await inSnapshotWorld(22, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      const { blobs } = world.simulation;
      const lift = blobs.set(`${repositoryFolder}/index.latest`, { failingPerMille: 1000 });
      const failed = await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");
      lift();
      expect(failed.status).toBe(500);
      const newest = (): string | undefined =>
        [...blobs.contents(repositoryFolder).keys()]
          .filter((path) => /^index-\d+$/.test(path))
          .toSorted()
          .at(-1);
      const orphan = newest();

      await leftovers(world);

      expect(newest()).not.toBe(orphan);
      await world.ask("DELETE", "/_snapshot/r");
      await world.ask("PUT", "/_snapshot/r", REPOSITORY);
      expect(await stateOf(world, "s2")).toBe("404");
      expect(await restored(world, "s1", "back")).toEqual(expected(20));
      expect(await leftovers(world)).toBe(0);
    });
  });

  test.each(seeds)("a crash during a restore ends with everything back (seed %i)", async (seed) => {
    await inSnapshotWorld(seed, async (world) => {
      await prepare(world);
      await write(world, 0, 60);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      const body = { indices: "docs", rename_pattern: "docs", rename_replacement: "back" };
      const node = world.nodes[seed % 3] ?? "";
      const restoring = world.tell(node, "POST", "/_snapshot/r/s1/_restore", body);
      await disturb(world, seed, 150);
      const answer = await restoring;
      await settled(world);
      const { status } = await world.ask("GET", "/back");
      if (answer?.status === 200) expect(status).toBe(200);
      if (status !== 200) await world.ask("POST", "/_snapshot/r/s1/_restore", body);
      await world.ask("GET", "/_cluster/health/back?wait_for_status=green&timeout=120s");

      expect(await documentsOf(world, "back")).toEqual(expected(60));
    });
  });

  test.each(seeds.slice(0, 6))(
    "deleting a running snapshot aborts it and leaves nothing (seed %i)",
    async (seed) => {
      await inSnapshotWorld(seed, async (world) => {
        await prepare(world);
        await write(world, 0, 60);
        world.simulation.blobs.set(repositoryFolder, { latencyMs: { low: 50, high: 80 } });
        await world.ask("PUT", "/_snapshot/r/s1");
        await world.sleep(createRandom(`${seed}`).int(0, 400));
        const deleted = await world.ask("DELETE", "/_snapshot/r/s1");

        expect(deleted.status, JSON.stringify(deleted.body)).toBe(200);
        expect(await stateOf(world, "s1")).toBe("404");
        await settled(world);
        const left = [...world.simulation.blobs.contents(repositoryFolder).keys()];
        expect(left.filter((name) => !name.startsWith("index"))).toEqual([]);
      });
    },
  );

  test("a restore that has ended is not begun again for a node that lost the answer with the cluster manager", async () => {
    await inSnapshotWorld(31, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      const body = { indices: "docs", rename_pattern: "docs", rename_replacement: "back" };
      const asking = unanswered(world, "cluster:admin/snapshot/restore", (node) =>
        world.tell(node, "POST", "/_snapshot/r/s1/_restore", body),
      );
      await untilThere(world, "back");
      await settled(world);
      await world.ask("DELETE", "/back");
      const answer = await asking.withoutManager();
      await settled(world);

      expect([answer?.status, answer?.body]).toEqual([200, { accepted: true }]);
      expect((await world.ask("GET", "/back")).status).toBe(404);
    });
  });

  test("a snapshot that was aborted is not taken for a node that lost the answer with the cluster manager", async () => {
    await inSnapshotWorld(32, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      const asking = unanswered(world, "cluster:admin/snapshot/create", (node) =>
        world.tell(node, "PUT", "/_snapshot/r/s1"),
      );
      while ((await stateOf(world, "s1")) === "404") await world.sleep(20);
      await world.ask("DELETE", "/_snapshot/r/s1");
      const answer = await asking.withoutManager();
      await settled(world);

      expect([answer?.status, answer?.body]).toEqual([200, { accepted: true }]);
      expect(await stateOf(world, "s1")).toBe("404");
    });
  });

  test("a snapshot that ends while its deletion reads the repository is deleted all the same", async () => {
    await inSnapshotWorld(24, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s0?wait_for_completion=true");
      const { simulation } = world;
      const manager = world.elected() ?? "";
      const lift = simulation.blobs.set(repositoryFolder, { latencyMs: { low: 50, high: 50 } });
      await world.tell(manager, "PUT", "/_snapshot/r/s1");
      const isRunning = (): boolean =>
        simulation.cluster(manager)?.state()?.metadata.customs.has("snapshots") === true;
      const before = generationAt(world, manager);
      const reserved = pendingAt(world, manager);
      while (pendingAt(world, manager) === reserved) await world.sleep(1);
      // Names are found out before the new generation is in force, and the repository is read while it comes into force.
      await world.sleep(30);
      expect([isRunning(), generationAt(world, manager)]).toEqual([true, before]);
      const deleted = await world.tell(manager, "DELETE", "/_snapshot/r/s1");
      lift();
      await settled(world);

      expect([deleted?.status, deleted?.body]).toEqual([200, { acknowledged: true }]);
      expect(await stateOf(world, "s1")).toBe("404");
    });
  });

  test("a slow repository is read while snapshots come into force and what they replace is removed", async () => {
    await inSnapshotWorld(25, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      world.simulation.blobs.set(repositoryFolder, { latencyMs: { low: 1, high: 100 } });
      const taken = Array.from({ length: 4 }, (_, i) =>
        world.ask("PUT", `/_snapshot/r/s${i}?wait_for_completion=true`),
      );
      const read: Promise<Answer>[] = [];
      for (let i = 0; i < 100; i += 1) {
        read.push(world.ask("GET", "/_snapshot/r/s"));
        await world.sleep(10);
      }

      const answers = await Promise.all([...taken, ...read]);

      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    });
  });

  test("what a snapshot wrote that was aborted goes, also where another one was taken on top of it", async () => {
    await inSnapshotWorld(26, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s0?wait_for_completion=true");
      await write(world, 20, 20);
      world.simulation.blobs.set(repositoryFolder, { latencyMs: { low: 20, high: 40 } });
      await world.ask("PUT", "/_snapshot/r/aborted");
      await world.sleep(200);
      await world.ask("POST", "/docs/_forcemerge?max_num_segments=1");
      const above = world.ask("PUT", "/_snapshot/r/above?wait_for_completion=true");
      await world.sleep(20);
      await world.ask("DELETE", "/_snapshot/r/aborted");
      await above;
      await settled(world);

      expect([await stateOf(world, "aborted"), await stateOf(world, "above")]).toEqual([
        "404",
        "SUCCESS",
      ]);
      expect(listedByShards(world)).toEqual(["above", "s0"]);
    });
  });

  test("what a snapshot wrote of an index that was deleted before it ended is cleaned up", async () => {
    await inSnapshotWorld(27, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s0?wait_for_completion=true");
      await write(world, 20, 20);
      const lift = world.simulation.blobs.set(repositoryFolder, {
        latencyMs: { low: 100, high: 100 },
      });
      const manager = world.elected() ?? "";
      await world.tell(manager, "PUT", "/_snapshot/r/part", { partial: true });
      const isWritten = (): boolean => {
        const state = world.simulation.cluster(manager)?.state();
        return state !== undefined && snapshotsOf(state)[0]?.state === "SUCCESS";
      };
      while (!isWritten()) await world.sleep(1);
      expect((await world.tell(manager, "DELETE", "/docs"))?.status).toBe(200);
      await settled(world);
      lift();
      await leftovers(world);

      expect(await stateOf(world, "part")).toBe("SUCCESS");
      expect(listedByShards(world)).toEqual(["s0"]);
      expect(await restored(world, "s0", "back")).toEqual(expected(20));
    });
  });

  test("a primary that has not heard of its promotion yet is asked again", async () => {
    await inSnapshotWorld(28, async (world) => {
      await world.ask("PUT", "/_snapshot/r", REPOSITORY);
      const manager = world.elected() ?? "";
      const [from, to = ""] = [manager, ...world.nodes.filter((node) => node !== manager)];
      await world.ask("PUT", "/docs", {
        settings: {
          ...{ number_of_shards: 1, number_of_replicas: 1 },
          "index.routing.allocation.include._name": `${from},${to}`,
        },
      });
      await world.ask("GET", "/_cluster/health?wait_for_status=green&timeout=60s");
      const { simulation } = world;
      const primaryAt = (): string | undefined => {
        const state = simulation.cluster(manager)?.state();
        const primary = state === undefined ? undefined : primaryOf(state, "docs", 0);
        const node = primary?.state === "STARTED" ? primary.nodeId : undefined;
        return node === undefined ? undefined : state?.nodes.get(node)?.name;
      };
      if (primaryAt() === to) {
        await world.ask("POST", "/_cluster/reroute", {
          commands: [{ cancel: { index: "docs", shard: 0, node: to, allow_primary: true } }],
        });
        await world.ask("GET", "/_cluster/health?wait_for_status=green&timeout=60s");
      }
      expect(primaryAt()).toBe(from);
      const dropped = simulation.network.applyRule({
        ...{ kind: "drop", actions: ["internal:cluster/consensus*"], perMille: 1000 },
        links: { from: [manager], to: [to], both: false },
      });
      void world.tell(manager, "POST", "/_cluster/reroute", {
        commands: [{ cancel: { index: "docs", shard: 0, node: from, allow_primary: true } }],
      });
      while (primaryAt() !== to) await world.sleep(1);
      const taken = world.tell(manager, "PUT", "/_snapshot/r/s?wait_for_completion=true");
      await world.sleep(300);
      dropped.end();

      expect((await taken)?.body).toMatchObject({ snapshot: { state: "SUCCESS" } });
    });
  });

  test("a running snapshot and a running restore follow the speed of their repository", async () => {
    const durations = async (faster: boolean): Promise<readonly number[]> => {
      const taken: number[] = [];
      await inSnapshotWorld(33, async (world) => {
        const { queue } = world.simulation;
        const use = (rate: string): Promise<Answer> =>
          world.ask("PUT", "/_snapshot/r", {
            ...REPOSITORY,
            settings: {
              ...REPOSITORY.settings,
              ...{ max_snapshot_bytes_per_sec: rate, max_restore_bytes_per_sec: rate },
            },
          });
        const timed = async (method: string, uri: string, body?: Json): Promise<void> => {
          await use("2kb");
          const fromMs = queue.nowMs;
          const answer = world.ask(method, `${uri}?wait_for_completion=true`, body);
          await world.sleep(2000);
          if (faster) expect((await use("40mb")).body).toEqual({ acknowledged: true });
          expect((await answer).status).toBe(200);
          taken.push(queue.nowMs - fromMs);
        };
        await prepare(world);
        // Several pieces in each shard: one that waits already waits as long as it was told.
        await write(world, 0, 800);
        await timed("PUT", "/_snapshot/r/s");
        const renamed = { rename_pattern: "docs", rename_replacement: "back" };
        await timed("POST", "/_snapshot/r/s/_restore", renamed);
        expect(await documentsOf(world, "back")).toEqual(expected(800));
      });
      return taken;
    };

    const [slow, fast] = [await durations(false), await durations(true)];

    expect(fast.map((ms, i) => ms < (slow[i] ?? 0) / 2)).toEqual([true, true]);
  });

  test.each([
    ["full", { isFull: true }],
    ["failing", { failingPerMille: 1000 }],
    ["missing", { isMissing: true }],
  ])("a repository that is %s is told, and the next snapshot works", async (_, conditions) => {
    await inSnapshotWorld(5, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      await write(world, 20, 20);

      const lift = world.simulation.blobs.set(repositoryFolder, conditions);
      const broken = await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true", {
        partial: true,
      });
      lift();
      await settled(world);
      await world.ask("PUT", "/_snapshot/r/s3?wait_for_completion=true");

      const state = (broken.body as { snapshot?: { state?: string } }).snapshot?.state;
      expect(broken.status === 500 || state === "PARTIAL", JSON.stringify(broken.body)).toBe(true);
      expect(await restored(world, "s1", "old")).toEqual(expected(20));
      expect(await restored(world, "s3", "new")).toEqual(expected(40));
    });
  });

  test("a damaged blob fails the restore of its shard, with a reason, and other snapshots are well", async () => {
    await inSnapshotWorld(7, async (world) => {
      await prepare(world);
      await write(world, 0, 40);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      await world.ask("POST", "/docs/_forcemerge?max_num_segments=1");
      world.simulation.blobs.rot(repositoryFolder, (path) => path.includes("/__"));

      const answer = await world.ask("POST", "/_snapshot/r/s1/_restore?wait_for_completion=true", {
        indices: "docs",
        rename_pattern: "docs",
        rename_replacement: "back",
      });

      const { snapshot } = answer.body as unknown as { snapshot: { shards: { failed: number } } };
      expect(snapshot.shards.failed).toBe(1);
      const { body } = await world.ask("GET", "/_cluster/allocation/explain", {
        index: "back",
        shard: 0,
        primary: true,
      });
      expect(JSON.stringify(body)).toContain("back");
    });
  });

  test.each(["lost", "damaged"])(
    "metadata of an index that is %s is written again by the next snapshot",
    async (how) => {
      await inSnapshotWorld(21, async (world) => {
        await prepare(world);
        await write(world, 0, 20);
        await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
        const { blobs } = world.simulation;
        const isMetadata = (path: string): boolean =>
          path.includes("/indices/") && path.includes("/meta-");
        const harmed =
          how === "lost"
            ? blobs.lose(repositoryFolder, isMetadata)
            : blobs.rot(repositoryFolder, isMetadata);

        await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");

        expect(harmed).toBeDefined();
        expect(await stateOf(world, "s2")).toBe("SUCCESS");
        expect(await restored(world, "s2", "new")).toEqual(expected(20));
        expect(await restored(world, "s1", "old")).toEqual(expected(20));
      });
    },
  );

  test("the manifest of another snapshot fails the restore of its shard, although it is intact", async () => {
    await inSnapshotWorld(9, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      await write(world, 20, 20);
      await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");
      const earlier = manifestOf(world, "s1");
      const later = manifestOf(world, "s2");
      const store = world.simulation.blobs
        .stores(
          () => true,
          () => undefined,
        )
        .open({ type: "fs", location: repositoryFolder });
      const writing = store.write(later.path, earlier.bytes, { replace: true });
      await world.sleep(1000);
      await writing;

      const answer = await world.ask("POST", "/_snapshot/r/s2/_restore?wait_for_completion=true", {
        indices: "docs",
        rename_pattern: "docs",
        rename_replacement: "back",
      });

      const { snapshot } = answer.body as unknown as { snapshot: { shards: { failed: number } } };
      expect(snapshot.shards.failed).toBe(1);
      expect(await restored(world, "s1", "old")).toEqual(expected(20));
    });
  });

  test("a shard's description that is lost is told by the status, and ends a clone", async () => {
    await inSnapshotWorld(16, async (world) => {
      await prepare(world);
      await write(world, 0, 10);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      const { blobs } = world.simulation;
      blobs.lose(repositoryFolder, (path) => /\/0\/snap-[^/]*\.dat$/.test(path));

      const status = await world.ask("GET", "/_snapshot/r/s/_status");
      const clone = await world.ask("PUT", "/_snapshot/r/s/_clone/c", { indices: "docs" });

      expect([status.status, reasonOf(status)]).toEqual([404, "[r:s] is missing"]);
      expect([clone.status, reasonOf(clone)]).toEqual([
        500,
        expect.stringMatching(/^\[r:c\/.*\] null$/),
      ]);
      expect((await world.ask("GET", "/_snapshot/r/c")).status).toBe(404);

      blobs.lose(repositoryFolder, (path) => /\/r\/snap-[^/]*\.dat$/.test(path));

      const info = await world.ask("GET", "/_snapshot/r/s");
      expect([info.status, reasonOf(info)]).toEqual([
        404,
        expect.stringMatching(/^\[r:s\/.*\] is missing$/),
      ]);
    });
  });

  test("metadata of a snapshot that is lost is told as a snapshot that is missing", async () => {
    await inSnapshotWorld(29, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      const { blobs } = world.simulation;
      const missing = async (method: string, uri: string, body?: Json): Promise<void> => {
        const answer = await world.ask(method, uri, body);
        expect(answer).toMatchObject({
          status: 404,
          body: {
            error: {
              type: "snapshot_missing_exception",
              reason: expect.stringMatching(/^\[r:s\/.*\] is missing$/),
              caused_by: { type: "no_such_file_exception" },
            },
          },
        });
      };
      const restore = { rename_pattern: "docs", rename_replacement: "back" };

      expect(blobs.lose(repositoryFolder, (path) => /\/r\/meta-/.test(path))).toBeDefined();
      await missing("POST", "/_snapshot/r/s/_restore", { ...restore, include_global_state: true });
      expect(blobs.lose(repositoryFolder, (path) => /\/meta-/.test(path))).toBeDefined();
      await missing("POST", "/_snapshot/r/s/_restore", restore);
      await missing("GET", "/_snapshot/r/s/_status");
      expect(blobs.lose(repositoryFolder, (path) => /\/r\/snap-/.test(path))).toBeDefined();
      await missing("PUT", "/_snapshot/r/s/_clone/c", { indices: "docs" });
    });
  });

  test("a clean-up of a place that cannot be listed says what the place says", async () => {
    await inSnapshotWorld(30, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      world.simulation.blobs.set(repositoryFolder, { failingPerMille: 1000, failing: ["list"] });

      const answer = await world.ask("POST", "/_snapshot/r/_cleanup");

      expect(answer).toMatchObject({
        status: 500,
        body: {
          error: { type: "i_o_exception", reason: `${repositoryFolder}: Input/output error` },
        },
      });
    });
  });

  test("snapshots of which a shard has lost its list of files are deleted, and the repository is cleaned up", async () => {
    await inSnapshotWorld(23, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      await write(world, 20, 20);
      await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");
      const { blobs } = world.simulation;
      while (blobs.lose(repositoryFolder, (path) => /\/0\/index-/.test(path)) !== undefined);

      const deleted = await world.ask("DELETE", "/_snapshot/r/s1");

      expect([deleted.status, deleted.body]).toEqual([200, { acknowledged: true }]);
      expect([await stateOf(world, "s1"), await stateOf(world, "s2")]).toEqual(["404", "SUCCESS"]);
      await leftovers(world);
      expect(await restored(world, "s2", "back")).toEqual(expected(40));
    });
  });

  test("a repository that has lost its list of snapshots is registered, and neither read nor changed", async () => {
    await inSnapshotWorld(31, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      const { blobs } = world.simulation;
      await world.ask("DELETE", "/_snapshot/r");
      expect(blobs.lose(repositoryFolder, (path) => /\/r\/index-\d+$/.test(path))).toBeDefined();
      const left = [...blobs.contents(repositoryFolder).keys()].toSorted();

      expect((await world.ask("PUT", "/_snapshot/r", REPOSITORY)).status).toBe(200);
      expect((await world.ask("POST", "/_snapshot/r/_verify")).status).toBe(200);
      for (const [method, uri] of [
        ["GET", "/_snapshot/r/_all"],
        ["PUT", "/_snapshot/r/s2?wait_for_completion=true"],
        ["DELETE", "/_snapshot/r/s1"],
        ["POST", "/_snapshot/r/s1/_restore"],
        ["POST", "/_snapshot/r/_cleanup"],
      ] as const) {
        expect(await world.ask(method, uri), uri).toMatchObject({
          status: 500,
          body: {
            error: {
              type: "repository_exception",
              reason: "[r] could not read repository data from index blob",
              caused_by: {
                type: "corrupt_index_exception",
                reason: expect.stringMatching(/index\.latest names it \(resource=index-\d+\)$/),
              },
            },
          },
        });
      }
      expect([...blobs.contents(repositoryFolder).keys()].toSorted()).toEqual(left);
    });
  });

  test("a repository that has lost all that leads to its indices is not taken for an empty one", async () => {
    await inSnapshotWorld(35, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      const { blobs } = world.simulation;
      await world.ask("DELETE", "/_snapshot/r");
      const isRoot = (path: string): boolean => /\/r\/(?:index[-.]|snap-|meta-)[^/]*$/.test(path);
      while (blobs.lose(repositoryFolder, isRoot) !== undefined);
      const left = [...blobs.contents(repositoryFolder).keys()].toSorted();
      expect(left.some((path) => path.includes("/__"))).toBe(true);

      expect((await world.ask("PUT", "/_snapshot/r", REPOSITORY)).status).toBe(200);
      for (const [method, uri] of [
        ["GET", "/_snapshot/r/_all"],
        ["PUT", "/_snapshot/r/s2?wait_for_completion=true"],
        ["POST", "/_snapshot/r/_cleanup"],
      ] as const) {
        const answer = await world.ask(method, uri);
        expect([answer.status, reasonOf(answer)], uri).toEqual([
          500,
          "[r] Could not determine repository generation from root blobs",
        ]);
        expect(JSON.stringify(answer.body)).toContain("is not empty");
      }
      expect([...blobs.contents(repositoryFolder).keys()].toSorted()).toEqual(left);
    });
  });

  test("a first snapshot that came to nothing leaves a repository that is still one", async () => {
    await inSnapshotWorld(36, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      const { blobs } = world.simulation;
      const lift = blobs.set(`${repositoryFolder}/indices`, { failingPerMille: 1000 });
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      lift();
      await world.ask("DELETE", "/_snapshot/r");
      await world.ask("PUT", "/_snapshot/r", REPOSITORY);

      await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");

      expect(await restored(world, "s2", "back")).toEqual(expected(20));
    });
  });

  test("blobs that are gone are written again by the next snapshot, which makes both whole", async () => {
    await inSnapshotWorld(37, async (world) => {
      await prepare(world);
      await write(world, 0, 20);
      await world.ask("PUT", "/_snapshot/r/s1?wait_for_completion=true");
      const { blobs } = world.simulation;
      while (blobs.lose(repositoryFolder, (path) => path.includes("/__")) !== undefined);

      await world.ask("PUT", "/_snapshot/r/s2?wait_for_completion=true");

      expect(await stateOf(world, "s2")).toBe("SUCCESS");
      expect(await restored(world, "s2", "back")).toEqual(expected(20));
      expect(await restored(world, "s1", "before")).toEqual(expected(20));
    });
  });

  test("a clone of a snapshot whose global state is lost is none", async () => {
    await inSnapshotWorld(16, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      world.simulation.blobs.lose(repositoryFolder, (path) => /\/r\/meta-[^/]*\.dat$/.test(path));

      const clone = await world.ask("PUT", "/_snapshot/r/s/_clone/c", { indices: "docs" });

      expect(clone.status).toBeGreaterThanOrEqual(400);
      expect((await world.ask("GET", "/_snapshot/r/c")).status).toBe(404);
    });
  });

  test("what a restore may set, and what comes of settings that nobody can read", async () => {
    await inSnapshotWorld(8, async (world) => {
      await prepare(world);
      await write(world, 0, 10);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      const restore = (more: Json): Promise<Answer> =>
        world.ask("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", {
          ...{ indices: "docs", rename_pattern: "(.+)", rename_replacement: "back_$1" },
          ...(more as object),
        });

      const refused = await Promise.all([
        restore({ index_settings: { number_of_replicas: -1 } }),
        restore({ index_settings: { "index.auto_expand_replicas": "0-x", number_of_shards: 2 } }),
        restore({ index_settings: { "index.soft_deletes.enabled": false } }),
        restore({ rename_replacement: "x_$2" }),
        restore({ rename_pattern: "(" }),
        restore({ indices: null }),
        restore({ indices: "nosuch*", allow_no_indices: false }),
        restore({ rename_replacement: "x".repeat(256) }),
        restore({ storage_type: null }),
      ]);
      expect(refused.map(reasonOf)).toEqual([
        "Failed to parse value [-1] for setting [index.number_of_replicas] must be >= 0",
        expect.stringContaining("cannot modify UnmodifiableOnRestore setting"),
        expect.stringContaining("cannot disable setting [index.soft_deletes.enabled] on restore"),
        "No group 2",
        "Unclosed group near index 1\n(",
        "malformed indices section, should be an array of strings",
        "no such index [nosuch*]",
        expect.stringContaining("rename_replacement string size exceeds max allowed size of 255"),
        "malformed storage_type",
      ]);

      const { status } = await restore({
        index_settings: { refresh_interval: "abc", "index.foo": 1, "index.codec": "nosuch" },
      });
      expect(status).toBe(200);
      expect(await documentsOf(world, "back_docs")).toEqual(expected(10));
      const { body } = await world.ask("GET", "/back_docs/_settings?flat_settings=true");
      const { settings } = (body as unknown as Record<string, { settings: object }>)[
        "back_docs"
      ] ?? { settings: {} };
      expect(settings).toMatchObject({
        "archived.index.refresh_interval": "abc",
        "archived.index.foo": "1",
        "archived.index.codec": "nosuch",
      });
    });
  });

  test("a restore onto a closed index leaves it the aliases that it has, when told to bring none", async () => {
    await inSnapshotWorld(9, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/docs/_alias/kept");
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      await world.ask("DELETE", "/docs/_alias/kept");
      await world.ask("PUT", "/docs/_alias/newer");
      await world.ask("POST", "/docs/_close");

      const restore = { indices: "docs", include_aliases: false };
      await world.ask("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", restore);

      const { body } = await world.ask("GET", "/docs/_alias");
      expect(body).toEqual({ docs: { aliases: { newer: {} } } });
    });
  });

  test("closed indices are in a snapshot when they are named, and not when a pattern means them", async () => {
    await inSnapshotWorld(10, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/open");
      await world.ask("POST", "/docs/_close");
      const taken = async (name: string, body: Json): Promise<Json> => {
        const answer = await world.ask(
          "PUT",
          `/_snapshot/r/${name}?wait_for_completion=true`,
          body,
        );
        return (answer.body as unknown as { snapshot: { indices: Json } }).snapshot.indices;
      };

      expect(await taken("all", {})).toEqual(["open"]);
      expect(await taken("named", { indices: "docs" })).toEqual(["docs"]);
      expect(await taken("told", { expand_wildcards: "closed" })).toEqual(["docs"]);
    });
  });

  test("bodies name indices options in either way, and metadata is measured as it is written", async () => {
    await inSnapshotWorld(31, async (world) => {
      await prepare(world);
      const take = (name: string, body: Json): Promise<Answer> =>
        world.ask("PUT", `/_snapshot/r/${name}?wait_for_completion=true`, body);
      const lenient = { indices: "docs,no", ignoreUnavailable: true };

      const answers = [
        await take("s", lenient),
        await take("t", { ...lenient, ignore_unavailable: false }),
        await world.ask("PUT", "/_snapshot/r/s/_clone/c", lenient),
        await world.ask("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", {
          ...{ ...lenient, rename_pattern: "docs", rename_replacement: "back" },
        }),
        await world.ask("POST", "/_snapshot/r/s/_restore", {
          indices: "x*",
          allowNoIndices: false,
        }),
        await take("fits", { metadata: { text: "é".repeat(505) } }),
        await take("large", { metadata: { text: "é".repeat(512) } }),
        await take("numbers", {
          metadata: { list: Array.from({ length: 250 }, (_, i) => i % 10) },
        }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200, 404, 200, 400, 400]);
      expect(answers.slice(-2).map(reasonOf)).toEqual([
        "Validation Failed: 1: metadata must be smaller than 1024 bytes, but was [1034];",
        "Validation Failed: 1: metadata must be smaller than 1024 bytes, but was [1260];",
      ]);
    });
  });

  test("a clone says which indices, and finds some", async () => {
    await inSnapshotWorld(11, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      const clone = (body: Json): Promise<Answer> =>
        world.ask("PUT", "/_snapshot/r/s/_clone/c", body);

      const refused = [
        await clone({}),
        await clone({ indices: "no*" }),
        await clone({ indices: "no" }),
      ];

      expect(refused.map(({ status }) => status)).toEqual([400, 500, 404]);
      expect(refused.map(reasonOf)).toEqual([
        "Validation Failed: 1: indices patterns are empty;",
        expect.stringMatching(
          /No indices in the source snapshot \[s\/.*\] matched requested pattern \[no\*\]$/,
        ),
        "no such index [no]",
      ]);
      expect((await clone({ indices: "no,docs", ignore_unavailable: true })).status).toBe(200);
    });
  });

  test("a snapshot says whether its repository asks for shallow copies, and its clone says the same", async () => {
    await inSnapshotWorld(34, async (world) => {
      const use = (shallow: boolean): Promise<Answer> =>
        world.ask("PUT", "/_snapshot/r", {
          ...REPOSITORY,
          settings: { ...REPOSITORY.settings, remote_store_index_shallow_copy: shallow },
        });
      await prepare(world);
      await use(true);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      await use(false);
      await world.ask("PUT", "/_snapshot/r/s/_clone/c", { indices: "docs" });
      await settled(world);
      await world.ask("PUT", "/_snapshot/r/t?wait_for_completion=true");

      const { body } = await world.ask("GET", "/_snapshot/r/_all");
      expect(body).toMatchObject({
        snapshots: [
          { snapshot: "s", remote_store_index_shallow_copy: true },
          { snapshot: "c", remote_store_index_shallow_copy: true },
          { snapshot: "t", remote_store_index_shallow_copy: false },
        ],
      });
    });
  });

  test("a clone has the cluster's state of its source, also where that has none", async () => {
    await inSnapshotWorld(13, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true", {
        include_global_state: false,
      });

      await world.ask("PUT", "/_snapshot/r/s/_clone/c", { indices: "docs" });

      const { body } = await world.ask("GET", "/_snapshot/r/c");
      expect(body).toMatchObject({ snapshots: [{ include_global_state: true }] });
      const uri = "/_snapshot/r/c/_restore";
      const restore = await world.ask("POST", uri, { indices: "no*", include_global_state: true });
      expect(restore.body).toEqual({
        snapshot: { snapshot: "c", indices: [], shards: { total: 0, failed: 0, successful: 0 } },
      });
    });
  });

  test("an index that a snapshot has not whole is not cloned", async () => {
    await inSnapshotWorld(15, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/red?wait_for_active_shards=0", {
        settings: { "index.routing.allocation.require._name": "none" },
      });
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true", { partial: true });
      const clone = (indices: string): Promise<Answer> =>
        world.ask("PUT", "/_snapshot/r/s/_clone/c", { indices });

      expect(reasonOf(await clone("*"))).toMatch(
        /^\[r:c\/.*\] Can't clone index \[\[red\/.*\/0\]\] because its snapshot was not successful\.$/,
      );
      expect((await world.ask("GET", "/_snapshot/r/c")).status).toBe(404);
      expect((await clone("docs")).status).toBe(200);
    });
  });

  test("aliases of restored indices are not called as an index is", async () => {
    await inSnapshotWorld(14, async (world) => {
      await prepare(world);
      await world.ask("POST", "/_aliases", {
        actions: [{ add: { index: "docs", alias: "a" } }],
      });
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      const restore = (alias: string): Promise<Answer> =>
        world.ask("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", {
          rename_pattern: "docs",
          rename_replacement: "copy",
          rename_alias_pattern: "a",
          rename_alias_replacement: alias,
        });

      expect(reasonOf(await restore("copy"))).toContain(
        "cannot rename index [docs] into [copy] because of conflict with an alias with the same name",
      );
      expect(reasonOf(await restore("docs"))).toMatch(
        /following duplicates were found \[docs \(alias of \[copy\/.*\]\) conflicts with index\]$/,
      );
      expect((await restore("b#")).status).toBe(200);
    });
  });

  test("status and listings of a repository with one snapshot", async () => {
    await inSnapshotWorld(12, async (world) => {
      await prepare(world);
      const nothing = await world.ask("GET", "/_snapshot/r/*");
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      const namesIn = async (uri: string): Promise<readonly string[]> => {
        const { body } = await world.ask("GET", uri);
        return (body as unknown as { snapshots: readonly { snapshot: string }[] }).snapshots.map(
          ({ snapshot }) => snapshot,
        );
      };

      expect(reasonOf(nothing)).toBe("[r:*] is missing");
      expect(await namesIn("/_snapshot/r/*")).toEqual(["s"]);
      expect(await namesIn("/_snapshot/r/_all/_status")).toEqual([]);
      expect(await namesIn("/_snapshot/r/s,s/_status")).toEqual(["s"]);
      expect(reasonOf(await world.ask("GET", "/_snapshot/r/_all/docs/_status"))).toBe(
        "Validation Failed: 1: index list filter is supported only when a single 'snapshot' is passed, but found 'snapshot' param = [_all];",
      );
      expect(reasonOf(await world.ask("GET", "/_snapshot/_all/s/docs/_status"))).toBe(
        "Validation Failed: 1: index list filter is supported only when a single 'repository' is passed, but found 'repository' param = [_all];",
      );
      expect(reasonOf(await world.ask("GET", "/_snapshot/_all/s/_status"))).toBe("[_all] missing");
      expect(await namesIn("/_snapshot/r/s/_all/_status")).toEqual(["s"]);
      expect(reasonOf(await world.ask("GET", "/_snapshot/r/s/no1,no2/_status"))).toBe(
        "no such index [no1, no2 and possibly more indices]",
      );
      const { body } = await world.ask("GET", "/_snapshot/r/s?human");
      expect(JSON.stringify(body)).toMatch(/"duration":"[\d.]+m?s"/);
    });
  });

  test("a repository that is only read is verified on every node", async () => {
    await inSnapshotWorld(32, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      const readOnly = { ...REPOSITORY, settings: { ...REPOSITORY.settings, readonly: true } };
      const well = await world.ask("PUT", "/_snapshot/well", readOnly);
      const other = world.nodes.find((node) => node !== world.elected()) ?? "";
      const id = [...(world.simulation.cluster(other)?.state()?.nodes.values() ?? [])].find(
        ({ name }) => name === other,
      )?.id;
      world.simulation.crash(other);
      await world.ask("GET", "/_cluster/health?wait_for_nodes=2&timeout=60s");
      world.start(other, { "path.repo": "/elsewhere" });
      await world.ask("GET", "/_cluster/health?wait_for_nodes=3&timeout=60s");

      const refused = await world.ask("PUT", "/_snapshot/ro", readOnly);

      expect(well.status).toBe(200);
      expect(refused).toMatchObject({
        status: 500,
        body: { error: { type: "repository_verification_exception" } },
      });
      expect(reasonOf(refused)).toMatch(new RegExp(`^\\[ro\\] \\[\\[${id}, '.*'\\]\\]$`));
    });
  });

  test("a cluster that is read-only takes no repository and no restore", async () => {
    await inSnapshotWorld(13, async (world) => {
      await prepare(world);
      await world.ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
      await world.ask("PUT", "/_cluster/settings", {
        persistent: { "cluster.blocks.read_only": true },
      });

      const refused = [
        await world.ask("PUT", "/_snapshot/other", REPOSITORY),
        await world.ask("DELETE", "/_snapshot/r"),
        await world.ask("POST", "/_snapshot/r/s/_restore", { indices: "docs" }),
      ];

      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect((await world.ask("GET", "/_snapshot/r/s")).status).toBe(200);
    });
  });

  test("the same seed gives the same run", async () => {
    const run = (): Promise<string> =>
      inSnapshotWorld(3, async (world) => {
        await prepare(world);
        await write(world, 0, 20);
        const creating = world.tell("node-2", "PUT", "/_snapshot/r/s1", { partial: true });
        await disturb(world, 3, 100);
        await creating;
        await settled(world);
      });

    expect(await run()).toBe(await run());
  });
});
