/** Clients that read an index page by page in a scroll, or in a point in time, as of one moment. */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";
import type { Operation, Page } from "../history.ts";
import { duration, flag, integer, must, oneOf, or, text, writeDuration } from "../shape.ts";
import { anyNodeOf, ask, clientKeys, drawClients, runClients, type Worker } from "./clients.ts";
import { pageOf } from "./hits.ts";
import { refreshFirst } from "./search.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

export interface Pages extends Clients {
  readonly kind: "pages";
  readonly index: string;
  readonly of: "scroll" | "point-in-time";
  /** Documents of one page. */
  readonly documents: number;
  readonly pauseMs: number;
  readonly keepAliveMs: number;
  readonly refresh: boolean;
}

export const pages: WorkloadRow<Pages> = {
  says: "Opens a scroll or a point in time, reads the whole index in it page by page through any node, and closes it.",
  keys: {
    index: must(text, "index to read"),
    of: or(
      oneOf("view", () => ["scroll", "point-in-time"] as const),
      "scroll",
      "context that is opened",
    ),
    documents: or(integer(1, 10_000), 10, "documents on one page"),
    pauseMs: or(duration, 50, "pause of a client between two pages"),
    keepAliveMs: or(duration, 60_000, "keep-alive of the context between two pages"),
    refresh: or(flag, false, "the index is refreshed first"),
    ...clientKeys,
  },
  writes: () => false,
  draw: (scene) => ({
    kind: "pages",
    index: scene.index().name,
    of: scene.random.pick(["scroll", "point-in-time"] as const),
    documents: scene.ms(4, 64),
    pauseMs: scene.ms(5, 200),
    keepAliveMs: scene.ms(1000, 60_000),
    refresh: scene.chance(500),
    ...drawClients(scene),
  }),
  run: (workload, run) =>
    runClients(workload, run, async (worker) => {
      if (workload.refresh) await refreshFirst(workload, worker);
      await (workload.of === "scroll" ? readScroll : readPointInTime)({ workload, worker });
    }),
};

/** One reading of one client. */
interface Reading {
  readonly workload: Pages;
  readonly worker: Worker;
}

async function readScroll(reading: Reading): Promise<void> {
  const { index, documents, keepAliveMs } = reading.workload;
  const scroll = writeDuration(keepAliveMs);
  const uri = `/${index}/_search?scroll=${scroll}`;
  const opened = await open(reading, uri, { size: documents, track_total_hits: true });
  if (opened === undefined) return;
  let { body } = opened;
  let id = fieldOf(body, "_scroll_id");
  while (remember(reading, opened.operation, body)) {
    const next = await send(reading, "POST /_search/scroll", { scroll, scroll_id: id });
    if (next === undefined) break;
    body = next;
    id = fieldOf(body, "_scroll_id") ?? id;
  }
  await send(reading, "DELETE /_search/scroll", { scroll_id: id });
}

async function readPointInTime(reading: Reading): Promise<void> {
  const { index, documents: size, keepAliveMs } = reading.workload;
  const keep_alive = writeDuration(keepAliveMs);
  const uri = `/${index}/_search/point_in_time?keep_alive=${keep_alive}`;
  const opened = await open(reading, uri);
  if (opened === undefined) return;
  const id = fieldOf(opened.body, "pit_id") ?? "";
  let after: Json | undefined;
  for (;;) {
    const sort = [{ _shard_doc: "asc" }];
    const search = { size, track_total_hits: true, pit: { id, keep_alive }, sort };
    const body = await send(
      ...[reading, "POST /_search"],
      after === undefined ? search : { ...search, search_after: after },
    );
    if (body === undefined || !remember(reading, opened.operation, body)) break;
    after = lastSortOf(body);
  }
  await send(reading, "DELETE /_search/point_in_time", { pit_id: [id] });
}

interface Opened {
  readonly operation: Operation;
  readonly body: Json;
}

/** Opens the scroll or point in time; its moment lies between request and answer. */
async function open(
  { workload, worker }: Reading,
  uri: string,
  body?: Json,
): Promise<Opened | undefined> {
  const { index, timeoutMs } = workload;
  const read: Page[] = [];
  const planned = { kind: "pages", index, operation: `POST ${uri}`, pages: read } as const;
  const request = { method: "POST", uri, timeoutMs };
  const { answer, operations } = await ask(
    worker,
    anyNodeOf(workload, worker),
    body === undefined ? request : { ...request, body: JSON.stringify(body) },
    [planned],
  );
  const [operation] = operations;
  if (operation === undefined || answer === undefined) return undefined;
  operation.status = answer.status;
  operation.outcome = answer.status < 300 ? "ok" : "failed";
  // Later answers do not contain shards that failed to open.
  const shards = isJsonObject(answer.body) ? answer.body["_shards"] : undefined;
  operation.isWhole = isJsonObject(shards) && shards["failed"] === 0;
  return operation.outcome === "ok" ? { operation, body: answer.body } : undefined;
}

/** Sends a request to any node; returns the body of a successful answer. */
async function send(
  { workload, worker }: Reading,
  request: string,
  body: Json,
): Promise<Json | undefined> {
  const { timeoutMs } = workload;
  const [method = "GET", uri = "/"] = request.split(" ");
  const { client, run } = worker;
  if (workload.pauseMs > 0 && method === "POST") await run.world.sleep(workload.pauseMs);
  const node = anyNodeOf(workload, worker);
  const sent = { method, uri, body: JSON.stringify(body), timeoutMs };
  const answer = await run.world.request(client, node, sent);
  return answer !== undefined && answer.status < 300 ? answer.body : undefined;
}

/** Records a page; true if another may follow. A reading ends when it has returned more than exists. */
function remember({ worker }: Reading, operation: Operation, body: Json): boolean {
  const page = pageOf(body);
  const { pages: read } = operation;
  if (page === undefined || read === undefined) return false;
  read.push(page);
  operation.isRead = page.hits.length === 0;
  const shown = read.reduce((sum, { hits }) => sum + hits.length, 0);
  const isTooMuch = shown > (read[0]?.total ?? 0);
  return page.hits.length > 0 && !isTooMuch && !worker.run.isOver();
}

function fieldOf(body: Json, name: string): string | undefined {
  const field = isJsonObject(body) ? lookup(body, name) : undefined;
  return typeof field === "string" ? field : undefined;
}

function lastSortOf(body: Json): Json | undefined {
  const found = isJsonObject(body) ? body["hits"] : undefined;
  const hits = isJsonObject(found) ? found["hits"] : undefined;
  const last = Array.isArray(hits) ? (hits as readonly Json[]).at(-1) : undefined;
  return isJsonObject(last) ? last["sort"] : undefined;
}
