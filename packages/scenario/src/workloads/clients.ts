/** Shared part of all workloads: start and end of clients, choice of the node, interpretation of answers. */
import { appendAll, isJsonObject, type Json, type Random } from "@orrery/stdx";
import type { Scene } from "../explore/scene.ts";
import type { Operation } from "../history.ts";
import { duration, integer, may, or, type Keys } from "../shape.ts";
import { clusterName } from "../selectors.ts";
import { newClient, type Client, type ClientAnswer, type ClientRequest } from "../world.ts";
import type { Clients, Run } from "./workload.ts";

/** Keys that every workload has. */
export const clientKeys: Keys<Clients> = {
  cluster: may(clusterName, "cluster whose nodes receive the requests; default: the first"),
  clients: or(integer(1, 1000), 1, "number of clients"),
  everyMs: or(duration, 100, "pause of a client between two requests"),
  timeoutMs: or(duration, 30_000, "time-out of a request"),
  fromMs: or(duration, 0, "start of the clients"),
  forMs: may(duration, "duration; default: until the end of the phase"),
  requests: may(integer(1, 10_000_000), "number of requests after which a client stops"),
};

/** Draws a few clients, most of which work during the whole phase. */
export function drawClients(scene: Scene): Clients {
  const { disturbMs } = scene;
  const fromMs = scene.chance(700) ? 0 : scene.random.int(0, disturbMs >> 1);
  return {
    cluster: scene.clusters[0]?.name ?? "",
    clients: scene.ms(1, 3),
    everyMs: scene.ms(30, 300),
    timeoutMs: scene.chance(800) ? 5000 : 30_000,
    fromMs,
    forMs: scene.chance(700) ? disturbMs - fromMs : scene.ms(200, disturbMs - fromMs),
  };
}

/** Client of a workload. */
export interface Worker {
  readonly client: Client;
  /** Number of the client, from 0. */
  readonly number: number;
  readonly random: Random;
  readonly run: Run;
}

/** Runs the clients: each calls `turn` repeatedly, at the interval of the workload, until it returns `false`. */
export async function runClients(
  workload: Clients,
  run: Run,
  turn: (worker: Worker, turn: number) => Promise<void>,
): Promise<void> {
  const { world, isOver } = run;
  const { fromMs, forMs, requests = Number.POSITIVE_INFINITY } = workload;
  if (fromMs > 0) await world.sleep(fromMs);
  const endMs = forMs === undefined ? Number.POSITIVE_INFINITY : world.nowMs() + forMs;
  const one = async (number: number): Promise<void> => {
    const client = newClient(`${run.name}-${number + 1}`);
    const worker = { client, number, random: world.random(client.name), run };
    for (let turns = 0; turns < requests && !isOver() && world.nowMs() < endMs; turns += 1) {
      await turn(worker, turns);
      await world.sleep(workload.everyMs);
    }
  };
  await Promise.all(Array.from({ length: workload.clients }, (_, number) => one(number)));
}

/** Any node of the cluster, running or not: a client does not know. */
export function anyNodeOf({ cluster }: Clients, { random, run }: Worker): string {
  const { world } = run;
  return random.pick(world.nodes(cluster ?? world.clusterOf(world.nodes()[0] ?? "")));
}

type Planned = Omit<Operation, "client" | "request" | "node" | "invokedMs" | "outcome">;

/** Sends a request and records its operations before sending and after the answer. */
export async function ask(
  worker: Worker,
  node: string,
  request: ClientRequest,
  planned: readonly Planned[],
): Promise<{ readonly answer: ClientAnswer | undefined; readonly operations: Operation[] }> {
  const { client, run } = worker;
  const { world, history } = run;
  const invokedMs = world.nowMs();
  const operations = planned.map((plan): Operation => ({
    ...plan,
    client: client.name,
    request: client.next,
    node,
    invokedMs,
    timeoutMs: request.timeoutMs,
    outcome: "unknown",
  }));
  appendAll(history.operations, operations);
  const answer = await world.request(client, node, request);
  const endedMs = world.nowMs();
  for (const operation of operations) {
    if (answer === undefined) operation.gaveUpMs = endedMs;
    else operation.returnedMs = endedMs;
  }
  return { answer, operations };
}

/**
 * Outcome of an operation by its answer: only a rejection before any copy was touched means that nothing was executed.
 *
 * A conflict (409) is no such rejection: a coordinating node whose primary was lost retries at the next one, and may
 * conflict with its own first attempt.
 */
export function judge(operation: Operation, answer: ClientAnswer): void {
  const { status, isRefused = false } = answer;
  operation.status = status;
  if (status === CONFLICT) rememberConflict(operation, answer.body);
  if (status < 300 || isDocumentMissing(answer)) operation.outcome = "ok";
  else operation.outcome = isRefused || REFUSALS.has(status) ? "failed" : "unknown";
}

/**
 * True if the document is missing, rather than its index. A delete of a missing document counts as executed: it may be
 * a retry after the loss of a primary.
 */
export function isDocumentMissing({ status, body }: ClientAnswer): boolean {
  if (status !== 404 || !isJsonObject(body)) return false;
  return body["found"] === false || body["result"] === "not_found";
}

const CONFLICT = 409;
const foundSeqNo = /current document has seqNo \[(\d+)\]|but no document was found/;

/** Records the sequence number that a condition conflicted with, from the reason in the answer. */
function rememberConflict(operation: Operation, body: Json): void {
  const error = isJsonObject(body) ? body["error"] : undefined;
  if (!isJsonObject(error)) return;
  const { reason, index } = error;
  rememberIndex(operation, index);
  const found = foundSeqNo.exec(typeof reason === "string" ? reason : "");
  if (found !== null) operation.conflictSeqNo = Number(found[1] ?? -1);
}

const REFUSALS = new Set([400, 403, 404, 405, 429]);

/** Records `_seq_no`, `_primary_term` and `_version` of an answer about a document, and its index. */
export function rememberPosition(operation: Operation, answer: Json | undefined): void {
  if (!isJsonObject(answer)) return;
  const { _seq_no: seqNo, _primary_term: primaryTerm, _version: version } = answer;
  if (typeof seqNo === "number") operation.seqNo = seqNo;
  if (typeof primaryTerm === "number") operation.primaryTerm = primaryTerm;
  if (typeof version === "number") operation.version = version;
  if (answer["result"] === "noop") operation.isNoop = true;
  if (operation.hasAutoId === true && typeof answer["_id"] === "string")
    operation.document = answer["_id"];
  rememberIndex(operation, answer["_index"]);
}

/** Records the index behind the requested name. */
function rememberIndex(operation: Operation, index: Json | undefined): void {
  if (typeof index !== "string" || operation.index === undefined || index === operation.index)
    return;
  operation.alias = operation.index;
  operation.index = index;
}
