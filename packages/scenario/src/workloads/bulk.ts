/** Clients that write batches of documents with distinct ids, through each node in turn. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { integer, must, oneOf, or, text } from "../shape.ts";
import {
  anyNodeOf,
  ask,
  clientKeys,
  drawClients,
  judge,
  rememberPosition,
  runClients,
} from "./clients.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

export interface Bulk extends Clients {
  readonly kind: "bulk";
  readonly index: string;
  /** Documents in one request. */
  readonly documents: number;
  readonly ids: "named" | "automatic";
  /**
   * `refresh` parameter: whether the answer waits until searches find the documents, and whether the request forces a
   * refresh.
   */
  readonly refresh: "none" | "wait_for" | "true";
}

export const bulk: WorkloadRow<Bulk> = {
  says: "Writes batches of new documents with distinct ids.",
  keys: {
    index: must(text, "index that is written"),
    documents: or(integer(1, 10_000), 10, "documents in one request"),
    ids: or(
      oneOf("way to make ids", () => ["named", "automatic"] as const),
      "named",
      "whether clients choose the ids, or the cluster generates them",
    ),
    refresh: or(
      oneOf("kind of refresh", () => ["none", "wait_for", "true"] as const),
      "none",
      "`refresh` parameter of each request: answered when searches find its documents, after the next refresh or a forced one",
    ),
    ...clientKeys,
  },
  writes: () => true,
  draw: (scene) => ({
    kind: "bulk",
    index: scene.index().name,
    documents: scene.ms(1, 8),
    ids: scene.chance(300) ? "automatic" : "named",
    refresh: scene.random.pick(["none", "none", "wait_for", "true"] as const),
    ...drawClients(scene),
  }),
  run: (workload, run) =>
    runClients(workload, run, async (worker, batch) => {
      const { client, number, random } = worker;
      const { index, refresh } = workload;
      const node = anyNodeOf(workload, worker);
      const isNamed = workload.ids === "named";
      const documents = Array.from({ length: workload.documents }, (_, i) => {
        const id = `${run.name}-${number}-${batch}-${i}`;
        // A document without an id is identified by its value.
        return { id, value: isNamed ? random.int(0, 1_000_000) : id };
      });
      const lines = documents.flatMap(({ id, value }) => [
        JSON.stringify({ index: isNamed ? { _id: id } : {} }),
        JSON.stringify({ client: client.name, value, text: `batch ${batch} of ${client.name}` }),
      ]);
      const request = {
        method: "POST",
        uri: `/${index}/_bulk${refresh === "none" ? "" : `?refresh=${refresh}`}`,
        body: `${lines.join("\n")}\n`,
        timeoutMs: workload.timeoutMs,
      };
      const planned = documents.map(
        ({ id, value }) =>
          ({
            kind: "index",
            index,
            wrote: value,
            ...(refresh === "none" ? {} : { refresh }),
            ...(isNamed ? { document: id } : { hasAutoId: true as const }),
          }) as const,
      );
      const { answer, operations } = await ask(worker, node, request, planned);
      if (answer === undefined) return;
      const items = isJsonObject(answer.body) ? answer.body["items"] : undefined;
      operations.forEach((operation, i) => {
        const item = Array.isArray(items) ? resultOf(items[i] as Json) : undefined;
        const status = item?.status ?? (answer.status < 300 ? 500 : answer.status);
        judge(operation, { ...answer, status, body: item?.body ?? null });
        rememberPosition(operation, item?.body);
      });
    }),
};

function resultOf(item: Json | undefined): { readonly status: number; readonly body: Json } {
  const body = isJsonObject(item) ? (Object.values(item)[0] ?? null) : null;
  const status = isJsonObject(body) ? body["status"] : undefined;
  return { status: typeof status === "number" ? status : 500, body };
}
