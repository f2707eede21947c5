/** Clients that create one index after another, write to it while its copies are being built, refresh, and search. */
import { duration, integer, must, or, text } from "../shape.ts";
import {
  anyNodeOf,
  ask,
  clientKeys,
  drawClients,
  judge,
  rememberPosition,
  runClients,
} from "./clients.ts";
import { refreshFirst, searchOnce } from "./search.ts";
import type { Worker } from "./clients.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

export interface NewIndices extends Clients {
  readonly kind: "new-indices";
  readonly index: string;
  readonly shards: number;
  readonly replicas: number;
  /** Documents written to each index. */
  readonly documents: number;
  readonly searches: number;
  readonly pauseMs: number;
}

export const newIndices: WorkloadRow<NewIndices> = {
  says: "Creates one index after another: writes documents as soon as its primaries are active, refreshes, and searches through any node.",
  keys: {
    index: must(text, "prefix of the names of the indices"),
    shards: or(integer(1, 1024), 1, "number_of_shards"),
    replicas: or(integer(0, 100), 1, "number_of_replicas"),
    documents: or(integer(1, 10_000), 6, "documents of each index"),
    searches: or(integer(1, 1000), 8, "searches of each index, after its refresh"),
    pauseMs: or(duration, 5, "pause of a client between two steps of one index"),
    ...clientKeys,
  },
  writes: () => true,
  // Few indices: all remain until the end, and each copy must start.
  draw: (scene) => ({
    kind: "new-indices",
    index: "made",
    shards: scene.ms(1, 3),
    replicas: scene.ms(1, 2),
    documents: scene.ms(2, 12),
    searches: scene.ms(2, 8),
    pauseMs: scene.ms(1, 50),
    ...drawClients(scene),
    clients: 1,
    requests: scene.ms(1, 5),
  }),
  run: (workload, run) =>
    runClients(workload, run, async (worker, turn) => {
      const index = `${workload.index}-${worker.client.name}-${turn}`;
      if (!(await create(workload, worker, index))) return;
      for (let number = 0; number < workload.documents; number += 1) {
        await write(workload, worker, { index, document: `${number}` });
        await run.world.sleep(worker.random.int(0, workload.pauseMs));
      }
      await refreshFirst({ ...workload, index }, worker);
      for (let count = 0; count < workload.searches; count += 1) {
        await searchOnce({ ...workload, index, body: { size: workload.documents } }, worker);
        await run.world.sleep(workload.pauseMs);
      }
    }),
};

/** Creates an index. One active copy of each shard is enough to continue: the others recover meanwhile. */
async function create(workload: NewIndices, worker: Worker, index: string): Promise<boolean> {
  const { shards, replicas, timeoutMs } = workload;
  const uri = `/${index}?wait_for_active_shards=1`;
  const settings = {
    number_of_shards: shards,
    number_of_replicas: replicas,
    "index.refresh_interval": "1h",
  };
  const request = { method: "PUT", uri, body: JSON.stringify({ settings }), timeoutMs };
  const planned = [{ kind: "request", index, operation: `PUT ${uri}` } as const];
  const { answer, operations } = await ask(worker, anyNodeOf(workload, worker), request, planned);
  const [operation] = operations;
  if (operation === undefined || answer === undefined) return false;
  judge(operation, answer);
  return answer.status < 300;
}

async function write(
  workload: NewIndices,
  worker: Worker,
  { index, document }: { readonly index: string; readonly document: string },
): Promise<void> {
  const value = worker.random.int(0, 1_000_000);
  const request = {
    method: "PUT",
    uri: `/${index}/_doc/${document}`,
    body: JSON.stringify({ value }),
    timeoutMs: workload.timeoutMs,
  };
  const planned = [{ kind: "index", index, document, wrote: value } as const];
  const { answer, operations } = await ask(worker, anyNodeOf(workload, worker), request, planned);
  const [operation] = operations;
  if (operation === undefined || answer === undefined) return;
  judge(operation, answer);
  rememberPosition(operation, answer.body);
}
