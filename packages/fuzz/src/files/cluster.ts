/**
 * Simulated cluster for targets that damage files: nodes that stop and start, and requests that are followed until they
 * are answered.
 */
import { dispatch } from "@orrery/rest";
import { createSimulation, type Simulation } from "@orrery/simulator";
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";

/** Longer than every default time-out of a request. */
const PATIENCE_MS = 200_000;
const MOST_EVENTS = 2_000_000;

export interface Answer {
  /** HTTP status; 0: no answer in time. */
  readonly status: number;
  readonly body: JsonObject;
  readonly text: string;
}

export interface FileCluster {
  readonly simulation: Simulation;
  readonly nodes: readonly string[];
  /** Starts a node; `undefined` on success, otherwise the error. */
  start(name: string): Promise<string | undefined>;
  ask(method: string, uri: string, body?: Json, node?: string): Promise<Answer>;
  /** Advances virtual time until the condition holds; false if it does not within `forMs`. */
  until(forMs: number, reached: () => boolean): Promise<boolean>;
  isGreen(): boolean;
}

export async function createFileCluster(seed: number, count: number): Promise<FileCluster> {
  const simulation = createSimulation({ seed });
  const nodes = Array.from({ length: count }, (_, i) => `node-${i + 1}`);
  const { queue } = simulation;

  const until = async (forMs: number, reached: () => boolean): Promise<boolean> => {
    const mostEvents = queue.executed + MOST_EVENTS;
    await queue.run(queue.nowMs + forMs, () => reached() || queue.executed > mostEvents);
    return reached();
  };

  const start = async (name: string): Promise<string | undefined> => {
    let outcome: { readonly reason?: string } | undefined;
    simulation
      .start({
        name,
        clusterName: "fuzz",
        httpAddress: `${name}:9200`,
        hostAddress: "127.0.0.1",
        hostName: name,
        settings: {
          "discovery.seed_hosts": nodes,
          "cluster.initial_cluster_manager_nodes": ["node-1"],
          "path.repo": ["/repositories"],
        },
      })
      .then(
        () => (outcome = {}),
        (error: unknown) => (outcome = { reason: String(error) }),
      );
    await until(60_000, () => outcome !== undefined);
    return outcome === undefined ? "it does not end to start" : outcome.reason;
  };

  const isGreen = (): boolean =>
    nodes.every((name) => {
      const state = simulation.cluster(name)?.state();
      if (state?.managerNodeId === undefined || state.nodes.size < count) return false;
      const copies = [...state.routingTable.values()].flatMap(({ shards }) => shards.flat());
      return state.blocks.global.length === 0 && copies.every((copy) => copy.state === "STARTED");
    });

  const ask: FileCluster["ask"] = async (method, uri, body, node = nodes[0] ?? "") => {
    const cluster = simulation.cluster(node);
    if (cluster === undefined) return { status: 0, body: {}, text: "the node is down" };
    let settled: { readonly status: number; readonly text: string } | undefined;
    const isEmpty = body === undefined;
    dispatch(
      {
        method,
        uri,
        headers: isEmpty ? {} : { "content-type": "application/json" },
        body: isEmpty ? new Uint8Array(0) : Buffer.from(JSON.stringify(body)),
        onClose: () => undefined,
      },
      cluster,
    ).then(
      (answer) =>
        (settled = { status: answer.status, text: Buffer.concat(answer.body).toString() }),
      (error: unknown) => (settled = { status: 500, text: `thrown: ${String(error)}` }),
    );
    await until(PATIENCE_MS, () => settled !== undefined);
    if (settled === undefined) return { status: 0, body: {}, text: "no answer" };
    const { status, text } = settled;
    const parsed = text.startsWith("{") ? (JSON.parse(text) as Json) : {};
    return { status, text, body: isJsonObject(parsed) ? parsed : {} };
  };

  for (const name of nodes) await start(name);
  const cluster: FileCluster = { simulation, nodes, start, ask, until, isGreen };
  await until(60_000, isGreen);
  return cluster;
}

/** Throws unless the answer is a success: a failing preparation is a bug of the fuzzer. */
export async function must(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer;
  if (status < 200 || status > 299) throw new Error(`${status}: ${text.slice(0, 300)}`);
  return answer;
}
