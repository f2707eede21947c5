/** A small simulated cluster for tests of checkers and faults: started, green, with one index and some documents. */
import { createSimulation, type RecordedEvent, type Simulation } from "@orrery/simulator";
import { whatIsMissing } from "../src/checkers/converges-to-green.ts";
import { parseScenario, type Scenario } from "../src/index.ts";
import { createWorld } from "../src/simulated-world.ts";
import type { History } from "../src/workloads/workload.ts";
import { newClient, type World } from "../src/world.ts";

export const scenario: Scenario = parseScenario(
  "test.yaml",
  `name: test/small
claim: Used by tests.
indices: { books: { shards: 1, replicas: 1 } }
workload: { kind: bulk, index: books, clients: 1, documents: 5, every: 50ms, timeout: 5s }
run_for: 1s
converge_within: 60s
checkers: [converges-to-green]
`,
);

export interface TestWorld {
  readonly world: World;
  readonly simulation: Simulation;
  readonly events: RecordedEvent[];
  readonly history: History;
  /** Runs virtual time until the story has ended. */
  tell<T>(story: () => Promise<T>): Promise<T>;
  /** Waits, in virtual time. */
  until(claim: () => boolean): Promise<void>;
}

export function createTestWorld(seed = 1): TestWorld {
  const events: RecordedEvent[] = [];
  const simulation = createSimulation({ seed, onEvent: (event) => void events.push(event) });
  const world = createWorld(simulation, scenario);
  const history: History = { acknowledged: new Map(), requests: 0, failures: 0, unknown: 0 };
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
      while (!claim()) await world.sleep(10);
    },
  };
}

/** A green cluster with five documents on both copies of `books`. */
export async function startTestWorld(seed = 1): Promise<TestWorld> {
  const made = createTestWorld(seed);
  const { world, history } = made;
  await made.tell(async () => {
    for (const node of world.nodes) world.start(node);
    await made.until(() => whatIsMissing(world) === undefined);
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
    await made.until(() => whatIsMissing(world) === undefined);
    for (let value = 1; value <= 5; value += 1) {
      const id = `doc-${value}`;
      await world.request(client, "node-2", {
        method: "PUT",
        uri: `/books/_doc/${id}`,
        body: JSON.stringify({ value }),
        timeoutMs: 30_000,
      });
      history.acknowledged.set(`books/${id}`, { index: "books", id, value });
    }
  });
  return made;
}
