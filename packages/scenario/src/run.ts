/**
 * One run of a scenario in the simulation: boot, workload and faults, healing, checkers, verdict.
 *
 * A run is a function of scenario, seed and program: same in, same hash out.
 */
import {
  createSimulation,
  setTraps,
  turnOfTheMachine,
  type RecordedEvent,
} from "@orrery/simulator";
import { whatIsMissing } from "./checkers/converges-to-green.ts";
import { checkers } from "./checkers/table.ts";
import { inject } from "./faults/table.ts";
import type { Scenario } from "./scenario.ts";
import { createWorld } from "./simulated-world.ts";
import { newClient, type World } from "./world.ts";
import { workloads } from "./workloads/table.ts";
import type { History } from "./workloads/workload.ts";

export interface Verdict {
  readonly verdict: "pass" | "fail";
  readonly scenario: string;
  readonly seed: number;
  /** Of every event of the trace. */
  readonly hash: string;
  readonly events: number;
  readonly virtual_ms: number;
  readonly acknowledged: number;
  /** What is wrong, and the last events before it was seen. */
  readonly failure?: string;
}

/** More virtual time than a run takes beyond what its scenario allows: what needs longer hangs. */
const PATIENCE_MS = 600_000;

export async function runScenario(
  scenario: Scenario,
  seed: number,
  onLine?: (line: string) => void,
): Promise<Verdict> {
  const watchers = scenario.checkers.flatMap((name) => checkers[name].start?.() ?? []);
  const findings: string[] = [];
  const onEvent = (event: RecordedEvent): void => {
    for (const watch of watchers) {
      const finding = watch(event);
      if (finding !== undefined) findings.push(finding);
    }
  };
  const simulation = createSimulation({ seed, onEvent, ...(onLine ? { onLine } : {}) });
  const world = createWorld(simulation, scenario);
  const history: History = { acknowledged: new Map(), requests: 0, failures: 0, unknown: 0 };
  const onStray = (error: unknown): void => void findings.push(describe(error));
  process.on("unhandledRejection", onStray);
  const patienceMs = PATIENCE_MS + scenario.runForMs;
  const removeTraps = setTraps();
  try {
    const ended = { is: false };
    const story = tell(scenario, world, history, findings).then(
      () => (ended.is = true),
      (error: unknown) => {
        findings.push(describe(error));
        ended.is = true;
      },
    );
    await simulation.queue.run(patienceMs, () => ended.is || findings.length > 0);
    if (!ended.is && findings.length === 0)
      findings.push(`the run did not end within ${patienceMs / 1000} s of virtual time`);
    if (ended.is) await story;
  } catch (error) {
    findings.push(describe(error));
  } finally {
    removeTraps();
    simulation.end();
    // What was rejected last and never handled shows now.
    await turnOfTheMachine();
    process.off("unhandledRejection", onStray);
  }
  const { recorder, queue } = simulation;
  const [failure] = findings;
  return {
    verdict: failure === undefined ? "pass" : "fail",
    scenario: scenario.name,
    seed,
    hash: recorder.hash,
    events: recorder.events,
    virtual_ms: Math.round(queue.nowMs),
    acknowledged: history.acknowledged.size,
    ...(failure === undefined
      ? {}
      : { failure: [failure, "last events:", ...recorder.tail].join("\n") }),
  };
}

async function tell(
  scenario: Scenario,
  world: World,
  history: History,
  findings: string[],
): Promise<void> {
  for (const node of world.nodes) world.start(node);
  await settled(world, scenario.convergeWithinMs);
  await createIndices(scenario, world);
  await settled(world, scenario.convergeWithinMs);
  await disturb(scenario, world, history);
  await settled(world, scenario.convergeWithinMs);
  for (const name of scenario.checkers) {
    const finding = await checkers[name].finish?.(world, scenario, history);
    if (finding !== undefined) findings.push(`${checkers[name].invariant}, ${name}: ${finding}`);
  }
}

/** Workload and faults together; both are over at the end. */
async function disturb(scenario: Scenario, world: World, history: History): Promise<void> {
  const { simulation } = world;
  let isOver = false;
  const { kind } = scenario.workload;
  const clients = workloads[kind].run(scenario.workload, world, history, () => isOver);
  for (const { fromMs, toMs, fault } of scenario.faults) {
    simulation.queue.schedule(fromMs, () => {
      const description = JSON.stringify(fault);
      simulation.record("", { kind: "fault-started", fault: fault.kind, description });
      const end = inject(fault, world);
      simulation.queue.schedule(toMs - fromMs, () => {
        end();
        simulation.record("", { kind: "fault-ended", fault: fault.kind, description });
      });
    });
  }
  await world.sleep(scenario.runForMs);
  isOver = true;
  await clients;
}

async function createIndices(scenario: Scenario, world: World): Promise<void> {
  const client = newClient("setup");
  for (const [name, { shards, replicas }] of scenario.indices) {
    const body = JSON.stringify({
      settings: { number_of_shards: shards, number_of_replicas: replicas },
    });
    const answer = await world.request(client, world.nodes[0] ?? "", {
      method: "PUT",
      uri: `/${name}`,
      body,
      timeoutMs: 30_000,
    });
    if (answer?.status !== 200)
      throw new Error(`cannot create [${name}]: ${JSON.stringify(answer?.body ?? "no answer")}`);
  }
}

const LOOK_EVERY_MS = 100;

/** Waits for every node and every copy, as long as the scenario allows; what is missing then is a checker's to tell. */
async function settled(world: World, withinMs: number): Promise<void> {
  for (let waited = 0; waited < withinMs; waited += LOOK_EVERY_MS) {
    if (whatIsMissing(world) === undefined) return;
    await world.sleep(LOOK_EVERY_MS);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
