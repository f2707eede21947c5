/**
 * Session of the transport target in the simulation. A visitor that is no member must not change the state, whose uuid
 * stays the same. A member may disturb, but must not end a node: an error that a node throws ends the case, and the
 * cluster must recover.
 */
import { createSimulation, createTrustModel, type Simulation } from "@orrery/simulator";
import { createRandom } from "@orrery/stdx";
import type { Outcome, Session, SessionOptions } from "../target.ts";
import { pattern, placeOf } from "../words.ts";
import { product } from "../product.ts";
import { isMember, type TransportCase } from "./case.ts";
import { visit } from "./visitor.ts";

const clusterName = "fuzz";
const MOST_EVENTS = 200_000;
const SPEAKING_MS = 5000;
const SETTLING_MS = 2000;
const RECOVERY_MS = 120_000;
const CALM_MS = 20_000;

export async function openSimulated(options: SessionOptions): Promise<Session<TransportCase>> {
  const { nodes: count, seed } = options;
  const simulation = createSimulation({ seed, product });
  const nodes = Array.from({ length: count }, (_, i) => `node-${i + 1}`);
  for (const name of nodes) {
    void simulation.start({
      ...{ name, clusterName, httpAddress: `${name}:9200` },
      ...{ hostAddress: "127.0.0.1", hostName: name },
      settings: {
        "discovery.seed_hosts": nodes,
        "cluster.initial_cluster_manager_nodes": ["node-1"],
      },
    });
  }
  const isFormed = (): boolean => stateOf(simulation, nodes) !== undefined;
  await simulation.queue.run(60_000, isFormed);
  // Initial work of a new cluster completes first.
  await simulation.queue.run(simulation.queue.nowMs + CALM_MS);
  const random = createRandom(`${seed}:visitor`);
  const world = {
    network: simulation.network.network("visitor"),
    trust: createTrustModel(String(seed), random),
    wrongTrust: createTrustModel(`${seed}, or so`, random),
    clusterName,
  };
  const runFor = async (ms: number, until: () => boolean): Promise<boolean> => {
    const { queue } = simulation;
    const most = queue.executed + MOST_EVENTS;
    await queue.run(queue.nowMs + ms, () => until() || queue.executed > most);
    return queue.executed <= most;
  };

  /** Runs a case; a simulated network has no bytes below frames, so a visitor with raw bytes only sends its frames. */
  const run = async ({ raw: _belowFrames, ...given }: TransportCase): Promise<Outcome> => {
    const before = stateOf(simulation, nodes);
    if (before === undefined) return { isSpent: true };
    const address = nodes[given.node - 1] ?? "node-1";
    const nodeId = simulation.cluster(address)?.localNode.id ?? "";
    const visiting = visit({ ...world, address, nodeId }, given);
    const isQuick =
      (await runFor(SPEAKING_MS, visiting.isOver)) && (await runFor(SETTLING_MS, () => false));
    visiting.leave();
    if (!isQuick) return spent("hang", "more events than a visit makes");
    if (isMember(given)) {
      await runFor(RECOVERY_MS, isFormed);
      await runFor(CALM_MS, () => false);
      return isFormed() ? {} : spent("member: no cluster any more", "it did not find itself again");
    }
    const after = stateOf(simulation, nodes);
    return after === before ? {} : spent(`changed by ${given.visitor}`, `${before} to ${after}`);
  };

  return {
    run: async (given) => {
      try {
        return await run(given);
      } catch (error) {
        // An error thrown in the event loop of a node is thrown by the event queue.
        const told = error instanceof Error ? error : new Error(String(error));
        return spent(`crash: ${pattern(told.message)} (${placeOf(told.stack)})`, told.stack ?? "");
      }
    },
    close: async () => simulation.end(),
  };
}

function spent(cause: string, detail: string): Outcome {
  return { finding: { cause, detail: detail.split("\n").slice(0, 4).join(" ") }, isSpent: true };
}

/** State that every node has applied; `undefined` unless all are in one cluster and have applied the same. */
function stateOf(simulation: Simulation, nodes: readonly string[]): string | undefined {
  const states = nodes.map((name) => simulation.cluster(name)?.state());
  const texts = states.map((state) =>
    state?.managerNodeId === undefined || state.nodes.size !== nodes.length
      ? undefined
      : `${state.version}/${state.stateUuid}`,
  );
  return texts.every((text) => text === texts[0]) ? texts[0] : undefined;
}
