/** How often a search body is parsed: once on the coordinating node, once by each shard worker that has shards of it. */
import { composeProduct } from "@orrery/node";
import { coreLanguage } from "@orrery/query";
import type { JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { inSnapshotWorld } from "./snapshot-world.ts";

const matchAll = coreLanguage.queries.get("match_all");

/** Parses of a search, of a count and of a search in a point in time over two shards. */
async function parsesWith(allocation: JsonObject): Promise<readonly number[]> {
  let parsed = 0;
  let counts: readonly number[] = [];
  const product = composeProduct([
    {
      name: "counter",
      description: "counts how often its query is parsed",
      classname: "org.orrery.Counter",
      shards: {
        name: "counter",
        language: {
          queries: {
            counted: (at, parseInner) => {
              parsed += 1;
              if (matchAll === undefined) throw new Error("[match_all] is missing");
              return matchAll(at, parseInner);
            },
          },
        },
      },
    },
  ]);
  await inSnapshotWorld(
    3,
    async ({ ask }) => {
      const settings = { number_of_shards: 2, number_of_replicas: 0, ...allocation };
      await ask("PUT", "/docs", { settings });
      for (let id = 0; id < 8; id += 1) await ask("PUT", `/docs/_doc/${id}?refresh=true`, { id });
      const query = { counted: {} };
      const parsesOf = async (method: string, uri: string, body: JsonObject): Promise<number> => {
        const before = parsed;
        const answer = await ask(method, uri, body);
        expect(answer.status).toBe(200);
        return parsed - before;
      };
      const { body } = await ask("POST", "/docs/_search", { query });
      expect((body as { hits: { hits: unknown[] } }).hits.hits).toHaveLength(8);

      const ofSearch = await parsesOf("POST", "/docs/_search", { query });
      const ofCount = await parsesOf("POST", "/docs/_count", { query });
      const opened = await ask("POST", "/docs/_search/point_in_time?keep_alive=1m");
      const pit = { id: (opened.body as { pit_id: string }).pit_id, keep_alive: "1m" };
      counts = [ofSearch, ofCount, await parsesOf("POST", "/_search", { query, pit })];
    },
    { product },
  );
  return counts;
}

test("a search body is parsed once on the coordinating node and once for all phases of a shard", async () => {
  expect(await parsesWith({})).toEqual([3, 3, 3]);
});

test("a search body is parsed once for all shards that a node is asked for together, that of a count by each", async () => {
  expect(await parsesWith({ "index.routing.allocation.require._name": "node-2" })).toEqual([
    2, 3, 2,
  ]);
});
