/**
 * A session over HTTP: requests byte for byte to the last node of a cluster of processes. Each node must live, answer its
 * health in time, and come back to the memory it had.
 */
import { startLiveCluster, type LiveCluster } from "../live-cluster.ts";
import type { Finding, Outcome, Session, SessionOptions } from "../target.ts";
import { exchange, type ExchangeEnd, type Received } from "./exchange.ts";
import { furnish, requestOf } from "./fixture.ts";
import { pattern } from "../words.ts";
import { judgeAnswer } from "./judge.ts";
import { asksForTime, textOfRequest, type HttpCase } from "./request.ts";
import { writeRequest } from "./wire.ts";

const HANG_MS = 5000;
/** Longer than every time-out that a request has by default. */
const PATIENCE_MS = 65_000;
const LOOK_EVERY = 20;

const WARM_AFTER = 60;
const MEMORY_EVERY = 190;
/** Of what a warm cluster held; with that, what a collector may leave for later. It runs when there is something to do. */
const MEMORY = { factor: 1.5, slackBytesPerNode: 200 * 1024 * 1024, waitMs: 30_000, requests: 200 };

export async function openLive(options: SessionOptions): Promise<Session<HttpCase>> {
  const cluster = await startLiveCluster(options);
  const world: LiveWorld = { cluster, ports: portsOf(cluster), known: new Map() };
  const [first = 0] = world.ports;
  const ask = async (request: HttpCase) => {
    const answer = await send(world, first, request, PATIENCE_MS);
    return typeof answer === "string" ? undefined : { status: answer.status, text: textOf(answer) };
  };
  await furnish(ask, {
    nodes: options.nodes,
    repositories: cluster.repositories,
    known: world.known,
  });
  cluster.takeErrors();
  const before = await termsOf(world);
  let count = 0;
  let warmBytes = 0;
  return {
    run: async (given) => {
      count += 1;
      const outcome = await runOne(world, given);
      if (outcome.finding !== undefined || outcome.isSpent === true) return outcome;
      if (count === WARM_AFTER) warmBytes = cluster.residentBytes();
      if (count % MEMORY_EVERY === 0) return memoryOutcome(world, warmBytes);
      return count % LOOK_EVERY === 0 ? lookAround(world, before) : outcome;
    },
    close: () => cluster.stop(),
  };
}

interface LiveWorld {
  readonly cluster: LiveCluster;
  readonly ports: readonly number[];
  readonly known: Map<string, string>;
}

function portsOf({ nodes }: LiveCluster): readonly number[] {
  return nodes.map(({ http }) => Number(new URL(http).port));
}

function send(
  { known }: LiveWorld,
  port: number,
  request: HttpCase,
  timeoutMs = HANG_MS,
): Promise<ExchangeEnd> {
  const isHead = request.method === "HEAD";
  return exchange({ port, timeoutMs, isHead, ...writeRequest(request, known, request.wire) });
}

function textOf({ body }: Received): string {
  return Buffer.from(body).toString();
}

async function runOne(world: LiveWorld, given: HttpCase): Promise<Outcome> {
  const { cluster, ports, known } = world;
  const port = ports.at(-1) ?? 0;
  const sent = textOfRequest(given, known);
  const answer = await send(world, port, given, asksForTime(sent) ? HANG_MS : PATIENCE_MS);
  const fallen = complaintOf(cluster);
  if (fallen !== undefined) return { finding: fallen, isSpent: true };
  if (answer === "silent") {
    const mute = await muteNode(world);
    if (mute !== undefined) return { finding: mute, isSpent: true };
    if (asksForTime(sent) || given.wire !== undefined) return {};
    return { finding: { cause: "hang", detail: `no answer in ${PATIENCE_MS} ms` }, isSpent: true };
  }
  if (answer === "garbage")
    return { finding: { cause: "http: no answer that is HTTP", detail: given.wire?.kind ?? "" } };
  if (answer === "closed") {
    const isExpected = given.wire !== undefined;
    return isExpected
      ? {}
      : { finding: { cause: "http: closed without an answer", detail: given.method } };
  }
  const { method } = given;
  if (method === "HEAD" && answer.status >= 500) return runOne(world, { ...given, method: "GET" });
  const finding = judgeAnswer({ method, sent, ...answer });
  return finding === undefined ? {} : { finding };
}

/** A node that is no more, or that logged an error. */
function complaintOf(cluster: LiveCluster): Finding | undefined {
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

function wordsOf(lines: readonly string[]): string {
  const all = lines.join("\n");
  return (
    /[A-Z]\w*Error: [^\n]*/.exec(all)?.[0] ?? lines.at(0)?.replace(/^(?:\[[^\]]*\]\s*)*/, "") ?? ""
  );
}

/** Memory that is not given back in time. */
async function memoryOutcome(world: LiveWorld, warmBytes: number): Promise<Outcome> {
  const { cluster, ports } = world;
  const health = requestOf("GET", "/_cluster/health?timeout=1s");
  const most = warmBytes * MEMORY.factor + MEMORY.slackBytesPerNode * cluster.nodes.length;
  const untilMs = performance.now() + MEMORY.waitMs;
  let resident = cluster.residentBytes();
  while (resident > most && performance.now() < untilMs) {
    for (const port of ports) {
      for (let i = 0; i < MEMORY.requests; i += 1) await send(world, port, health);
    }
    resident = cluster.residentBytes();
  }
  if (resident <= most) return {};
  const [held, warm] = [resident, warmBytes].map((bytes) => Math.round(bytes / 1024 ** 2));
  return {
    finding: { cause: "memory: resident", detail: `${held} MB, warm ${warm} MB` },
    isSpent: true,
  };
}

/** Health is asked of all at once: none may be silent. */
async function muteNode(world: LiveWorld): Promise<Finding | undefined> {
  const health = requestOf("GET", "/_cluster/health?timeout=1s");
  const answers = await Promise.all(world.ports.map((port) => send(world, port, health)));
  const mute = answers.findIndex((answer) => typeof answer === "string");
  if (mute < 0) return undefined;
  return {
    cause: "hang",
    detail: `node ${mute + 1}: health is ${String(answers[mute])} after ${HANG_MS} ms`,
  };
}

async function termsOf(world: LiveWorld): Promise<string> {
  const path = "metadata.indices.untouched.primary_terms";
  const answer = await send(
    world,
    world.ports[0] ?? 0,
    requestOf("GET", `/_cluster/state/metadata/untouched?filter_path=${path}`),
  );
  return typeof answer === "string" ? answer : textOf(answer);
}

/** An index that no request means is there, written and read; whatever closes or blocks all ends the session, and is no finding. */
async function lookAround(world: LiveWorld, termsBefore: string): Promise<Outcome> {
  const mute = await muteNode(world);
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
