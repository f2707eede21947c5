/** Clients that write batches of documents, each with an id of its own, through any node in turn. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { integer, must, or, text } from "../shape.ts";
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
  /** In one request. */
  readonly documents: number;
}

export const bulk: WorkloadRow<Bulk> = {
  says: "Writes batches of new documents, each with an id of its own.",
  keys: {
    index: must(text, "where documents go"),
    documents: or(integer(1, 10_000), 10, "documents in one request"),
    ...clientKeys,
  },
  writes: () => true,
  draw: (scene) => ({
    kind: "bulk",
    index: scene.index().name,
    documents: scene.ms(1, 8),
    ...drawClients(scene),
  }),
  run: (workload, run) =>
    runClients(workload, run, async (worker, batch) => {
      const { client, number, random } = worker;
      const { index } = workload;
      const node = anyNodeOf(workload, worker);
      const documents = Array.from({ length: workload.documents }, (_, i) => ({
        id: `${run.name}-${number}-${batch}-${i}`,
        value: random.int(0, 1_000_000),
      }));
      const lines = documents.flatMap(({ id, value }) => [
        JSON.stringify({ index: { _id: id } }),
        JSON.stringify({ client: client.name, value, text: `batch ${batch} of ${client.name}` }),
      ]);
      const request = {
        method: "POST",
        uri: `/${index}/_bulk`,
        body: `${lines.join("\n")}\n`,
        timeoutMs: workload.timeoutMs,
      };
      const planned = documents.map(
        ({ id, value }) => ({ kind: "index", index, document: id, wrote: value }) as const,
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
