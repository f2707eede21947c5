/**
 * Session over HTTP: requests byte for byte to the last node of a cluster of processes. Each node must survive, answer
 * health requests in time, and return to its earlier memory.
 */
import { startLiveCluster } from "../live-cluster.ts";
import type { Outcome, Session, SessionOptions } from "../target.ts";
import { memoryFinding, mostBytes } from "../memory.ts";
import { createFixture } from "./fixture.ts";
import {
  answerOne,
  askHealth,
  askOf,
  complaintOf,
  createLiveWorld,
  checkWorld,
  unresponsiveNode,
  send,
  termsOf,
  type LiveWorld,
} from "./live-world.ts";
import type { HttpCase } from "./request.ts";
import { createTogether } from "./together.ts";
import { warmUp } from "./warm-up.ts";

const LOOK_EVERY = 20;
/** Wait for memory to be released, with health requests meanwhile: an idle process does not collect garbage. */
const MEMORY = { waitMs: 30_000, requests: 200 };

export async function openLive(options: SessionOptions): Promise<Session<HttpCase>> {
  const { nodes } = options;
  const cluster = await startLiveCluster(options);
  const world = createLiveWorld(cluster);
  const { repositories } = cluster;
  await createFixture(askOf(world), { nodes, repositories, known: world.known });
  await warmUp(world);
  cluster.takeErrors();
  const terms = await termsOf(world);
  const beforeBytes = cluster.residentBytes();
  const together = createTogether({ world, options, terms, beforeBytes });
  let count = 0;
  return {
    ...together,
    run: async (given) => {
      count += 1;
      const outcome = await runAlone(world, given);
      if (outcome.finding !== undefined || outcome.isSpent === true) return outcome;
      const isHeavy = cluster.residentBytes() > mostBytes(beforeBytes, nodes);
      if (isHeavy) return memoryOutcome(world, beforeBytes);
      return count % LOOK_EVERY === 0 ? checkWorld(world, terms) : outcome;
    },
    close: async () => {
      await together.stop();
      await cluster.stop();
    },
  };
}

/** Runs one case; later findings belong to it. */
async function runAlone(world: LiveWorld, given: HttpCase): Promise<Outcome> {
  const finding = await answerOne(world, given);
  const fallen =
    complaintOf(world.cluster) ?? (await unresponsiveNode(world)) ?? complaintOf(world.cluster);
  if (fallen !== undefined) return { finding: fallen, isSpent: true };
  if (finding === undefined) return {};
  return { finding, isSpent: finding.cause === "hang" };
}

/** Finding about memory that is not released in time. */
async function memoryOutcome(world: LiveWorld, beforeBytes: number): Promise<Outcome> {
  const { cluster, ports } = world;
  const untilMs = performance.now() + MEMORY.waitMs;
  const judge = () => memoryFinding(beforeBytes, cluster.residentBytes(), ports.length);
  while (judge() !== undefined && performance.now() < untilMs) {
    for (const port of ports) {
      for (let i = 0; i < MEMORY.requests; i += 1) await send(world, port, askHealth);
    }
  }
  const finding = judge();
  return finding === undefined ? {} : { finding, isSpent: true };
}
