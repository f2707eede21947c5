/** A segment part of a plugin's own: an engine writes, merges and opens it, and recovery by files carries it to other copies. */
import { crc32c, OperationError, utf8Encode } from "@orrery/stdx";
import type { FieldSpec, PartBuffer, SegmentPart } from "@orrery/segment";
import { describe, expect, test } from "vitest";
import { engineOf } from "../src/copy/shard-copy.ts";
import { flush } from "../src/engine/flush.ts";
import { forceMerge } from "../src/engine/merge.ts";
import { closeBatch, indexOnPrimary } from "../src/engine/operations.ts";
import { refresh } from "../src/engine/refresh.ts";
import { noCondition, type EngineState } from "../src/engine/types.ts";
import type { ShardPlugin } from "../src/plugin.ts";
import { composeShards } from "../src/product.ts";
import { createFixture, newEngine, read, remove, reopen, type Fixture } from "./engine-fixture.ts";
import { createFakeCluster, UUID, within, type FakeCluster } from "./fake-cluster.ts";

interface Sums {
  sum(doc: number): number;
}

interface SumBuffer extends PartBuffer {
  readonly sums: number[];
}

/** The sum of a document's values. */
const sumPart: SegmentPart<SumBuffer, { readonly sums: number }, Sums> = {
  kind: "sum",
  buffer() {
    const sums: number[] = [];
    return {
      sums,
      ramBytes: 0,
      begin: () => void sums.push(0),
      add: (value) => sums.push((sums.pop() ?? 0) + Number(value)),
    };
  },
  write(file, { sums }, { docs, maxDoc }) {
    const all = new Float64Array(maxDoc);
    for (const [entry, doc] of docs.entries()) all[doc] = sums[entry] ?? 0;
    return { sums: file.add(all) };
  },
  *merge(file, { sources, maxDoc }) {
    const all = new Float64Array(maxDoc);
    for (const { part, docMap } of sources) {
      for (const [doc, target] of docMap.entries()) {
        if (target !== -1) all[target] = part?.sum(doc) ?? 0;
      }
      yield undefined;
    }
    return { sums: file.add(all) };
  },
  open(file, entry) {
    const sums = file.doubles(entry.sums);
    return { sum: (doc) => sums[doc] ?? 0 };
  },
};

const field: FieldSpec = {
  name: "amounts",
  type: "sum",
  index: "none",
  norms: false,
  docValues: false,
  points: false,
};

function index(engine: EngineState, id: string, values: readonly number[]): void {
  const source = utf8Encode("{}");
  const fields = values.map((value) => ({ field, value }));
  const outcome = indexOnPrimary(engine, engine.primaryTerm, {
    id,
    routing: undefined,
    source,
    parsed: { fields, children: [], mappingUpdate: undefined, source },
    condition: noCondition,
    isNew: false,
  });
  expect(outcome.kind).toBe("done");
}

/** Sums of the live documents that searches see, by id. */
function sumsOf({ visible }: EngineState): Record<string, number> {
  const found = visible.flatMap(({ reader, live }) =>
    Array.from({ length: reader.maxDoc }, (_, doc) => doc)
      .filter(
        (doc) => live === undefined || ((live.words[doc >> 5] ?? 0) & (1 << (doc & 31))) !== 0,
      )
      .map((doc) => [reader.id(doc), reader.part(sumPart, field.name)?.sum(doc)] as const),
  );
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1))) as Record<
    string,
    number
  >;
}

/** Two segments, one of them with a deleted document. */
async function indexAll(engine: EngineState): Promise<void> {
  index(engine, "1", [1, 10]);
  index(engine, "2", [2]);
  index(engine, "3", []);
  refresh(engine, "external");
  index(engine, "4", [4, 40, 400]);
  remove(engine, "2");
  closeBatch(engine);
  await flush(engine, { force: true, waitIfOngoing: true });
  refresh(engine, "external");
}

const all = { 1: 11, 3: 0, 4: 444 };

const summing: ShardPlugin = {
  name: "summing",
  segmentParts: [sumPart],
  actions: {
    "test/index": async (copy) => {
      await indexAll(engineOf(copy));
      return new Uint8Array(0);
    },
    "test/sums": async (copy) => utf8Encode(JSON.stringify(sumsOf(engineOf(copy)))),
  },
};

function fixtureOf(plugins: readonly ShardPlugin[], disk?: Fixture["disk"]): Fixture {
  const fixture = createFixture(disk);
  return {
    ...fixture,
    options: { ...fixture.options, segmentParts: composeShards(plugins).segmentParts },
  };
}

describe("an engine with a part of a plugin", () => {
  test("has it after a refresh, a merge and a start from its files", async () => {
    const fixture = fixtureOf([summing]);
    const engine = await newEngine(fixture);
    await indexAll(engine);
    expect(engine.segments).toHaveLength(2);
    expect(sumsOf(engine)).toEqual(all);

    await forceMerge(engine, { maxSegments: 1 });
    expect(engine.segments).toHaveLength(1);
    expect(sumsOf(engine)).toEqual(all);

    await flush(engine, { force: true, waitIfOngoing: true });
    const again = await reopen(fixture);
    expect(sumsOf(again)).toEqual(all);
    expect(read(again, "4")).toBe("{}");
  });

  test("does not start from its files without the plugin, and leaves them as they are", async () => {
    const fixture = fixtureOf([summing]);
    await indexAll(await newEngine(fixture));
    const { disk } = fixture;
    const contents = (): unknown => disk.paths.map((path) => [path, crc32c(disk.read(path))]);
    const before = contents();

    await expect(reopen(fixtureOf([], disk))).rejects.toThrow(OperationError);
    await expect(reopen(fixtureOf([], disk))).rejects.toThrow("segment part of kind [sum]");

    expect(contents()).toEqual(before);
    expect(sumsOf(await reopen(fixture))).toEqual(all);
  });
});

async function ask(cluster: FakeCluster, action: string, nodeId: string): Promise<string> {
  const shard = { shard: `${UUID}/0` };
  const asked = cluster.endpoint.request(nodeId as never, action, new Uint8Array(0), shard);
  return new TextDecoder().decode(await within(cluster, asked));
}

test("recovery by files carries a part of a plugin to a new copy", async () => {
  const cluster = createFakeCluster(["n1", "n2"], "parts", [summing]);
  cluster.createIndex({ replicas: 0 });
  await cluster.settle(1000);
  await ask(cluster, "test/index", "n1");

  cluster.createReplica();
  cluster.allocate();
  await cluster.settle(5000);

  expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
  expect(JSON.parse(await ask(cluster, "test/sums", "n2"))).toEqual(all);
});

test("plugins with parts of one kind do not compose", () => {
  expect(() => composeShards([summing, { ...summing, name: "other" }])).toThrow("of one kind");
});
