/**
 * Searches whose shards are all on one node, which one message asks. Asked one shard at a time
 * (`max_concurrent_shard_requests=1`) the same search has the same answer, byte for byte.
 */
import { afterEach, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

/** The index of three shards and the one of two: five shards at once is the default. */
const INDICES = [
  { name: "books", shards: 3, price: "integer" },
  { name: "films", shards: 2, price: "long" },
];

const words = ["red", "green", "blue", "deep", "green"];

function documentOf(n: number): Record<string, unknown> {
  const text = Array.from({ length: 1 + (n % 4) }, (_, i) => words[(n + i) % words.length]);
  const at = `2026-01-${String(1 + (n % 28)).padStart(2, "0")}`;
  return { n, text: text.join(" "), group: `g${n % 3}`, price: n % 5, at };
}

async function filled(workers: string): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(1, ["node-1"], () => ({ "node.shard_workers": workers }));
  running = cluster;
  cluster.start("node-1");
  await cluster.until(() => cluster.isFormed(["node-1"]));
  for (const { name, shards, price } of INDICES) {
    const only = name === "films" ? { only: { type: "keyword" } } : {};
    await cluster.ask("node-1", `PUT /${name}`, {
      settings: {
        ...{ number_of_shards: shards, number_of_replicas: 0 },
        // Fails the fetch of longer texts there.
        ...(name === "films" ? { "index.highlight.max_analyzed_offset": 8 } : {}),
      },
      mappings: {
        properties: {
          text: { type: "text" },
          group: { type: "keyword" },
          price: { type: price },
          at: { type: "date" },
          ...only,
        },
      },
      aliases: {
        some: { filter: { range: { n: { lt: 30 } } } },
        routed: { routing: "a,b", filter: { term: { group: "g1" } } },
      },
    });
    for (let n = 0; n < 40; n += 1)
      await cluster.ask("node-1", `PUT /${name}/_doc/${n}?refresh=${n % 8 === 7}`, documentOf(n));
    await cluster.ask("node-1", `DELETE /${name}/_doc/3?refresh=true`);
  }
  return cluster;
}

const green = { match: { text: "green" } };

/** Path and body. */
const SEARCHES: readonly (readonly [string, Record<string, unknown>])[] = [
  ["books/_search", {}],
  ["_all/_search", { query: green }],
  ["_all/_search", { query: { match: { text: "green deep" } }, from: 5, size: 7 }],
  ["_all/_search", { query: { match: { text: "green deep" } }, size: 0 }],
  ["_all/_search", { query: { match_phrase: { text: "green blue" } }, size: 3 }],
  ["_all/_search", { query: { term: { group: "g1" } }, size: 4, track_total_hits: 7 }],
  ["_all/_search", { query: green, size: 2, track_total_hits: 11 }],
  ["_all/_search", { query: green, size: 2, track_total_hits: false }],
  ["_all/_search", { query: green, size: 2, track_total_hits: 0 }],
  ["_all/_search", { query: green, size: 0, track_total_hits: 0 }],
  ["_all/_search", { query: green, size: 2, track_total_hits: true }],
  ["_all/_search", { query: { range: { price: { gte: 2 } } }, size: 5 }],
  ["_all/_search", { query: { match_none: {} } }],
  ["_all/_search", { query: green, sort: ["_score"], track_scores: true }],
  ["_all/_search", { query: green, sort: [{ _score: "asc" }] }],
  ["_all/_search", { sort: [{ price: "desc" }], size: 12 }],
  ["_all/_search", { sort: [{ price: "desc" }, { at: "asc" }], from: 3, size: 12, version: true }],
  ["_all/_search", { query: { range: { n: { gte: 35 } } }, sort: [{ at: "desc" }] }],
  ["_all/_search", { query: { range: { n: { gte: 999 } } }, sort: [{ at: "desc" }] }],
  ["_all/_search", { sort: [{ price: "asc" }, { n: "asc" }], search_after: [2, 20] }],
  ["_all/_search?pre_filter_shard_size=1", { query: { range: { n: { gte: 39 } } } }],
  ["_all/_search", { query: green, collapse: { field: "group" } }],
  ["_all/_search", { query: green, collapse: { field: "group", inner_hits: { name: "in" } } }],
  ["_all/_search", { query: green, min_score: 0.4 }],
  ["_all/_search", { query: green, post_filter: { term: { group: "g2" } }, size: 3 }],
  ["_all/_search", { query: green, terminate_after: 2 }],
  [
    "_all/_search",
    {
      query: green,
      rescore: { window_size: 4, query: { rescore_query: { term: { group: "g0" } } } },
    },
  ],
  ["_all/_search", { query: green, explain: true, size: 3, indices_boost: [{ films: 3 }] }],
  ["_all/_search", { query: green, aggs: { g: { terms: { field: "group" } } }, size: 2 }],
  ["_all/_search", { aggs: { p: { stats: { field: "price" } } }, size: 0 }],
  ["_all/_search", { suggest: { s: { text: "gren", term: { field: "text" } } } }],
  ["_all/_search?search_type=dfs_query_then_fetch", { query: green, explain: true, size: 4 }],
  ["some/_search", { query: green, size: 3 }],
  ["routed/_search", { query: green }],
  ["books/_search?routing=a,b", { query: green }],
  ["_all/_search", { query: { match: { text: { query: "red", _name: "m" } } }, _source: ["n"] }],
  // A query that fails in one index: its field has no numbers.
  ["_all/_search", { query: green, sort: [{ only: "asc" }] }],
  ["_all/_search", { query: green, sort: [{ none: "asc" }] }],
  ["_all/_search?allow_partial_search_results=false", { query: green, sort: [{ only: "asc" }] }],
  // A fetch that fails in one index.
  ["_all/_search", { query: green, size: 50, highlight: { fields: { text: {} } } }],
  [
    "_all/_search?allow_partial_search_results=false",
    { query: green, size: 50, highlight: { fields: { text: {} } } },
  ],
  ["films/_search", { query: green, size: 50, highlight: { fields: { text: {} } } }],
  // A failure of the reduction.
  [
    "_all/_search",
    {
      aggs: {
        h: { histogram: { field: "price", interval: 0.00001, min_doc_count: 0 } },
      },
    },
  ],
];

/** Limits below, at and above the number of hits of one and of all shards. */
const LIMITS: typeof SEARCHES = Array.from({ length: 40 }, (_, i) => [
  "_all/_search",
  { query: { match: { text: "green blue" } }, size: 3, track_total_hits: 2 * i + 1 },
]);

const withoutTook = (text: string): string => text.replace(/"took":\d+/u, '"took":0');

test.each(["1", "2"])(
  "a search in one message has the answer of one shard at a time, with %s workers",
  async (workers) => {
    const cluster = await filled(workers);
    const different: unknown[] = [];
    let failed = 0;
    for (const [path, body] of [...SEARCHES, ...LIMITS]) {
      const alone = `${path}${path.includes("?") ? "&" : "?"}max_concurrent_shard_requests=1`;
      const expected = await cluster.ask("node-1", `POST /${alone}`, body);
      const found = await cluster.ask("node-1", `POST /${path}`, body);
      const texts = [found, expected].map(({ status, text }) => `${status} ${withoutTook(text)}`);
      if (expected.text.includes('"failures"') || expected.text.includes("failed_shards"))
        failed += 1;
      if (texts[0] !== texts[1]) different.push([path, body, ...texts]);
    }

    expect(different).toEqual([]);
    expect(failed).toBeGreaterThan(5);
    const { json } = await cluster.ask("node-1", "GET /_stats/search");
    const { _all } = json as unknown as { _all: { total: { search: { open_contexts: number } } } };
    expect(_all.total.search.open_contexts).toBe(0);
  },
);
