/**
 * A session in the simulation: the operation layer of one or three nodes in virtual time. Each request is followed until it
 * is answered and has left nothing to do; every few the cluster is looked at.
 *
 * A stall is an event that never comes: no answer in so many events or so much virtual time. Errors in a node's log, failed
 * copies and prototypes that something was added to are findings whatever the answer was.
 */
import { dispatch, type RestResponse } from "@orrery/rest";
import { createSimulation, type RecordedEvent, type Simulation } from "@orrery/simulator";
import { placeOf } from "../cell.ts";
import type { Finding, Outcome, Session, SessionOptions } from "../target.ts";
import { documents, mapping } from "./bodies.ts";
import { judgeAnswer, pattern } from "./judge.ts";
import { changedPrototype } from "./prototypes.ts";
import { bytesOf, filled, type HttpCase } from "./request.ts";

/** Longer than every time-out that a request has by default. */
const PATIENCE_MS = 150_000;
const MOST_EVENTS = 400_000;
const LOOK_EVERY = 20;

/** A request that asks for time may take it. */
const ASKS_FOR_TIME = /timeout|keep_alive|scroll|wait|delay|interval/;

export async function openSimulated(options: SessionOptions): Promise<Session<HttpCase>> {
  const world = await createWorld(options);
  let count = 0;
  return {
    run: async (given) => {
      count += 1;
      const outcome = await runOne(world, given);
      if (outcome.finding !== undefined || outcome.isSpent === true) return outcome;
      return count % LOOK_EVERY === 0 ? lookAround(world) : outcome;
    },
    close: async () => world.simulation.end(),
  };
}

interface SimulatedCluster {
  readonly simulation: Simulation;
  readonly nodes: readonly string[];
  /** What nodes complained of since the last look. */
  readonly complaints: RecordedEvent[];
  readonly known: Map<string, string>;
}

async function createWorld({ nodes: count, seed }: SessionOptions): Promise<SimulatedCluster> {
  const complaints: RecordedEvent[] = [];
  const simulation = createSimulation({
    seed,
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
  const world: SimulatedCluster = { simulation, nodes, complaints, known: new Map() };
  await simulation.queue.run(60_000, () => isFormed(world));
  await furnish(world);
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

/** What requests find: indices with documents, names that stand for others, templates, a repository, open contexts. */
async function furnish(world: SimulatedCluster): Promise<void> {
  const replicas = world.nodes.length > 1 ? 1 : 0;
  const index = {
    settings: { number_of_shards: 2, number_of_replicas: replicas },
    mappings: mapping,
  };
  const steps: readonly (readonly [method: string, uri: string, body?: object])[] = [
    ["PUT", "/books", index],
    ["PUT", "/other", { settings: { number_of_replicas: 0 } }],
    ["PUT", "/untouched", { settings: { number_of_replicas: replicas } }],
    ...documents.map(
      (one, i) => ["PUT", `/books/_doc/${i + 1}?refresh=true`, one as object] as const,
    ),
    ["PUT", "/untouched/_doc/1?refresh=true", { a: 1 }],
    ["PUT", "/books/_alias/library"],
    [
      "PUT",
      "/_component_template/part",
      { template: { mappings: { properties: { y: { type: "ip" } } } } },
    ],
    ["PUT", "/_index_template/tmpl", { index_patterns: ["tmpl-*"], composed_of: ["part"] }],
    ["PUT", "/_index_template/logs", { index_patterns: ["logs-*"], data_stream: {}, priority: 5 }],
    ["PUT", "/_data_stream/logs-x"],
    ["PUT", "/_snapshot/backup", { type: "fs", settings: { location: "/repositories/backup" } }],
    ["PUT", "/_snapshot/backup/snap?wait_for_completion=true", { indices: "books" }],
  ];
  for (const [method, uri, body] of steps) {
    const answer = await ask(world, requestOf(method, uri, body));
    if (answer === undefined || answer.status >= 300)
      throw new Error(`${method} ${uri}: ${answer === undefined ? "no answer" : textOf(answer)}`);
  }
  const scroll = await ask(world, requestOf("POST", "/books/_search?scroll=10m&size=1"));
  const pit = await ask(world, requestOf("POST", "/books/_search/point_in_time?keep_alive=10m"));
  const { _scroll_id: scrollId } = bodyOf(scroll);
  const { pit_id: pitId } = bodyOf(pit);
  world.known
    .set("scroll", String(scrollId))
    .set("pit", String(pitId))
    .set("REPO", "/repositories");
  for (const [i, name] of world.nodes.entries())
    world.known.set(`id-${i + 1}`, world.simulation.cluster(name)?.localNode.id ?? "");
}

function requestOf(method: string, uri: string, body?: object): HttpCase {
  const isEmpty = body === undefined;
  return {
    method,
    uri,
    headers: isEmpty ? {} : { "content-type": "application/json" },
    body: isEmpty ? [] : [JSON.stringify(body)],
  };
}

function bodyOf(answer: RestResponse | undefined): Record<string, unknown> {
  return answer === undefined ? {} : (JSON.parse(textOf(answer)) as Record<string, unknown>);
}

function textOf({ body }: RestResponse): string {
  return Buffer.concat(body).toString();
}

async function runOne(world: SimulatedCluster, given: HttpCase): Promise<Outcome> {
  const { known, complaints } = world;
  const sent = filled(given.uri, known) + Buffer.from(bytesOf(given.body, known)).toString();
  const answer = await ask(world, given);
  const polluted = changedPrototype();
  if (polluted !== undefined)
    return { finding: { cause: `prototype: ${polluted}`, detail: polluted }, isSpent: true };
  const complaint = complaints.shift();
  complaints.length = 0;
  if (complaint !== undefined) return { finding: complained(complaint), isSpent: true };
  if (answer === undefined) {
    if (ASKS_FOR_TIME.test(decodedOrNot(sent))) return { isSpent: true };
    return { finding: { cause: "hang", detail: "no answer in virtual time" }, isSpent: true };
  }
  const { method } = given;
  // What HEAD keeps for itself, GET tells.
  if (method === "HEAD" && answer.status >= 500) return runOne(world, { ...given, method: "GET" });
  const finding = judgeAnswer({
    ...{ method, sent: sent + decodedOrNot(sent), status: answer.status },
    ...{ headers: answer.headers, body: Buffer.concat(answer.body) },
  });
  return finding === undefined ? {} : { finding };
}

function decodedOrNot(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function complained(event: RecordedEvent): Finding {
  if (event.kind === "log") {
    const message = event.message;
    const what = /[A-Z]\w*Error: [^\n]*/.exec(message)?.[0] ?? message.split("\n")[0] ?? "";
    return {
      cause: `log: ${pattern(what)} (${placeOf(message)})`,
      detail: message.slice(0, 500).replaceAll("\n", " "),
    };
  }
  const { reason, index, shard } = event as { reason?: string; index?: string; shard?: number };
  return {
    cause: `failed copy: ${pattern(reason ?? "")}`,
    detail: `[${index}][${shard}] ${reason}`,
  };
}

/** `undefined` if there is none in time; then the client has gone. */
async function ask(
  { simulation, known, nodes }: SimulatedCluster,
  given: HttpCase,
): Promise<RestResponse | undefined> {
  const { queue } = simulation;
  // The last node: on three it is not the elected one, and may hold no copy.
  const cluster = simulation.cluster(nodes.at(-1) ?? "");
  if (cluster === undefined) return undefined;
  let settled: { readonly answer?: RestResponse; readonly error?: unknown } | undefined;
  let cancel: (() => void) | undefined;
  dispatch(
    {
      method: given.method,
      uri: filled(given.uri, known),
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
  await queue.run(queue.nowMs + PATIENCE_MS, () => settled !== undefined || queue.executed > until);
  if (settled === undefined) cancel?.();
  if (settled?.error !== undefined) throw settled.error;
  return settled?.answer;
}

/** The index that no request means is still there; whatever closes or blocks everything ends the session, and is no finding. */
async function lookAround(world: SimulatedCluster): Promise<Outcome> {
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
