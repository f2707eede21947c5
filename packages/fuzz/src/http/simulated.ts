/**
 * Session in the simulation: REST operations of one or three nodes in virtual time. Each request is followed until it
 * is answered and no work remains; the cluster is checked periodically.
 *
 * A stall is a response that does not arrive within a number of events or a virtual time. Logged errors, failed copies
 * and polluted prototypes are findings whatever the response was.
 */
import { dispatch, type RestResponse } from "@orrery/rest";
import { createSimulation, type RecordedEvent, type Simulation } from "@orrery/simulator";
import type { Finding, Outcome, Session, SessionOptions } from "../target.ts";
import { product } from "../product.ts";
import { createFixture, requestOf, type Answered } from "./fixture.ts";
import { pattern, placeOf } from "../words.ts";
import { judgeAnswer } from "./judge.ts";
import { openOracle } from "./oracle.ts";
import { changedPrototype } from "./prototypes.ts";
import { asksForTime, bytesOf, textOfRequest, wireUri, type HttpCase } from "./request.ts";

/** Longer than every default time-out of a request. */
const PATIENCE_MS = 150_000;
const MOST_EVENTS = 400_000;
const LOOK_EVERY = 20;
const LONGEST_EVENT_MS = 5000;

export async function openSimulated(options: SessionOptions): Promise<Session<HttpCase>> {
  const world = await createWorld(options);
  const oracle =
    options.oracle === undefined ? undefined : await openOracle(options.oracle, options.nodes);
  let count = 0;
  return {
    run: async (given) => {
      count += 1;
      const { answer, ...outcome } = await runOne(world, given);
      const unlike = answer && (await oracle?.compare(given, answer));
      if (unlike !== undefined) return { finding: unlike };
      if (outcome.finding !== undefined || outcome.isSpent === true) return outcome;
      return count % LOOK_EVERY === 0 ? checkWorld(world) : outcome;
    },
    close: async () => world.simulation.end(),
  };
}

interface SimulatedCluster {
  readonly simulation: Simulation;
  readonly nodes: readonly string[];
  /** Errors logged by nodes since the last check. */
  readonly complaints: RecordedEvent[];
  readonly known: Map<string, string>;
  /** Longest time of a single event of the previous request, during which the process was blocked. */
  longestEventMs: number;
}

async function createWorld({ nodes: count, seed }: SessionOptions): Promise<SimulatedCluster> {
  const complaints: RecordedEvent[] = [];
  const simulation = createSimulation({
    seed,
    product,
    isHeard: (kind) => kind === "log" || kind === "shard-state-changed",
    onEvent: (event) => {
      if (isComplaint(event)) complaints.push(event);
    },
  });
  const nodes = Array.from({ length: count }, (_, i) => `node-${i + 1}`);
  for (const [i, name] of nodes.entries()) {
    void simulation.start({
      name,
      clusterName: "fuzz",
      httpAddress: `${name}:9200`,
      hostAddress: "127.0.0.1",
      hostName: name,
      settings: {
        "discovery.seed_hosts": nodes,
        "cluster.initial_cluster_manager_nodes": ["node-1"],
        "node.attr.zone": `zone-${i + 1}`,
        "path.repo": ["/repositories"],
      },
    });
  }
  const world: SimulatedCluster = {
    simulation,
    nodes,
    complaints,
    known: new Map(),
    longestEventMs: 0,
  };
  await simulation.queue.run(60_000, () => isFormed(world));
  await createWorldFixture(world);
  complaints.length = 0;
  return world;
}

function isFormed({ simulation, nodes }: SimulatedCluster): boolean {
  return nodes.every((name) => {
    const state = simulation.cluster(name)?.state();
    return (
      state?.managerNodeId !== undefined &&
      state.nodes.size === nodes.length &&
      state.blocks.global.length === 0
    );
  });
}

function isComplaint(event: RecordedEvent): boolean {
  if (event.kind === "log") return event.level === "error";
  return event.kind === "shard-state-changed" && event.state === "failed";
}

async function createWorldFixture(world: SimulatedCluster): Promise<void> {
  const { simulation, nodes, known } = world;
  await createFixture(
    async (request) => {
      const answer = await ask(world, request);
      return answer && { status: answer.status, text: textOf(answer) };
    },
    { nodes: nodes.length, repositories: "/repositories", known },
  );
  for (const [i, name] of nodes.entries())
    known.set(`id-${i + 1}`, simulation.cluster(name)?.localNode.id ?? "");
}

function textOf({ body }: RestResponse): string {
  return Buffer.concat(body).toString();
}

interface JudgedOutcome extends Outcome {
  readonly answer?: Answered;
}

async function runOne(world: SimulatedCluster, given: HttpCase): Promise<JudgedOutcome> {
  const { known, complaints } = world;
  const sent = textOfRequest(given, known);
  const answer = await ask(world, given);
  const polluted = changedPrototype();
  if (polluted !== undefined)
    return { finding: { cause: `prototype: ${polluted}`, detail: polluted }, isSpent: true };
  const complaint = complaints.shift();
  complaints.length = 0;
  if (complaint !== undefined) return { finding: complained(complaint), isSpent: true };
  const { longestEventMs } = world;
  if (longestEventMs > LONGEST_EVENT_MS)
    return { finding: { cause: "hang", detail: `an event took ${Math.round(longestEventMs)} ms` } };
  if (answer === undefined) {
    if (asksForTime(sent)) return { isSpent: true };
    return { finding: { cause: "hang", detail: "no answer in virtual time" }, isSpent: true };
  }
  const { method } = given;
  // A GET shows the body that HEAD omits.
  if (method === "HEAD" && answer.status >= 500) return runOne(world, { ...given, method: "GET" });
  const finding = judgeAnswer({
    ...{ method, sent, status: answer.status },
    ...{ headers: answer.headers, body: Buffer.concat(answer.body) },
  });
  const told = { answer: { status: answer.status, text: textOf(answer) } };
  return finding === undefined ? told : { ...told, finding };
}

function complained(event: RecordedEvent): Finding {
  if (event.kind === "log") {
    const message = event.message;
    const what = /[A-Z]\w*Error: [^\n]*/.exec(message)?.[0] ?? message.split("\n")[0] ?? "";
    // The place of a stack overflow is arbitrary.
    const place = what.includes("call stack") ? "" : ` (${placeOf(message)})`;
    return {
      cause: `log: ${pattern(what)}${place}`,
      detail: message.slice(0, 500).replaceAll("\n", " "),
    };
  }
  const { reason, index, shard } = event as { reason?: string; index?: string; shard?: number };
  return {
    cause: `failed copy: ${pattern(reason ?? "")}`,
    detail: `[${index}][${shard}] ${reason}`,
  };
}

/** Sends a request; `undefined` if no response arrives in time, when the client disconnects. */
async function ask(world: SimulatedCluster, given: HttpCase): Promise<RestResponse | undefined> {
  const { simulation, known, nodes } = world;
  const { queue } = simulation;
  // The last of three nodes is not the elected one, and may hold no copy.
  const cluster = simulation.cluster(nodes.at(-1) ?? "");
  if (cluster === undefined) return undefined;
  let settled: { readonly answer?: RestResponse; readonly error?: unknown } | undefined;
  let cancel: (() => void) | undefined;
  dispatch(
    {
      method: given.method,
      uri: wireUri(given, known),
      headers: given.headers,
      body: bytesOf(given.body, known),
      onClose: (hear) => {
        cancel = hear;
      },
    },
    cluster,
  ).then(
    (answer) => (settled = { answer }),
    (error: unknown) => (settled = { error }),
  );
  const until = queue.executed + MOST_EVENTS;
  let eventMs = performance.now();
  world.longestEventMs = 0;
  await queue.run(queue.nowMs + PATIENCE_MS, () => {
    const now = performance.now();
    world.longestEventMs = Math.max(world.longestEventMs, now - eventMs);
    eventMs = now;
    return settled !== undefined || queue.executed > until;
  });
  if (settled === undefined) cancel?.();
  if (settled?.error !== undefined) throw settled.error;
  return settled?.answer;
}

/**
 * Checks that the index no request refers to still exists; if everything is closed or blocked the session ends without
 * a finding.
 */
async function checkWorld(world: SimulatedCluster): Promise<Outcome> {
  const health = await ask(world, requestOf("GET", "/_cluster/health?timeout=1s"));
  if (health === undefined)
    return { finding: { cause: "hang: health", detail: "no answer" }, isSpent: true };
  const write = await ask(world, requestOf("PUT", "/untouched/_doc/2?timeout=5s", { a: 2 }));
  const read = await ask(world, requestOf("GET", "/untouched/_doc/1"));
  const isFine = [health, write, read].every((one) => one !== undefined && one.status < 300);
  const wrong = [health, write, read].find((one) => one !== undefined && one.status === 500);
  if (wrong !== undefined)
    return {
      finding: { cause: `look: ${pattern(textOf(wrong))}`, detail: textOf(wrong) },
      isSpent: true,
    };
  return { isSpent: !isFine };
}
