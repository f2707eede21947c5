/** A small simulated cluster for tests of checkers and faults: started, green, with one index and some documents. */
import { coreProduct, type Product } from "@orrery/node";
import { createSimulation, type RecordedEvent, type Simulation } from "@orrery/simulator";
import type { Checker } from "../src/checkers/checker.ts";
import { checkerOf, coreCheckers } from "../src/checkers/compose.ts";
import { missingPart } from "../src/checkers/converges-to-green.ts";
import { newHistory, type History, type Operation } from "../src/history.ts";
import { parseScenario, type Plan } from "../src/index.ts";
import { createSimulatedWorld } from "../src/simulated-world.ts";
import { createWatchers } from "../src/watchers.ts";
import { newClient, type World } from "../src/world.ts";

export const testScenario = `name: test/small
claim: Used by tests.
clusters: { main: { nodes: 3 } }
indices: { books: { shards: 1, replicas: 1 } }
workload: { kind: bulk, index: books, clients: 1, documents: 5, every: 50ms, timeout: 5s }
phases: { faults: 1s, converge: 60s }
checkers: [converges-to-green]
`;

export const scenario: Plan = parseScenario("test.yaml", testScenario);

export function checkerNamed(name: string): Checker {
  return checkerOf(coreCheckers, name);
}

export interface TestWorld {
  readonly world: World;
  readonly simulation: Simulation;
  readonly events: RecordedEvent[];
  readonly history: History;
  /** Runs virtual time until the story has ended. */
  tell<T>(story: () => Promise<T>): Promise<T>;
  /** Waits, in virtual time. */
  until(claim: () => boolean | Promise<boolean>): Promise<void>;
  /** Every node is in the cluster and every copy started. */
  isWhole(): Promise<boolean>;
}

export function createTestWorld(
  seed = 1,
  plan: Plan = scenario,
  product: Product = coreProduct,
): TestWorld {
  const events: RecordedEvent[] = [];
  const watchers = createWatchers();
  watchers.watch((event) => void events.push(event));
  const simulation = createSimulation({ seed, onEvent: watchers.hear, product });
  const world = createSimulatedWorld(simulation, plan, watchers);
  const history = newHistory();
  return {
    world,
    simulation,
    events,
    history,
    async tell(story) {
      let isOver = false;
      const told = story().finally(() => {
        isOver = true;
      });
      const { queue } = simulation;
      await queue.run(queue.nowMs + 600_000, () => isOver);
      if (!isOver) throw new Error("the story did not end within 600 s of virtual time");
      return told;
    },
    async until(claim) {
      while (!(await claim())) await world.sleep(10);
    },
    isWhole: async () => (await missingPart(world, plan)) === undefined,
  };
}

/** A green cluster with five documents on both copies of `books`. */
export async function startTestWorld(
  seed = 1,
  plan: Plan = scenario,
  product: Product = coreProduct,
): Promise<TestWorld> {
  const made = createTestWorld(seed, plan, product);
  const { world, history } = made;
  await made.tell(async () => {
    for (const node of world.nodes()) await world.start(node);
    await made.until(made.isWhole);
    const client = newClient("test");
    const settings = { number_of_shards: 1, number_of_replicas: 1 };
    const uri = "/books";
    const body = JSON.stringify({ settings });
    const created = await world.request(client, "node-1", {
      method: "PUT",
      uri,
      body,
      timeoutMs: 30_000,
    });
    if (created?.status !== 200) throw new Error(JSON.stringify(created));
    await made.until(made.isWhole);
    for (let value = 1; value <= 5; value += 1) {
      const id = `doc-${value}`;
      await world.request(client, "node-2", {
        method: "PUT",
        uri: `/books/_doc/${id}`,
        body: JSON.stringify({ value }),
        timeoutMs: 30_000,
      });
      history.operations.push(acknowledged(id, value));
    }
  });
  return made;
}

/** A write of a document that a client was told is done. */
export function acknowledged(document: string, value: number): Operation {
  return {
    kind: "index",
    client: "test",
    request: 1,
    node: "node-2",
    index: "books",
    document,
    invokedMs: 0,
    returnedMs: 1,
    outcome: "ok",
    wrote: value,
  };
}
