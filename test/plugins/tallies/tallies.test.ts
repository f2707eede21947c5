/** Faults of a plugin's code: one of a read fails the request that met it, and no copy; values of a part of its own are counted. */
import { composeProduct } from "@orrery/node";
import type { CopyRestriction } from "@orrery/shard-worker";
import { OperationError, type Json, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { inSnapshotWorld, type SnapshotWorld } from "../../snapshot-world.ts";
import { Faults } from "./faults.ts";
import { talliesWith } from "./plugin.ts";

const properties = {
  t: { type: "tally" },
  values: { type: "tally_values" },
  exists: { type: "tally_exists" },
  mute: { type: "tally_mute" },
  o: { type: "keyword" },
};

async function inWorld(
  body: (world: SnapshotWorld, faults: Faults) => Promise<void>,
  replicas = 0,
): Promise<void> {
  const faults = new Faults();
  await inSnapshotWorld(
    5,
    async (world) => {
      const settings = { number_of_shards: 1, number_of_replicas: replicas };
      await world.ask("PUT", "/i", { settings, mappings: { properties } });
      await world.ask("GET", "/_cluster/health?wait_for_status=green&timeout=60s");
      await body(world, faults);
    },
    { product: composeProduct([talliesWith(faults)]) },
  );
}

const tallies = (...strokes: string[]): JsonObject => ({
  t: strokes,
  values: strokes,
  exists: strokes,
  mute: strokes,
  o: "a",
});

/** Neither the id of a document that is there nor the words of the plugin. */
const unsaid = /4711|nonsense|notanumber/;

/** The request fails alone: others are served by the same copy. */
async function failsAlone(
  world: SnapshotWorld,
  faults: Faults,
  ask: Promise<Answer>,
): Promise<Answer> {
  const answer = await ask;
  Object.assign(faults, { at: undefined, restrict: undefined });
  await world.sleep(1000);
  const owner = await world.ask("GET", "/i/_doc/1");
  expect(owner.body).toMatchObject({ found: true, _version: 1 });
  const { body } = await world.ask("GET", "/_cat/shards/i?format=json&h=state,unassigned.reason");
  expect(body).toEqual([{ state: "STARTED", "unassigned.reason": null }]);
  return answer;
}

type Answer = Awaited<ReturnType<SnapshotWorld["ask"]>>;

/** As code without types may give it. */
const given = (value: unknown): CopyRestriction => value as CopyRestriction;

const restrictions: readonly (readonly [string, () => CopyRestriction | undefined])[] = [
  ["a value that is undefined", () => ({ documents: { match: { o: undefined } } })],
  ["an empty term", () => ({ documents: { term: {} } })],
  ["terms that are no list", () => ({ documents: { terms: { o: "x" } } })],
  ["an unknown query", () => ({ documents: { nonsense: {} } })],
  ["ids that are null", () => ({ documents: { ids: { values: [null] } } })],
  ["a filter that is undefined", () => ({ documents: { bool: { filter: undefined } } })],
  ["a number that is none", () => ({ documents: { range: { _seq_no: { gte: "notanumber" } } } })],
  [
    "terms of another document",
    () => ({
      documents: {
        bool: { must_not: [{ terms: { o: { index: "i", id: "1", path: "o" } } }] },
      },
    }),
  ],
  ["a faulty query of its own", () => ({ documents: { faulty: {} } })],
  ["a name of a field that is undefined", () => given({ hiddenFields: [undefined] })],
  ["null", () => given(null)],
  ["a promise", () => given(Promise.resolve({ documents: { match_none: {} } }))],
  ["a promise that is rejected", () => given(Promise.reject(new Error("4711")))],
  [
    "an error",
    () => {
      throw new TypeError("4711");
    },
  ],
];

describe("a restriction that is", () => {
  test.each(restrictions)("%s fails reads alone, and shows nothing", async (_what, restrict) => {
    await inWorld(async (world, faults) => {
      await world.ask("PUT", "/i/_doc/1?refresh=true", tallies("a"));
      const reads: readonly (readonly [string, string, Json?])[] = [
        ["GET", "/i/_doc/1"],
        ["GET", "/i/_doc/1?realtime=false"],
        ["GET", "/i/_source/1"],
        ["POST", "/i/_search", {}],
        ["POST", "/i/_count", {}],
        ["POST", "/i/_search?scroll=1m", {}],
      ];
      for (const read of reads) {
        Object.assign(faults, { at: "test", restrict });
        const { status, body } = await failsAlone(world, faults, world.ask(...read));
        const text = JSON.stringify(body);
        expect([read[1], status, text]).toEqual([
          read[1],
          500,
          expect.stringContaining("unexpected failure of plugin [tallies], the log of the node"),
        ]);
        expect(text).not.toMatch(unsaid);
      }
    });
  });

  test("a refusal is the answer", async () => {
    await inWorld(async (world, faults) => {
      await world.ask("PUT", "/i/_doc/1?refresh=true", tallies("a"));
      faults.restrict = () => {
        throw new OperationError({ type: "security_exception", reason: "no", status: 403 });
      };

      const { status, body } = await failsAlone(world, faults, world.ask("GET", "/i/_doc/1"));

      expect([status, body]).toMatchObject([403, { error: { reason: "no" } }]);
    });
  });
});

describe("a fault of a plugin in a read", () => {
  const faulty = {
    query: { faulty: {} },
    aggs: { a: { faulty_count: {} } },
    docvalue_fields: ["t"],
  };
  test.each([
    "open",
    "columnValues",
    "weight",
    "test",
    "create",
    "collect",
    "partial",
    "reduce",
    "render",
    "guard of indices:data/read/search[phase/query]",
  ])("in %s fails the request alone", async (at) => {
    await inWorld(async (world, faults) => {
      await world.ask("PUT", "/i/_doc/1?refresh=true", tallies("a"));
      faults.at = at;

      const { status, body } = await failsAlone(
        world,
        faults,
        world.ask("POST", "/i/_search", faulty),
      );

      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toMatch(unsaid);
    });
  });
});

test("a merge that fails is told by the force merge, for each copy", async () => {
  await inWorld(async (world, faults) => {
    for (const id of ["1", "2"]) await world.ask("PUT", `/i/_doc/${id}?refresh=true`, tallies("a"));
    faults.at = "merge";

    const { status, body } = await world.ask("POST", "/i/_forcemerge?max_num_segments=1");

    faults.at = undefined;
    await world.sleep(1000);
    const failure = { index: "i", shard: 0, status: "INTERNAL_SERVER_ERROR" };
    const shards = { total: 2, successful: 0, failed: 2, failures: [failure, failure] };
    expect([status, body]).toMatchObject([500, { _shards: shards }]);
    expect(JSON.stringify(body)).not.toMatch(unsaid);
    await world.ask("GET", "/_cluster/health?wait_for_status=green&timeout=60s");
    const again = await world.ask("POST", "/i/_forcemerge?max_num_segments=1");
    expect(again.body).toMatchObject({ _shards: { total: 2, successful: 2, failed: 0 } });
  }, 1);
});

describe("values that lie in a part of the plugin's own", () => {
  const PAGE = { size: 0 } as const;
  const counts = (field: string, missing = false): JsonObject => ({
    a: { [missing ? "missing" : "value_count"]: { field } },
  });

  /** Three documents of two segments: two strokes, none, one. */
  async function written(world: SnapshotWorld): Promise<void> {
    await world.ask("PUT", "/i/_mapping", { properties: { again: { type: "alias", path: "t" } } });
    await world.ask("PUT", "/i/_doc/1?refresh=true", tallies("a", "b"));
    await world.ask("PUT", "/i/_doc/2?refresh=true", { o: "b" });
    await world.ask("PUT", "/i/_doc/3?refresh=true", tallies("c"));
  }

  test.each([
    ["t", { value: 3 }, { doc_count: 1 }],
    ["again", { value: 3 }, { doc_count: 1 }],
    ["values", { value: 3 }, { doc_count: 1 }],
    [
      "exists",
      /Field \[exists\] of type \[tally_exists\] is not supported for aggregation \[value_count\]/,
      { doc_count: 1 },
    ],
    [
      "mute",
      /Field \[mute\] of type \[tally_mute\] is not supported for aggregation \[value_count\]/,
      /Field \[mute\] of type \[tally_mute\] is not supported for aggregation \[missing\]/,
    ],
  ])("of [%s] are counted as its type tells, or refused", async (field, count, missing) => {
    await inWorld(async (world) => {
      await written(world);
      for (const [isMissing, expected] of [
        [false, count],
        [true, missing],
      ] as const) {
        const { status, body } = await world.ask("POST", "/i/_search", {
          ...PAGE,
          aggs: counts(field, isMissing),
        });
        if (expected instanceof RegExp)
          expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(expected)]);
        else expect([status, body]).toMatchObject([200, { aggregations: { a: expected } }]);
      }
    });
  });

  test("are counted within other buckets, and with a value for documents without", async () => {
    await inWorld(async (world) => {
      await written(world);
      const { body } = await world.ask("POST", "/i/_search", {
        ...PAGE,
        aggs: {
          o: {
            terms: { field: "o" },
            aggs: { n: { value_count: { field: "t" } }, m: { missing: { field: "t" } } },
          },
          filled: { value_count: { field: "t", missing: "x" } },
        },
      });
      expect(body).toMatchObject({
        aggregations: {
          filled: { value: 4 },
          o: {
            buckets: [
              { key: "a", doc_count: 2, n: { value: 3 }, m: { doc_count: 0 } },
              { key: "b", doc_count: 1, n: { value: 0 }, m: { doc_count: 1 } },
            ],
          },
        },
      });
    });
  });
});
