/** The matchers, registered with vitest by `expect.extend`, and what they say when they fail. */
import { afterAll, describe, expect, test } from "vitest";
import { closeClustersAfter, matchers, withCluster, type MatcherOutcome } from "../src/index.ts";

closeClustersAfter({ afterAll });

const books = { settings: { number_of_shards: 1, number_of_replicas: 1 } };
const green = (...args: Parameters<typeof matchers.toBeGreen>): Promise<MatcherOutcome> =>
  matchers.toBeGreen.call({}, ...args);

describe("toBeGreen", () => {
  test(
    "waits until the copies of a lost node are elsewhere",
    withCluster(async (cluster) => {
      await cluster.request("PUT", "/books?wait_for_active_shards=all", { body: books });
      await cluster.crash("node-2");
      await cluster.crash("node-2");
      const atMs = cluster.nowMs;

      expect((await green(cluster)).pass).toBe(true);
      expect(cluster.nowMs - atMs).toBeLessThan(120_000);
    }),
  );

  test(
    "names what is missing, also when no cluster manager is left",
    withCluster(async (cluster) => {
      const body = { settings: { number_of_shards: 1, number_of_replicas: 3 } };
      await cluster.request("PUT", "/books?wait_for_active_shards=1", { body });
      const yellow = await green(cluster, { index: "books", withinMs: 1000 });
      await cluster.crash("node-2");
      await cluster.crash("node-3");
      await cluster.advance(30_000);
      const leaderless = await green(cluster, { withinMs: 1000 });

      expect(yellow.message()).toBe(
        "expected [books] to be green within 1000 ms: it is yellow with 3 of 3 nodes\n" +
          "  books[0] replica is UNASSIGNED INDEX_CREATED",
      );
      expect([yellow.pass, leaderless.pass]).toEqual([false, false]);
      expect(leaderless.message()).toContain("cluster_manager_not_discovered_exception");
    }),
  );

  test(
    "does not wait when it is negated",
    withCluster(async (cluster) => {
      await cluster.request("PUT", "/books?wait_for_active_shards=all", { body: books });
      const atMs = cluster.nowMs;
      await matchers.toBeGreen.call({ isNot: true }, cluster, { index: "missing" });

      expect(cluster.nowMs - atMs).toBeLessThan(1000);
    }),
  );
});

test(
  "toHaveClusterManager finds the elected node, or says which it is",
  withCluster(async (cluster) => {
    const any = await matchers.toHaveClusterManager.call({}, cluster);
    const node = /\[(node-\d)\]$/.exec(any.message())?.[1] ?? "";
    const other = cluster.nodes.find((name) => name !== node);
    const wrong = await matchers.toHaveClusterManager.call({}, cluster, other, { withinMs: 100 });

    expect(any.pass).toBe(true);
    expect((await matchers.toHaveClusterManager.call({}, cluster, node)).pass).toBe(true);
    expect([wrong.pass, wrong.message()]).toEqual([
      false,
      `expected the cluster to have [${other}] as cluster manager: it is [${node}]`,
    ]);
  }),
);

test(
  "toHaveDocument compares the source, if one is given",
  withCluster(async (cluster) => {
    await cluster.request("PUT", "/books/_doc/1", { body: { title: "Emma" } });
    const document = (id: string, source?: unknown): Promise<MatcherOutcome> =>
      matchers.toHaveDocument.call({}, cluster, "books", id, source);

    expect((await document("1")).pass).toBe(true);
    expect((await document("1", { title: "Emma" })).pass).toBe(true);
    expect((await document("1", { title: "Dune" })).message()).toBe(
      'expected the source of [books/1] to be {"title":"Dune"}, and it is {"title":"Emma"}',
    );
    expect((await document("2")).message()).toBe(
      "expected the document [books/2] to exist: it is missing",
    );
  }),
);

test(
  "toHaveAcknowledged is about every part of a write",
  withCluster(async (cluster) => {
    const lines = [
      { index: { _index: "books", _id: "1" } },
      { year: 1815 },
      { index: { _index: "books", _id: "2" } },
      { year: "no number" },
    ];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const bulk = await cluster.request("POST", "/_bulk", { body });
    const put = await cluster.request("PUT", "/books/_doc/3", { body: { year: 1965 } });
    const found = await cluster.request("GET", "/books/_search");
    const again = await cluster.request("PUT", "/books", { body: books });

    expect.extend(matchers);
    expect(matchers.toHaveAcknowledged(put).pass).toBe(true);
    expect(matchers.toHaveAcknowledged({ statusCode: 201, body: put.body }).pass).toBe(true);
    expect(matchers.toHaveAcknowledged(bulk).message()).toMatch(
      /^expected the whole write to be acknowledged\n {2}index \[books\/2\]: 400 mapper_parsing_exception: /,
    );
    expect(matchers.toHaveAcknowledged(found).message()).toContain("not the answer to a write");
    expect(matchers.toHaveAcknowledged(again).message()).toContain(
      "400 resource_already_exists_exception",
    );
  }),
);

test(
  "a value that is no cluster is refused by name",
  withCluster(async () => {
    const value = { urls: [] } as unknown as Parameters<typeof matchers.toBeGreen>[0];

    await expect(green(value)).rejects.toThrow("expected the cluster of a test");
  }),
);
