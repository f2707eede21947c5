/** How often a search body is parsed: once on the coordinating node, once on each shard. */
import { composeProduct } from "@orrery/node";
import { coreLanguage } from "@orrery/query";
import type { JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { inSnapshotWorld } from "./snapshot-world.ts";

const matchAll = coreLanguage.queries.get("match_all");

test("a search body is parsed once on the coordinating node and once for all phases of a shard", async () => {
  let parsed = 0;
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
      const settings = { number_of_shards: 2, number_of_replicas: 0 };
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

      expect(await parsesOf("POST", "/docs/_search", { query })).toBe(3);
      expect(await parsesOf("POST", "/docs/_count", { query })).toBe(3);

      const opened = await ask("POST", "/docs/_search/point_in_time?keep_alive=1m");
      const pit = { id: (opened.body as { pit_id: string }).pit_id, keep_alive: "1m" };
      expect(await parsesOf("POST", "/_search", { query, pit })).toBe(3);
    },
    { product },
  );
});
