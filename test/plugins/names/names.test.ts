/** A sort, a suggester and a rescorer that no core file knows, over shards of three nodes. */
import { composeProduct } from "@orrery/node";
import type { Json, JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { inSnapshotWorld, type SnapshotWorld } from "../../snapshot-world.ts";
import { names } from "./plugin.ts";

const product = composeProduct([names]);

const DOCUMENTS: readonly JsonObject[] = [
  { name: "part10", stars: 1 },
  { name: "part2", stars: 4 },
  { name: "part2", stars: 2 },
  { name: "part1b7" },
  { name: "part1b10" },
  { name: "other" },
  { stars: 3 },
];

async function write({ ask }: SnapshotWorld): Promise<void> {
  const settings = { number_of_shards: 3, number_of_replicas: 0 };
  const properties = {
    name: { type: "keyword" },
    stars: { type: "integer" },
    old: { type: "alias", path: "name" },
  };
  await ask("PUT", "/parts", { settings, mappings: { properties } });
  for (const [i, document] of DOCUMENTS.entries())
    await ask("PUT", `/parts/_doc/${i}?refresh=true`, document);
}

interface Found {
  readonly hits: { readonly hits: readonly Hit[]; readonly max_score: number | null };
  readonly suggest: Json;
  readonly aggregations: JsonObject;
}

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort: readonly Json[];
}

async function search({ ask }: SnapshotWorld, body: JsonObject): Promise<Found> {
  const { status, body: found } = await ask("POST", "/parts/_search", body);
  expect(status, JSON.stringify(found)).toBe(200);
  return found as unknown as Found;
}

async function refusal({ ask }: SnapshotWorld, body: JsonObject): Promise<string> {
  const { status, body: told } = await ask("POST", "/parts/_search", body);
  expect(status).toBe(400);
  return JSON.stringify(told);
}

const inNamesWorld = (body: (world: SnapshotWorld) => Promise<void>): Promise<string> =>
  inSnapshotWorld(
    5,
    async (world) => {
      await write(world);
      await body(world);
    },
    { product },
  );

const ORDER = ["other", "part1b7", "part1b10", "part2", "part2", "part10", null];
const ascending = { _natural: { field: "name" } };

describe("a sort of a plugin", () => {
  test("orders hits of all shards, and prints its values", () =>
    inNamesWorld(async (world) => {
      const { hits } = await search(world, { sort: [ascending] });
      expect(hits.hits.map(({ sort }) => sort[0])).toEqual(ORDER);
      const descending = { _natural: { field: "old", order: "desc" } };
      const back = await search(world, { sort: [descending, { stars: "asc" }] });
      const named = ORDER.slice(0, -1).toReversed();
      expect(back.hits.hits.map(({ sort }) => sort[0])).toEqual([...named, null]);
      expect(back.hits.hits.map(({ sort }) => sort[1]).slice(0, 3)).toEqual([1, 2, 4]);
    }));

  test("goes on after the values that a hit has printed", () =>
    inNamesWorld(async (world) => {
      const seen: Json[] = [];
      let after: readonly Json[] | undefined;
      for (;;) {
        const sort = [ascending, { _id: "asc" }];
        const page = { size: 2, sort, ...(after === undefined ? {} : { search_after: after }) };
        const { hits } = await search(world, page);
        if (hits.hits.length === 0) break;
        seen.push(...hits.hits.map((hit) => hit.sort[0] ?? null));
        after = hits.hits.at(-1)?.sort;
      }
      expect(seen).toEqual(ORDER);
    }));

  test("orders top hits of buckets", () =>
    inNamesWorld(async (world) => {
      const first = { top_hits: { size: 3, sort: [ascending] } };
      const { aggregations } = await search(world, { size: 0, aggs: { first } });
      const { hits } = (aggregations["first"] as unknown as Found).hits;
      expect(hits.map(({ sort }) => sort[0])).toEqual(ORDER.slice(0, 3));
    }));

  test("refuses what it does not read", () =>
    inNamesWorld(async (world) => {
      const bad = (options: JsonObject): Promise<string> =>
        refusal(world, { sort: [{ _natural: options }] });
      expect(await bad({ feild: "name" })).toContain(
        "[_natural] unknown field [feild] did you mean [field]?",
      );
      expect(await bad({ order: "asc" })).toContain("[_natural] has no [field]");
      expect(await bad({ field: "stars" })).toContain("[stars] is no keyword");
    }));
});

test("a suggester of a plugin adds up what the shards have found", () =>
  inNamesWorld(async (world) => {
    const suggest = { text: "part", s: { beginning: { field: "old", size: 3 } } };
    const options = [
      { text: "part2", freq: 2 },
      { text: "part10", freq: 1 },
      { text: "part1b10", freq: 1 },
    ];
    const found = await search(world, { suggest, size: 0 });
    expect(found.suggest).toEqual({ s: [{ text: "part", offset: 0, length: 4, options }] });
    expect(await refusal(world, { suggest: { s: { text: "x", beginning: {} } } })).toContain(
      "[beginning] has no [field]",
    );
  }));

test("a rescorer of a plugin gives the best documents of each shard other scores", () =>
  inNamesWorld(async (world) => {
    const rescore = { window_size: 5, times: { field: "stars" } };
    const query = { constant_score: { filter: { exists: { field: "stars" } }, boost: 2 } };
    const { hits } = await search(world, { query, rescore });
    expect(hits.hits.map(({ _id, _score }) => [_id, _score])).toEqual([
      ["1", 8],
      ["6", 6],
      ["2", 4],
      ["0", 2],
    ]);
    expect(hits.max_score).toBe(8);
    const wrong = { times: { field: "name" } };
    expect(await refusal(world, { query, rescore: wrong })).toContain("[name] is no number");
  }));

test("without the plugin its names are unknown", () =>
  inSnapshotWorld(5, async (world) => {
    await write(world);
    expect(await refusal(world, { sort: [ascending] })).toContain(
      "[field_sort] unknown field [field]",
    );
    const suggest = { s: { text: "x", beginning: { field: "name" } } };
    expect(await refusal(world, { suggest })).toContain("unknown field [beginning]");
    expect(await refusal(world, { rescore: { times: { field: "stars" } } })).toContain(
      "rescore doesn't support [times]",
    );
  }));
