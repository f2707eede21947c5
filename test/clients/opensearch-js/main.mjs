/**
 * A shop's catalogue on the official JavaScript client: index, bulk and search helpers, scroll, points in time, conflicts, aliases,
 * administration, the client's exceptions, sniffing, and a node that is killed.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, errors } from "@opensearch-project/opensearch";

const urls = process.env.CLUSTER_URLS.split(",");
const pids = process.env.CLUSTER_PIDS?.split(",").map(Number) ?? [];
const client = new Client({ nodes: urls });
const index = "books";
const genres = ["novel", "poetry", "travel", "history"];

const mappings = {
  properties: {
    title: { type: "text", fields: { raw: { type: "keyword" } } },
    genre: { type: "keyword" },
    price: { type: "double" },
    published: { type: "date" },
    stock: { type: "integer" },
  },
};

function* books(count) {
  for (let i = 0; i < count; i += 1)
    yield {
      id: `b-${i}`,
      title: `Volume ${i} of ${genres[i % 4]}`,
      genre: genres[i % 4],
      price: (i % 50) + 0.5,
      published: new Date(Date.UTC(2000 + (i % 20), i % 12, 1)).toISOString(),
      stock: i % 7,
    };
}

/** Rejects with this exception of the client, with this status and type of error. */
const fails = (promise, status, type) =>
  assert.rejects(promise, (error) => {
    assert(error instanceof errors.ResponseError, String(error));
    assert.equal(error.statusCode, status, error.message);
    assert.equal(error.body.error.type, type);
    return true;
  });

before(async () => {
  await client.cluster.health({ wait_for_nodes: ">=1", wait_for_status: "yellow" });
});
after(() => client.close());

void test("the product and the version", async () => {
  const { body } = await client.info();
  assert.equal(body.version.distribution, "opensearch");
  assert.match(body.version.number, /^3\./);
  assert.equal((await client.ping()).body, true);
});

void test("an index with settings, mappings and an alias", async () => {
  const { body } = await client.indices.create({
    index,
    body: {
      settings: { index: { number_of_shards: 3, number_of_replicas: 1 } },
      mappings,
      aliases: { catalogue: {} },
    },
  });
  assert.deepEqual(body, { acknowledged: true, shards_acknowledged: true, index });
  assert.equal((await client.indices.exists({ index })).body, true);
  assert.equal((await client.indices.exists({ index: "none" })).body, false);
  const { body: got } = await client.indices.get({ index: "catalogue" });
  assert.equal(got[index].settings.index.number_of_shards, "3");
  assert.deepEqual(got[index].mappings, mappings);
  await fails(client.indices.create({ index }), 400, "resource_already_exists_exception");
});

void test("the bulk helper, with a document that is dropped", async () => {
  const dropped = [];
  const bad = { id: "bad", title: "Bad", price: "not a number" };
  const stats = await client.helpers.bulk({
    datasource: [...books(2000), bad],
    flushBytes: 40_000,
    concurrency: 4,
    onDocument: ({ id }) => ({ index: { _index: index, _id: id } }),
    onDrop: (document) => dropped.push(document),
    refreshOnCompletion: index,
  });
  assert.equal(stats.total, 2001);
  assert.equal(stats.successful, 2000);
  assert.equal(stats.failed, 1);
  assert.equal(dropped.length, 1);
  assert.equal(dropped[0].status, 400);
  assert.equal(dropped[0].error.type, "mapper_parsing_exception");
  assert.equal((await client.count({ index })).body.count, 2000);
});

void test("a search with aggregations, highlights and sorting", async () => {
  const { body } = await client.search({
    index,
    body: {
      size: 5,
      query: {
        bool: {
          must: [{ match: { title: "poetry" } }],
          filter: [{ range: { price: { gte: 10, lt: 40 } } }],
        },
      },
      sort: [{ price: "desc" }, { "title.raw": "asc" }],
      highlight: { fields: { title: {} } },
      aggs: {
        genres: { terms: { field: "genre" }, aggs: { price: { avg: { field: "price" } } } },
        years: { date_histogram: { field: "published", calendar_interval: "year" } },
        prices: { percentiles: { field: "price", percents: [50] } },
      },
      track_total_hits: true,
    },
  });
  assert.equal(body.timed_out, false);
  assert.deepEqual(body._shards, { total: 3, successful: 3, skipped: 0, failed: 0 });
  assert.deepEqual(body.hits.total, { value: 300, relation: "eq" });
  assert.equal(body.hits.hits.length, 5);
  assert.deepEqual(
    body.hits.hits.map((hit) => hit.sort[0]),
    body.hits.hits.map((hit) => hit._source.price),
  );
  assert.match(body.hits.hits[0].highlight.title[0], /<em>poetry<\/em>/);
  assert.deepEqual(
    body.aggregations.genres.buckets.map(({ key, doc_count: count }) => [key, count]),
    [["poetry", 300]],
  );
  assert.equal(body.aggregations.years.buckets.length > 5, true);
  assert.equal(typeof body.aggregations.prices.values["50.0"], "number");
});

void test("the search helper, and pages after a sort value", async () => {
  const found = await client.helpers.search({
    index,
    body: { size: 10, query: { term: { genre: "travel" } } },
  });
  assert.equal(found.length, 10);
  assert(found.every(({ genre }) => genre === "travel"));
  const seen = new Set();
  let searchAfter;
  for (;;) {
    const { body } = await client.search({
      index,
      body: {
        size: 150,
        query: { term: { genre: "history" } },
        sort: [{ "title.raw": "asc" }],
        ...(searchAfter === undefined ? {} : { search_after: searchAfter }),
      },
    });
    if (body.hits.hits.length === 0) break;
    for (const hit of body.hits.hits) seen.add(hit._id);
    searchAfter = body.hits.hits.at(-1).sort;
  }
  assert.equal(seen.size, 500);
});

void test("scroll helpers, and a scroll that is cleared", async () => {
  const ids = new Set();
  for await (const book of client.helpers.scrollDocuments({
    index,
    size: 300,
    body: { query: { match_all: {} } },
  }))
    ids.add(book.id);
  assert.equal(ids.size, 2000);
  let pages = 0;
  for await (const page of client.helpers.scrollSearch({ index, size: 500, body: {} })) {
    pages += 1;
    if (pages === 2) await page.clear();
  }
  assert.equal(pages, 2);
  const { body } = await client.search({ index, scroll: "1m", size: 10 });
  const cleared = await client.clearScroll({ body: { scroll_id: [body._scroll_id] } });
  assert.deepEqual(cleared.body, { succeeded: true, num_freed: 3 });
  const error = await client.scroll({ body: { scroll_id: body._scroll_id } }).catch((e) => e);
  assert(error instanceof errors.ResponseError);
  assert.equal(error.statusCode, 404);
  assert.equal(error.body.error.root_cause[0].type, "search_context_missing_exception");
});

void test("a point in time does not see later documents", async () => {
  const { body: pit } = await client.createPit({ index, keep_alive: "1m" });
  assert.equal(typeof pit.pit_id, "string");
  await client.index({ index, id: "late", body: { title: "Late", genre: "novel" }, refresh: true });
  const search = (body) => client.search({ body: { size: 0, track_total_hits: true, ...body } });
  const old = await search({ pit: { id: pit.pit_id, keep_alive: "1m" } });
  assert.equal(old.body.hits.total.value, 2000);
  assert.equal(old.body.pit_id, pit.pit_id);
  const slices = await Promise.all(
    [0, 1].map((id) => search({ pit: { id: pit.pit_id }, slice: { id, max: 2 } })),
  );
  assert.equal(
    slices.reduce((sum, { body }) => sum + body.hits.total.value, 0),
    2000,
  );
  assert.equal((await client.count({ index })).body.count, 2001);
  const { body: all } = await client.getAllPits();
  assert.deepEqual(
    all.pits.map(({ pit_id: id }) => id),
    [pit.pit_id],
  );
  const { body: deleted } = await client.deletePit({ body: { pit_id: [pit.pit_id] } });
  assert.deepEqual(deleted.pits, [{ successful: true, pit_id: pit.pit_id }]);
  await client.delete({ index, id: "late", refresh: true });
});

void test("writes that depend on a version", async () => {
  const { body: first } = await client.index({ index, id: "v", body: { title: "One", stock: 1 } });
  assert.equal(first.result, "created");
  assert.deepEqual(first._shards, { total: 2, successful: 2, failed: 0 });
  const at = { if_seq_no: first._seq_no, if_primary_term: first._primary_term };
  const { body: second } = await client.index({ index, id: "v", body: { title: "Two" }, ...at });
  assert.equal(second._version, 2);
  await fails(
    client.index({ index, id: "v", body: { title: "Three" }, ...at }),
    409,
    "version_conflict_engine_exception",
  );
  await fails(
    client.create({ index, id: "v", body: {} }),
    409,
    "version_conflict_engine_exception",
  );
  const { body: merged } = await client.update({
    index,
    id: "v",
    body: { doc: { stock: 5 } },
    _source: true,
    retry_on_conflict: 3,
  });
  assert.deepEqual(merged.get._source, { title: "Two", stock: 5 });
  const noop = await client.update({ index, id: "v", body: { doc: { stock: 5 } } });
  assert.equal(noop.body.result, "noop");
  const upsert = { doc: { stock: 1 }, doc_as_upsert: true };
  assert.equal((await client.update({ index, id: "u", body: upsert })).body.result, "created");
  await fails(
    client.update({ index, id: "none", body: { doc: {} } }),
    404,
    "document_missing_exception",
  );
  await Promise.all(["v", "u"].map((id) => client.delete({ index, id, refresh: true })));
});

void test("documents by id: get, source, mget, exists", async () => {
  const { body } = await client.get({ index, id: "b-7", _source_includes: ["genre"] });
  assert.deepEqual(body._source, { genre: "history" });
  assert.equal((await client.getSource({ index, id: "b-7" })).body.id, "b-7");
  const { body: many } = await client.mget({ index, body: { ids: ["b-1", "none"] } });
  assert.deepEqual(
    many.docs.map(({ found }) => found),
    [true, false],
  );
  assert.equal((await client.exists({ index, id: "b-1" })).body, true);
  assert.equal((await client.exists({ index, id: "none" })).body, false);
  const missing = await client.get({ index, id: "none" }).catch((error) => error);
  assert(missing instanceof errors.ResponseError);
  assert.deepEqual(missing.body, { _index: index, _id: "none", found: false });
});

void test("the multi-search helper", async () => {
  const searches = client.helpers.msearch({ operations: 5, flushInterval: 50 });
  const results = await Promise.all(
    genres.map((genre) => searches.search({ index }, { query: { term: { genre } }, size: 2 })),
  );
  assert.deepEqual(
    results.map(({ body }) => body.hits.total.value),
    [500, 500, 500, 500],
  );
  const error = await searches
    .search({ index }, { query: { nonsense: {} } })
    .catch((rejected) => rejected);
  assert(error instanceof errors.ResponseError);
  assert.equal(error.body.error.type, "parsing_exception");
  searches.stop();
});

void test("aliases move in one step, and templates make indices", async () => {
  await client.indices.create({ index: "books-2" });
  const { body } = await client.indices.updateAliases({
    body: {
      actions: [
        { remove: { index, alias: "catalogue" } },
        { add: { index: "books-2", alias: "catalogue", is_write_index: true } },
      ],
    },
  });
  assert.equal(body.acknowledged, true);
  const { body: aliases } = await client.indices.getAlias({ name: "catalogue" });
  assert.deepEqual(aliases, { "books-2": { aliases: { catalogue: { is_write_index: true } } } });
  await client.indices.putIndexTemplate({
    name: "logs",
    body: {
      index_patterns: ["logs-*"],
      template: {
        settings: { number_of_shards: 2 },
        mappings: { properties: { at: { type: "date" } } },
      },
    },
  });
  await client.index({ index: "logs-1", body: { at: "2026-01-01" }, refresh: "wait_for" });
  const { body: settings } = await client.indices.getSettings({ index: "logs-1" });
  assert.equal(settings["logs-1"].settings.index.number_of_shards, "2");
  const { body: mapping } = await client.indices.getMapping({ index: "logs-1" });
  assert.deepEqual(mapping["logs-1"].mappings.properties, { at: { type: "date" } });
});

void test("a pipeline changes documents", async () => {
  await client.ingest.putPipeline({
    id: "stamp",
    body: { processors: [{ set: { field: "seen", value: "{{title}}" } }] },
  });
  await client.index({ index, id: "p", pipeline: "stamp", body: { title: "X" }, refresh: true });
  assert.equal((await client.get({ index, id: "p" })).body._source.seen, "X");
  await client.delete({ index, id: "p", refresh: true });
  await client.ingest.deletePipeline({ id: "stamp" });
});

void test("administration: cluster, nodes, indices, cat", async () => {
  const { body: health } = await client.cluster.health({ wait_for_no_initializing_shards: true });
  assert.equal(health.number_of_nodes, urls.length);
  const { body: state } = await client.cluster.state({ metric: ["nodes", "routing_table"], index });
  assert.equal(Object.keys(state.nodes).length, urls.length);
  assert.equal(Object.keys(state.routing_table.indices[index].shards).length, 3);
  const { body: stats } = await client.cluster.stats();
  assert.equal(stats.nodes.count.total, urls.length);
  const { body: nodes } = await client.nodes.info({ metric: ["http"] });
  assert.equal(
    Object.values(nodes.nodes).every(({ http }) => /:\d+$/.test(http.publish_address)),
    true,
  );
  const { body: usage } = await client.nodes.stats({ metric: ["indices", "jvm"] });
  const indexed = Object.values(usage.nodes).reduce(
    (sum, node) => sum + node.indices.docs.count,
    0,
  );
  assert(indexed >= 2000);
  const { body: rows } = await client.cat.indices({ index, format: "json", bytes: "b" });
  assert.equal(rows[0]["docs.count"], "2000");
  assert.equal((await client.cat.nodes({ format: "json" })).body.length, urls.length);
  const { body: shards } = await client.cat.shards({
    index,
    format: "json",
    h: "index,shard,prirep,state,node",
  });
  assert.equal(shards.length, 6);
  await client.cluster.putSettings({
    body: { transient: { "cluster.routing.allocation.enable": "all" } },
  });
  const { body: settings } = await client.cluster.getSettings({ flat_settings: true });
  assert.deepEqual(settings.transient, { "cluster.routing.allocation.enable": "all" });
  await client.cluster.putSettings({
    body: { transient: { "cluster.routing.allocation.enable": null } },
  });
});

void test("exceptions of the client", async () => {
  await fails(client.search({ index: "none" }), 404, "index_not_found_exception");
  await fails(
    client.search({ index, body: { query: { nonsense: {} } } }),
    400,
    "parsing_exception",
  );
  await fails(
    client.search({ index, body: { sort: ["none"] } }),
    400,
    "search_phase_execution_exception",
  );
  await fails(
    client.indices.putMapping({ index, body: { properties: { genre: { type: "long" } } } }),
    400,
    "illegal_argument_exception",
  );
  const nobody = new Client({ node: "http://127.0.0.1:9", maxRetries: 0 });
  await assert.rejects(nobody.info(), errors.ConnectionError);
  await assert.rejects(
    client.cluster.health(
      { wait_for_nodes: ">=50", timeout: "20s" },
      { requestTimeout: 200, maxRetries: 0 },
    ),
    errors.TimeoutError,
  );
  const ignored = await client.get({ index, id: "none" }, { ignore: [404] });
  assert.equal(ignored.body.found, false);
});

void test("sniffing on start finds every node at its address", async () => {
  const sniffing = new Client({ node: urls[0], sniffOnStart: true, sniffOnConnectionFault: true });
  const sniffed = new Promise((resolve) => {
    sniffing.once("sniff", (error, { meta }) => resolve([error, meta]));
  });
  const [error] = await sniffed;
  assert.equal(error, null);
  const found = sniffing.connectionPool.connections.map(({ url }) => url.port).toSorted();
  assert.deepEqual(found, urls.map((url) => new URL(url).port).toSorted());
  for (let i = 0; i < 6; i += 1) await sniffing.count({ index });
  await sniffing.close();
});

void test(
  "a node is killed: every acknowledged document is there, and the client goes on",
  { skip: pids.length < 3 },
  async () => {
    const survivor = new Client({
      nodes: urls,
      sniffOnConnectionFault: true,
      maxRetries: 5,
      requestTimeout: 10_000,
    });
    const settings = { number_of_shards: 3, number_of_replicas: 1 };
    await survivor.indices.create({ index: "orders", body: { settings } });
    const acknowledged = [];
    let killed = false;
    for (let i = 0; i < 300; i += 1) {
      if (i === 100) {
        process.kill(pids[2], "SIGKILL");
        killed = true;
      }
      const id = `o-${i}`;
      const answer = await survivor
        .index({ index: "orders", id, body: { i } })
        .catch((error) => error);
      if (answer instanceof Error) await sleep(100);
      else acknowledged.push(id);
    }
    assert(killed);
    assert(acknowledged.length > 200, `only ${acknowledged.length} were acknowledged`);
    const { body: health } = await survivor.cluster.health({
      wait_for_nodes: "2",
      wait_for_status: "yellow",
      timeout: "30s",
    });
    assert.equal(health.timed_out, false);
    assert.equal(health.number_of_nodes, 2);
    await survivor.indices.refresh({ index: "orders" });
    const { body } = await survivor.mget({ index: "orders", body: { ids: acknowledged } });
    assert.deepEqual(
      body.docs.filter(({ found }) => !found).map(({ _id: id }) => id),
      [],
    );
    await survivor.close();
  },
);
