/** `dfs_query_then_fetch`: scores and explanations by statistics over all shards. */
import type { JsonObject } from "@orrery/stdx";
import { afterEach, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

const names = ["node-1", "node-2", "node-3"];
const text = { type: "text" };
/** The first, second, third and seventh document are on shard 0. */
const documents = [
  { a: "rain", b: "rain on stone" },
  { a: "stone", b: "rain" },
  { a: "grey rain cloud", b: "stone" },
  { a: "train", b: "grey rain" },
  { b: "cloud" },
  { a: "cloud" },
  { a: "rains" },
];

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

async function filled(): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(3, names);
  running = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  await cluster.ask("node-1", "PUT /skies?wait_for_active_shards=all", {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    mappings: { properties: { a: text, b: text } },
  });
  for (const [i, document] of documents.entries())
    await cluster.ask("node-1", `PUT /skies/_doc/${i + 1}`, document);
  await cluster.ask("node-1", "POST /skies/_refresh");
  return cluster;
}

interface Scored {
  readonly _id: string;
  readonly _score: number;
  readonly _explanation: { readonly value: number };
}

/** Hits of a search with statistics over all shards. */
async function search(cluster: SimulatedCluster, body: JsonObject): Promise<readonly Scored[]> {
  const path = "POST /skies/_search?search_type=dfs_query_then_fetch";
  const { json } = await cluster.ask("node-1", path, { ...body, explain: true });
  return hitsOf(json);
}

function hitsOf(json: JsonObject): readonly Scored[] {
  return (json["hits"] as unknown as { hits: readonly Scored[] }).hits;
}

function scores(hits: readonly Scored[]): Readonly<Record<string, number>> {
  return Object.fromEntries(hits.map(({ _id, _score }) => [_id, _score]));
}

function explained(hits: readonly Scored[]): Readonly<Record<string, number>> {
  return Object.fromEntries(hits.map(({ _id, _explanation }) => [_id, _explanation.value]));
}

// All scores here are the product's.

test("an explanation has the score of its hit, also on later pages of a scroll", async () => {
  const cluster = await filled();
  const body = { query: { match: { a: "rain" } } };
  const expected = { 1: 0.5213263, 3: 0.30965996 };

  const hits = await search(cluster, body);

  expect(scores(hits)).toEqual(expected);
  expect(explained(hits)).toEqual(expected);
  const first = await cluster.ask(
    "node-1",
    "POST /skies/_search?search_type=dfs_query_then_fetch&scroll=1m",
    { ...body, size: 1, explain: true },
  );
  const scroll = { scroll_id: String(first.json["_scroll_id"]) };
  const second = await cluster.ask("node-1", "POST /_search/scroll", scroll);
  const pages = [first, second].flatMap(({ json }) => hitsOf(json));
  expect(explained(pages)).toEqual(expected);
});

test("document frequencies that a query blends are blended on each shard, then added up", async () => {
  const cluster = await filled();
  const across = { multi_match: { query: "rain", fields: ["a", "b"], type: "cross_fields" } };
  const near = { match: { a: { query: "rain", fuzziness: 1 } } };

  expect(scores(await search(cluster, { query: across }))).toEqual({
    1: 0.5213263,
    2: 0.28939408,
    3: 0.30965996,
    4: 0.22226658,
  });
  expect(scores(await search(cluster, { query: near }))).toEqual({
    1: 0.5213263,
    3: 0.30965996,
    4: 0.5849791,
    7: 0.39099473,
  });
});

test("terms of a rescorer count", async () => {
  const cluster = await filled();
  const body = {
    query: { match: { a: "rain" } },
    rescore: { window_size: 10, query: { rescore_query: { match: { b: "rain" } } } },
  };

  expect(scores(await search(cluster, body))).toEqual({ 1: 0.70174354, 3: 0.30965996 });
});
