/** The official client against the URLs of a cluster in virtual time. */
import { Client } from "@opensearch-project/opensearch";
import { afterAll, expect, test } from "vitest";
import { closeClustersAfter, withCluster } from "../src/index.ts";

closeClustersAfter({ afterAll });

test(
  "the client of opensearch-js indexes, searches and survives the loss of the node it talks to",
  withCluster(async (cluster) => {
    const client = new Client({ nodes: [...cluster.urls], maxRetries: 5 });
    await client.indices.create({
      index: "books",
      body: { settings: { number_of_shards: 1, number_of_replicas: 2 } },
      wait_for_active_shards: "all",
    });
    const operations = ["Dune", "Emma", "Ulysses"].flatMap((title, i) => [
      { index: { _index: "books", _id: String(i) } },
      { title },
    ]);
    const bulk = await client.bulk({ refresh: true, body: operations });
    await cluster.crash("node-1");
    // Copies are made equal after the loss; what they took then shows with the next refresh.
    await cluster.advance(5000);

    const found = await client.search({
      index: "books",
      body: { query: { match: { title: "emma" } } },
    });
    await client.close();

    expect(bulk.body.errors).toBe(false);
    expect(found.body.hits.hits).toMatchObject([{ _id: "1", _source: { title: "Emma" } }]);
  }),
);
