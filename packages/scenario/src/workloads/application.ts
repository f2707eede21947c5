/**
 * Clients that behave like applications: bursts and think time, generated ids, external versions, and retries at
 * another node.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { contentOf, type Operation } from "../history.ts";
import { flag, integer, must, oneOf, or, text } from "../shape.ts";
import type { ClientAnswer, ClientRequest } from "../world.ts";
import {
  anyNodeOf,
  ask,
  clientKeys,
  drawClients,
  isDocumentMissing,
  judge,
  rememberPosition,
  runClients,
  type Worker,
} from "./clients.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

export interface Application extends Clients {
  readonly kind: "application";
  readonly index: string;
  /** Target of the writes; a data stream accepts new documents only. */
  readonly to: "index" | "data-stream";
  /** Number of documents with external versions, which the application counts. */
  readonly versioned: number;
  readonly burst: number;
  readonly retries: number;
  readonly retryTimeouts: boolean;
}

export const application: WorkloadRow<Application> = {
  says: "Sends requests as applications do through an official client: bursts with think time; documents without ids, with ids that must be new, and with external versions; deletes and reads. An attempt that receives 429, 502, 503 or 504, or loses its connection, is retried at the next node.",
  keys: {
    index: must(text, "target of the requests: an index, an alias or a data stream"),
    to: or(
      oneOf("target", () => ["index", "data-stream"] as const),
      "index",
      "kind of the target: a data stream accepts new documents only",
    ),
    versioned: or(integer(1, 100_000), 8, "number of documents with external versions"),
    burst: or(integer(1, 1000), 4, "largest number of requests without a pause"),
    retries: or(integer(0, 100), 3, "number of retries"),
    retryTimeouts: or(flag, false, "an attempt that timed out is retried as well"),
    ...clientKeys,
  },
  writes: () => true,
  draw: (scene) => ({
    kind: "application",
    index: scene.index().name,
    to: "index",
    versioned: scene.ms(1, 16),
    burst: scene.ms(1, 16),
    retries: scene.random.int(0, 4),
    retryTimeouts: scene.chance(500),
    ...drawClients(scene),
  }),
  run: (workload, run) => {
    const versions = { last: 0 };
    return runClients(workload, run, async (worker, turn) => {
      const requests = worker.random.int(1, workload.burst);
      for (let i = 0; i < requests && !run.isOver(); i += 1)
        await carryOut(workload, worker, plan(workload, worker, `${turn}-${i}`, versions));
    });
  },
};

interface Planned {
  readonly method: string;
  readonly path: string;
  readonly kind: Operation["kind"];
  /** Document id; `undefined`: the cluster generates one. */
  readonly document?: string;
  readonly writes?: true;
}

/**
 * Plans a request. `number` is the number of the request; versions count across all clients, so that a late attempt
 * carries an outdated version.
 */
function plan(
  { index, to, versioned }: Application,
  { random, number, run }: Worker,
  turn: string,
  versions: { last: number },
): Planned {
  const choice = random.int(0, 99);
  const own = `${run.name}-${number}-${turn}`;
  if (choice < 40) return { method: "POST", path: `/${index}/_doc`, kind: "create", writes: true };
  if (choice < 60 || to === "data-stream") {
    const path = `/${index}/_create/${own}`;
    return { method: "PUT", path, kind: "create", document: own, writes: true };
  }
  const document = `${run.name}-versioned-${random.int(0, versioned - 1)}`;
  const path = `/${index}/_doc/${document}`;
  if (choice < 75) return { method: "GET", path, kind: "get", document };
  versions.last += 1;
  const versionedPath = `${path}?version_type=external&version=${versions.last}`;
  if (choice < 85) return { method: "DELETE", path: versionedPath, kind: "delete", document };
  return { method: "PUT", path: versionedPath, kind: "index", document, writes: true };
}

/**
 * Sends a request and its retries. Each attempt is an operation with its own value, so that every stored document
 * identifies its attempt.
 */
async function carryOut(workload: Application, worker: Worker, planned: Planned): Promise<void> {
  const { run, client } = worker;
  const { world } = run;
  const nodes = world.nodes(workload.cluster ?? world.clusterOf(world.nodes()[0] ?? ""));
  const prefix = world.random(`values of ${client.name}`).int(1, CLIENT_REQUESTS);
  const first = nodes.indexOf(anyNodeOf(workload, worker));
  for (let attempt = 0; attempt <= workload.retries; attempt += 1) {
    const { method, path, kind, document, writes } = planned;
    const value = prefix * CLIENT_REQUESTS + client.next;
    const source = { value, "@timestamp": Math.floor(world.nowMs()) };
    const request: ClientRequest = {
      method,
      uri: path,
      timeoutMs: workload.timeoutMs,
      ...(writes === undefined ? {} : { body: JSON.stringify(source) }),
    };
    const node = nodes[(first + attempt) % nodes.length] ?? "";
    const { answer, operations } = await ask(worker, node, request, [
      {
        kind,
        index: workload.index,
        ...(document === undefined ? { hasAutoId: true as const } : { document }),
        ...(writes === undefined ? {} : { wrote: value }),
      },
    ]);
    const [operation] = operations;
    if (operation === undefined) throw new Error("one request is one operation");
    if (answer !== undefined) remember(operation, answer);
    if (!isTriedAgain(workload, answer, world.nowMs() - operation.invokedMs) || run.isOver())
      return;
    if (answer?.status === 429) await world.sleep(workload.everyMs * 2 ** attempt);
  }
}

/**
 * Bound of the requests of one client, so that values of different clients differ; values are numbers, as in other
 * workloads.
 */
const CLIENT_REQUESTS = 2 ** 24;

function remember(operation: Operation, answer: ClientAnswer): void {
  judge(operation, answer);
  rememberPosition(operation, answer.body);
  if (operation.kind === "get" && operation.outcome === "ok")
    operation.read = isDocumentMissing(answer) ? null : sourceOf(answer.body);
}

function sourceOf(body: Json): Json {
  return (isJsonObject(body) ? contentOf(body["_source"]) : undefined) ?? null;
}

/** Retry rule of the official clients: after a lost connection, and on statuses that another node may answer better. */
function isTriedAgain(
  { retryTimeouts, timeoutMs }: Application,
  answer: ClientAnswer | undefined,
  tookMs: number,
): boolean {
  if (answer === undefined) return retryTimeouts || tookMs < timeoutMs;
  return TRIED_AGAIN.has(answer.status);
}

const TRIED_AGAIN = new Set([429, 502, 503, 504]);
