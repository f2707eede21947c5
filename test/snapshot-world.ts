/** A simulated cluster with a repository, for tests that take machines away while snapshots are made, deleted and restored. */
import type { Product } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import { createSimulation, type Simulation } from "@orrery/simulator";
import type { Json } from "@orrery/stdx";

export const repositoryFolder = "/repositories/r";

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export interface SnapshotWorld {
  readonly simulation: Simulation;
  readonly nodes: readonly string[];
  /** Sent again to any node that is up until some node answers and does not say 503. */
  ask(method: string, uri: string, body?: Json): Promise<Answer>;
  /** Sent once to one node; nothing when that dies before it answers. */
  tell(node: string, method: string, uri: string, body?: Json): Promise<Answer | undefined>;
  sleep(ms: number): Promise<void>;
  start(node: string, settings?: Readonly<Record<string, string>>): void;
  /** The name of the node that most believe to be elected. */
  elected(): string | undefined;
}

export interface SnapshotWorldOptions {
  /** Of virtual time. */
  readonly patienceMs?: number;
  /** Default: the product without plugins. */
  readonly product?: Product;
}

const nodes = ["node-1", "node-2", "node-3"];

/** Runs a body in virtual time on three nodes that have found each other. Throws when it does not end in time. */
export async function inSnapshotWorld(
  seed: number,
  body: (world: SnapshotWorld) => Promise<void>,
  { patienceMs = 30 * 60_000, ...parts }: SnapshotWorldOptions = {},
): Promise<string> {
  const simulation = createSimulation({ seed, ...parts });
  const { queue } = simulation;
  const world = createWorld(simulation);
  for (const node of nodes) world.start(node);
  let outcome: { readonly error?: unknown } | undefined;
  const formed = (): boolean =>
    nodes.every((node) => {
      const state = simulation.cluster(node)?.state();
      return (
        state?.managerNodeId !== undefined &&
        state.nodes.size === nodes.length &&
        state.blocks.global.length === 0
      );
    });
  await queue.run(120_000, formed);
  body(world).then(
    () => {
      outcome = {};
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  await queue.run(queue.nowMs + patienceMs, () => outcome !== undefined);
  simulation.end();
  if (outcome === undefined) throw new Error(`SEED=${seed}: it never ended`);
  if ("error" in outcome) {
    if (outcome.error instanceof Error)
      outcome.error.message = `SEED=${seed}: ${outcome.error.message}`;
    throw outcome.error;
  }
  return simulation.recorder.hash;
}

function createWorld(simulation: Simulation): SnapshotWorld {
  const { queue } = simulation;
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      queue.schedule(ms, resolve);
    });

  const tell: SnapshotWorld["tell"] = async (node, method, uri, body) => {
    const cluster = simulation.cluster(node);
    if (cluster === undefined) return undefined;
    const bytes = Buffer.from(textOf(body));
    const headers = bytes.length === 0 ? {} : { "content-type": "application/json" };
    const answered = dispatch({ method, uri, headers, body: bytes }, cluster);
    const answer = await simulation.untilDown(node, answered);
    if (answer === undefined) return undefined;
    const text = Buffer.concat(answer.body).toString();
    return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as Json) };
  };

  return {
    simulation,
    nodes,
    sleep,
    tell,
    async ask(method, uri, body) {
      for (let turn = 0; ; turn += 1) {
        const up = nodes.filter((node) => simulation.cluster(node) !== undefined);
        const node = up[turn % Math.max(1, up.length)];
        const answer = node === undefined ? undefined : await tell(node, method, uri, body);
        if (answer !== undefined && answer.status !== 503) return answer;
        await sleep(200);
      }
    },
    start(node, settings = {}) {
      void simulation.start({
        name: node,
        clusterName: "snapshots",
        httpAddress: `${node}:9200`,
        hostAddress: "127.0.0.1",
        hostName: node,
        settings: {
          "discovery.seed_hosts": nodes,
          "cluster.initial_cluster_manager_nodes": ["node-1"],
          "path.repo": "/repositories",
          ...settings,
        },
      });
    },
    elected() {
      const votes = new Map<string, number>();
      for (const node of nodes) {
        const state = simulation.cluster(node)?.state();
        const id = state?.managerNodeId;
        const name = id === undefined ? undefined : state?.nodes.get(id)?.name;
        if (name !== undefined) votes.set(name, (votes.get(name) ?? 0) + 1);
      }
      return [...votes].toSorted((a, b) => b[1] - a[1])[0]?.[0];
    },
  };
}

/** A list of lines is NDJSON. */
function textOf(body: Json | undefined): string {
  if (body === undefined) return "";
  if (Array.isArray(body)) return body.map((line) => `${JSON.stringify(line)}\n`).join("");
  return JSON.stringify(body);
}
