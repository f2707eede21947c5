/** Clients that search. */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { Operation } from "../history.ts";
import { pageOf } from "./hits.ts";
import { flag, jsonObject, must, or, text } from "../shape.ts";
import { anyNodeOf, ask, clientKeys, drawClients, runClients, type Worker } from "./clients.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

export interface Search extends Clients {
  readonly kind: "search";
  readonly index: string;
  readonly body: JsonObject;
  readonly refresh: boolean;
}

export const search: WorkloadRow<Search> = {
  says: "Searches, and records the hits.",
  keys: {
    index: must(text, "index, or pattern, to search"),
    body: or(jsonObject, {}, "body of the search; default: all documents"),
    refresh: or(flag, false, "the index is refreshed before each search"),
    ...clientKeys,
  },
  writes: () => false,
  draw: (scene) => ({
    kind: "search",
    index: scene.index().name,
    body: { size: 1000, track_total_hits: true },
    refresh: scene.chance(500),
    ...drawClients(scene),
  }),
  run: (workload, run) =>
    runClients(workload, run, async (worker) => {
      if (workload.refresh) await refreshFirst(workload, worker);
      await searchOnce(workload, worker);
    }),
};

/** Sends a search and records its hits. */
export async function searchOnce(
  workload: Clients & Pick<Search, "index" | "body">,
  worker: Worker,
): Promise<void> {
  const { index, body, timeoutMs } = workload;
  const uri = `/${index}/_search`;
  const request = { method: "POST", uri, body: JSON.stringify(body), timeoutMs };
  const isForAll = body["query"] === undefined;
  const planned = [{ kind: "search", index, operation: `POST ${uri}`, isForAll } as const];
  const node = anyNodeOf(workload, worker);
  const { answer, operations } = await ask(worker, node, request, planned);
  const [operation] = operations;
  if (operation === undefined || answer === undefined) return;
  operation.status = answer.status;
  operation.outcome = answer.status < 300 ? "ok" : "failed";
  if (answer.status < 300) rememberHits(operation, answer.body);
}

/** Sends a refresh, which counts only if every existing copy was refreshed. */
export async function refreshFirst(
  workload: Clients & { readonly index: string },
  worker: Worker,
): Promise<void> {
  const { index, timeoutMs } = workload;
  const uri = `/${index}/_refresh`;
  const operation = `POST ${uri}`;
  const planned = [{ kind: "request", index, operation, isRefresh: true } as const];
  const request = { method: "POST", uri, timeoutMs };
  const { answer, operations } = await ask(worker, anyNodeOf(workload, worker), request, planned);
  const [refreshed] = operations;
  if (refreshed === undefined || answer === undefined) return;
  refreshed.status = answer.status;
  const shards = isJsonObject(answer.body) ? answer.body["_shards"] : undefined;
  const isWhole = isJsonObject(shards) && shards["failed"] === 0;
  refreshed.outcome = answer.status < 300 && isWhole ? "ok" : "failed";
}

function rememberHits(operation: Operation, body: Json): void {
  const page = pageOf(body);
  if (page === undefined) return;
  const { hits, total, isWhole } = page;
  operation.isWhole = isWhole;
  operation.hits = hits;
  if (total !== undefined) operation.total = total;
}
