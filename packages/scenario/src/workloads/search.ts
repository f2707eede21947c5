/** Clients that search. */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { Operation } from "../history.ts";
import { jsonObject, must, or, text } from "../shape.ts";
import { anyNodeOf, ask, clientKeys, runClients } from "./clients.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

export interface Search extends Clients {
  readonly kind: "search";
  readonly index: string;
  readonly body: JsonObject;
}

export const search: WorkloadRow<Search> = {
  says: "Searches, and remembers what was found.",
  keys: {
    index: must(text, "where to search"),
    body: or(jsonObject, {}, "the search; everything when it is not said"),
    ...clientKeys,
  },
  run: (workload, run) =>
    runClients(workload, run, async (worker) => {
      const { index, timeoutMs } = workload;
      const uri = `/${index}/_search`;
      const request = { method: "POST", uri, body: JSON.stringify(workload.body), timeoutMs };
      const planned = [{ kind: "search", index, operation: `POST ${uri}` } as const];
      const node = anyNodeOf(workload, worker);
      const { answer, operations } = await ask(worker, node, request, planned);
      const [operation] = operations;
      if (operation === undefined || answer === undefined) return;
      operation.status = answer.status;
      operation.outcome = answer.status < 300 ? "ok" : "failed";
      if (answer.status < 300) rememberHits(operation, answer.body);
    }),
};

function rememberHits(operation: Operation, body: Json): void {
  const found = isJsonObject(body) ? body["hits"] : undefined;
  if (!isJsonObject(found)) return;
  const total = isJsonObject(found["total"]) ? found["total"]["value"] : undefined;
  if (typeof total === "number") operation.total = total;
  const { hits } = found;
  if (!Array.isArray(hits)) return;
  operation.hits = (hits as readonly Json[]).filter(isJsonObject).map((hit) => ({
    document: String(hit["_id"]),
    value: isJsonObject(hit["_source"]) ? (hit["_source"]["value"] ?? null) : null,
  }));
}
