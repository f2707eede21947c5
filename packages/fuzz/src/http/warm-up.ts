/** Valid requests of every common kind, so that the caches of a node are filled before its memory is measured. */
import { setTimeout as sleep } from "node:timers/promises";
import { requestOf } from "./fixture.ts";
import { PATIENCE_MS, send, type LiveWorld } from "./live-world.ts";
import type { HttpCase } from "./request.ts";

const ROUNDS = 60;
const CALM_MS = 1000;

const requests: readonly HttpCase[] = [
  requestOf("GET", "/_cluster/health"),
  requestOf("PUT", "/untouched/_doc/1", { a: 1 }),
  requestOf("GET", "/books/_search", { query: { match: { title: "wind" } } }),
  requestOf("GET", "/books/_search", { size: 0, aggs: { tags: { terms: { field: "tag" } } } }),
  requestOf("GET", "/_cluster/state"),
  requestOf("GET", "/_nodes/stats"),
  requestOf("GET", "/_cat/indices"),
  requestOf("GET", "/books/_mapping/nosuch/x"),
];

export async function warmUp(world: LiveWorld): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      world.ports.flatMap((port) => requests.map((one) => send(world, port, one, PATIENCE_MS))),
    );
  }
  await sleep(CALM_MS);
}
