/** A simulated world of the lab for tests of checkers: its nodes are started by the test, and stories run in virtual time. */
import {
  createSimulatedWorld,
  createWatchers,
  newClient,
  type Plan,
  type World,
} from "@orrery/scenario";
import { createSimulation } from "@orrery/simulator";
import { isJsonObject } from "@orrery/stdx";

export interface LabWorld {
  readonly world: World;
  /** Runs virtual time until the story has ended. */
  tell<T>(story: () => Promise<T>): Promise<T>;
  startAll(): Promise<void>;
  /** All nodes are in their clusters, and all copies are started. */
  untilGreen(): Promise<void>;
}

export function createLabWorld(plan: Plan): LabWorld {
  const watchers = createWatchers();
  const simulation = createSimulation({
    seed: 1,
    onEvent: watchers.hear,
    isHeard: watchers.isHeard,
  });
  const world = createSimulatedWorld(simulation, plan, watchers);
  const client = newClient("test");
  const isGreen = async (cluster: string): Promise<boolean> => {
    const [first = ""] = world.nodes(cluster);
    const uri = "/_cluster/health";
    const answer = await world.request(client, first, { method: "GET", uri, timeoutMs: 30_000 });
    const { status, number_of_nodes: nodes } = isJsonObject(answer?.body) ? answer.body : {};
    return status === "green" && nodes === world.nodes(cluster).length;
  };
  return {
    world,
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
    async startAll() {
      for (const node of world.nodes()) await world.start(node);
    },
    async untilGreen() {
      for (const { name } of plan.clusters) while (!(await isGreen(name))) await world.sleep(10);
    },
  };
}
