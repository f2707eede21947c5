/** A cluster in virtual time for tests that speak REST to it, lose nodes, and look at disks. */
import { coreProduct, type Product } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import { createSimulation, type RecordedEvent, type Simulation } from "@orrery/simulator";
import { expect } from "vitest";

export interface SimulatedCluster {
  readonly simulation: Simulation;
  readonly events: readonly RecordedEvent[];
  start(name: string, settings?: Record<string, string>): void;
  /** Runs until it holds; fails when it does not within so much virtual time. */
  until(reached: () => boolean, withinMs?: number): Promise<void>;
  run(forMs: number): Promise<void>;
  /** `GET /_search`, at this node; a text is the body as it is. */
  ask(node: string, request: string, body?: unknown): Promise<Told>;
  /** The same without waiting; ends when the cluster runs on. */
  begin(node: string, request: string, body?: unknown): Promise<Told>;
  /** As `begin`, with a body that is sent as it is. */
  send(node: string, request: string, body: string): Promise<Told>;
  /** Every one of these, and nobody else, is in the cluster, as each of them sees it. */
  isFormed(names: readonly string[]): boolean;
}

export interface Told {
  readonly status: number;
  readonly text: string;
  // Whatever the operation answers: tests look at what they know to be there.
  readonly json: Record<string, never>;
}

function textOf(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

const patienceMs = 120_000;

export function simulatedCluster(
  seed: number,
  names: readonly string[],
  settingsOf: (name: string) => Record<string, string> = () => ({}),
  product: Product = coreProduct,
): SimulatedCluster {
  const events: RecordedEvent[] = [];
  const simulation = createSimulation({
    seed,
    product,
    onEvent: (event) => void events.push(event),
  });
  const { queue } = simulation;

  const until = async (reached: () => boolean, withinMs = patienceMs): Promise<void> => {
    await queue.run(queue.nowMs + withinMs, reached);
    expect(reached(), "it was not reached in time").toBe(true);
  };

  const begin = (node: string, request: string, body?: unknown): Promise<Told> =>
    send(node, request, textOf(body));

  const send = async (node: string, request: string, body: string): Promise<Told> => {
    const cluster = simulation.cluster(node);
    if (cluster === undefined) throw new Error(`${node} is down`);
    const [method = "", uri = ""] = request.split(" ", 2);
    const response = await dispatch(
      {
        method,
        uri,
        headers: body === "" ? {} : { "content-type": "application/json" },
        body: Buffer.from(body),
      },
      cluster,
    );
    const text = Buffer.concat(response.body).toString();
    const isJson = text.startsWith("{");
    return { status: response.status, text, json: isJson ? JSON.parse(text) : {} };
  };

  return {
    simulation,
    events,
    until,
    begin,
    send,
    run: (forMs) => queue.run(queue.nowMs + forMs, () => false),
    start(name, settings = {}) {
      void simulation.start({
        name,
        clusterName: "test",
        httpAddress: `${name}:9200`,
        hostAddress: "127.0.0.1",
        hostName: name,
        settings: {
          "discovery.seed_hosts": [...names],
          "cluster.initial_cluster_manager_nodes": [names[0] ?? ""],
          ...settingsOf(name),
          ...settings,
        },
      });
    },
    async ask(node, request, body) {
      let told: Told | undefined;
      let failure: unknown;
      begin(node, request, body).then(
        (answer) => (told = answer),
        (error: unknown) => (failure = error),
      );
      await until(() => told !== undefined || failure !== undefined);
      if (told === undefined) throw failure;
      return told;
    },
    isFormed: (wanted) =>
      wanted.every((name) => {
        const state = simulation.cluster(name)?.state();
        return (
          state?.managerNodeId !== undefined &&
          state.nodes.size === wanted.length &&
          state.blocks.global.length === 0
        );
      }),
  };
}
