/** Cluster of processes that receives requests byte for byte over sockets, and the judgement of one response. */
import type { LiveCluster } from "../live-cluster.ts";
import type { Finding, Outcome } from "../target.ts";
import { pattern } from "../words.ts";
import { holdsAllocation, tellsOfTime, waitsForShards } from "./time-over.ts";
import { exchange, type ExchangeEnd, type Received } from "./exchange.ts";
import { requestOf, type Ask } from "./fixture.ts";
import { judgeAnswer } from "./judge.ts";
import { asksForTime, textOfRequest, type HttpCase } from "./request.ts";
import { writeRequest } from "./wire.ts";

/**
 * Time within which a node must respond. A request that asks to wait is given up after this time without a finding. For
 * others the fuzzer waits for `PATIENCE_MS`, and a late response is a finding unless the request waits for shards.
 */
export const HANG_MS = 5000;
/** Longest wait for a response. The time exceeds every default time-out of a request. */
export const PATIENCE_MS = 65_000;

/** Health request: a node without a cluster manager must report this in time. */
export const askHealth: HttpCase = requestOf(
  "GET",
  "/_cluster/health?timeout=1s&cluster_manager_timeout=1s",
);

export interface LiveWorld {
  readonly cluster: LiveCluster;
  readonly ports: readonly number[];
  readonly known: Map<string, string>;
  /** A request since the renewal of the world may prevent the allocation of shards. */
  mayHoldShards: boolean;
}

export function createLiveWorld(cluster: LiveCluster): LiveWorld {
  const ports = cluster.nodes.map(({ http }) => Number(new URL(http).port));
  return { cluster, ports, known: new Map(), mayHoldShards: false };
}

export function send(
  { known, cluster }: LiveWorld,
  port: number,
  request: HttpCase,
  timeoutMs: number = HANG_MS,
): Promise<ExchangeEnd> {
  const isHead = request.method === "HEAD";
  const delaySince = (ms: number): number => cluster.delays.since(ms, "all");
  const bytes = writeRequest(request, known, request.wire);
  return exchange({ port, timeoutMs, isHead, delaySince, ...bytes });
}

/** Sends requests to the first node, or to the given port. */
export function askOf(world: LiveWorld, port: number = world.ports[0] ?? 0): Ask {
  return async (request) => {
    const answer = await send(world, port, request, PATIENCE_MS);
    return typeof answer === "string" ? undefined : { status: answer.status, text: textOf(answer) };
  };
}

export function textOf({ body }: Received): string {
  return Buffer.from(body).toString();
}

/** Port of the first node that knows a cluster manager; requests may have isolated the others. */
export async function memberOf(world: LiveWorld): Promise<number | undefined> {
  for (const port of world.ports) {
    const answer = await send(world, port, askHealth);
    if (typeof answer !== "string" && answer.status === 200) return port;
  }
  return undefined;
}

/** Sends a case to the last node and judges its response. The health of the nodes is judged elsewhere. */
export async function answerOne(world: LiveWorld, given: HttpCase): Promise<Finding | undefined> {
  const { cluster, ports, known } = world;
  const sent = textOfRequest(given, known);
  const mayWait = asksForTime(sent) || given.wire !== undefined;
  world.mayHoldShards ||= holdsAllocation(given.method, sent);
  const startedMs = performance.now();
  const answer = await send(world, ports.at(-1) ?? 0, given, mayWait ? HANG_MS : PATIENCE_MS);
  const waitedMs = performance.now() - startedMs;
  const isHeld = world.mayHoldShards && waitsForShards(given.method);
  const isSlow = waitedMs > HANG_MS && !mayWait && !isHeld;
  const tookMs = isSlow ? Math.round(waitedMs - cluster.delays.since(startedMs, "all")) : 0;
  if (answer === "silent")
    return mayWait ? undefined : { cause: "hang", detail: `no answer in ${PATIENCE_MS} ms` };
  if (answer === "garbage")
    return { cause: "http: no answer that is HTTP", detail: given.wire?.kind ?? "" };
  if (answer === "closed") {
    if (given.wire !== undefined) return undefined;
    return { cause: "http: closed without an answer", detail: given.method };
  }
  if (tookMs > HANG_MS && !tellsOfTime(given.uri, answer.status, textOf(answer)))
    return { cause: "hang", detail: `an answer after ${tookMs} ms: ${answer.status}` };
  const { method } = given;
  // A GET shows the body that HEAD omits.
  if (method === "HEAD" && answer.status >= 500)
    return answerOne(world, { ...given, method: "GET" });
  return judgeAnswer({ method, sent, ...answer });
}

/** Finding about a node that has ended, or logged an error. */
export function complaintOf(cluster: LiveCluster): Finding | undefined {
  const lines = cluster.takeErrors();
  const dead = cluster.dead();
  if (dead.length > 0)
    return {
      cause: `crash: node: ${pattern(wordsOf(lines))}`,
      detail: `${dead.join()}: ${lines.join(" ").slice(0, 500)}`,
    };
  const error = lines.findIndex((line) => line.includes("[ERROR]"));
  if (error < 0) return undefined;
  const about = lines.slice(error, error + 6);
  return { cause: `log: ${pattern(wordsOf(about))}`, detail: about.join(" ").slice(0, 500) };
}

/** True for a response that only repeats what its node logs; the log entry is a finding of its own. */
export function isExplainedByLog({ cause }: Finding): boolean {
  return cause.includes("the log of the node tells more");
}

function wordsOf(lines: readonly string[]): string {
  const all = lines.join("\n");
  return (
    /[A-Z]\w*Error: [^\n]*/.exec(all)?.[0] ?? lines.at(0)?.replace(/^(?:\[[^\]]*\]\s*)*/, "") ?? ""
  );
}

/** Finding about a node that does not answer a health request in time; all are asked at once. */
export async function unresponsiveNode(world: LiveWorld): Promise<Finding | undefined> {
  const answers = await Promise.all(world.ports.map((port) => send(world, port, askHealth)));
  const mute = answers.findIndex((answer) => typeof answer === "string");
  if (mute < 0) return undefined;
  return {
    cause: "hang: health",
    detail: `node ${mute + 1}: health is ${String(answers[mute])} after ${HANG_MS} ms`,
  };
}

/** Primary terms of the index of the checks, as text for comparison. */
export async function termsOf(world: LiveWorld): Promise<string> {
  const path = "metadata.indices.untouched.primary_terms";
  const answer = await send(
    world,
    world.ports[0] ?? 0,
    requestOf("GET", `/_cluster/state/metadata/untouched?filter_path=${path}`),
  );
  return typeof answer === "string" ? answer : textOf(answer);
}

/**
 * Checks the world after requests. Findings: a node that does not answer, a silent index `untouched` (which no request
 * names), and a primary term that changed. A world whose `untouched` rejects a write or a read, because requests closed
 * or blocked everything, is discarded without a finding.
 */
export async function checkWorld(world: LiveWorld, termsBefore: string): Promise<Outcome> {
  const mute = await unresponsiveNode(world);
  if (mute !== undefined) return { finding: mute, isSpent: true };
  const [port = 0] = world.ports;
  const write = await send(world, port, requestOf("PUT", "/untouched/_doc/2?timeout=2s", { a: 2 }));
  const read = await send(world, port, requestOf("GET", "/untouched/_doc/1"));
  for (const answer of [write, read]) {
    if (answer === "silent")
      return { finding: { cause: "hang", detail: "the index that is left alone" }, isSpent: true };
    if (typeof answer === "string" || answer.status >= 300) return { isSpent: true };
  }
  const terms = await termsOf(world);
  if (terms.includes("untouched") && terms !== termsBefore)
    return {
      finding: { cause: "primary term", detail: `${termsBefore} became ${terms}` },
      isSpent: true,
    };
  return {};
}
