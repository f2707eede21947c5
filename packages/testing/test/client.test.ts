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

test(
  "a client that sniffs at its start finds the addresses of all nodes, and uses them",
  withCluster(async (cluster) => {
    const client = new Client({ node: cluster.urls[0] ?? "", sniffOnStart: true });
    const { body } = await client.nodes.info();
    await client.index({ index: "books", id: "1", body: { title: "Dune" }, refresh: true });
    await client.cluster.health({ index: "books", wait_for_status: "green" });
    await cluster.crash("node-1");
    await cluster.advance(5000);

    const found = await client.get({ index: "books", id: "1" });
    const sniffed = client.connectionPool.connections.map(({ url }) => url.origin);
    await client.close();

    expect(found.body._source).toEqual({ title: "Dune" });
    expect(sniffed.toSorted()).toEqual([...cluster.urls].toSorted());
    const published = Object.values(body.nodes).map(
      ({ http }) => `http://${http?.publish_address}`,
    );
    expect(published.toSorted()).toEqual([...cluster.urls].toSorted());
  }),
);
