/**
 * Execution of a plan in any world: boot, indices, workload with faults and timeline, healing, checkers.
 *
 * Violations are added to the findings as they are seen; the caller may stop at the first one.
 */
import { missingPart } from "./checkers/converges-to-green.ts";
import { judgesOf } from "./checkers/applying.ts";
import { partsOf } from "./checkers/checker.ts";
import type { Checkers } from "./checkers/compose.ts";
import { load } from "./datasets.ts";
import { newHistory, placed, type History } from "./history.ts";
import { indexBody } from "./index-body.ts";
import type { IndexPlan, Plan } from "./plan.ts";
import { reasonOf } from "./reasons.ts";
import { runTimeline } from "./timeline.ts";
import type { Finding, Receipt } from "./verdict.ts";
import { newClient, type World } from "./world.ts";
import { runWorkload } from "./workloads/table.ts";

/** Result of a run: its history, findings and receipts, and the checkers that judge it. */
export interface RunResult {
  /** Table that the plan was read with; default: that of the core. */
  readonly checkers?: Checkers;
  readonly history: History;
  readonly findings: Finding[];
  /** Reasons why the run is inconclusive. */
  readonly doubts: string[];
  readonly receipts: Receipt[];
}

/** Empty result, to be filled by `watchRun` and `executePlan`. */
export function newRunResult(checkers?: Checkers): RunResult {
  const found = { history: newHistory(), findings: [], doubts: [], receipts: [] };
  return checkers === undefined ? found : { ...found, checkers };
}

/**
 * Starts the event watchers of the plan's checkers; call it before `executePlan`. Returns the function that stops them.
 */
export function watchRun(plan: Plan, world: World, { findings, checkers }: RunResult): () => void {
  const watchers = judgesOf(plan, checkers).flatMap(({ name, start, invariant }) => {
    const watch = start?.(world, plan);
    return watch === undefined ? [] : [{ name, invariant, watch }];
  });
  return world.watchNews((event) => {
    for (const { name, invariant, watch } of watchers) {
      const found = watch(event);
      if (found !== undefined)
        findings.push({ invariant, checker: name, ...partsOf(found), atMs: event.at_ms });
    }
  });
}

/** World in which the checkers' `onRequest` receives each request and its answer. */
function judgeRequests(plan: Plan, world: World, { findings, checkers }: RunResult): World {
  const judges = judgesOf(plan, checkers).flatMap(({ name, onRequest, invariant }) =>
    onRequest === undefined ? [] : [{ name, invariant, onRequest }],
  );
  if (judges.length === 0 || world.name !== "sim") return world;
  return {
    ...world,
    request: async (client, node, request) => {
      const waiting = judges.flatMap(({ name, invariant, onRequest }) => {
        const judge = onRequest(world, { node, request });
        return judge === undefined ? [] : [{ name, invariant, judge }];
      });
      const answer = await world.request(client, node, request);
      if (answer === undefined) return answer;
      for (const { name, invariant, judge } of waiting) {
        const found = await judge(answer);
        if (found !== undefined)
          findings.push({ invariant, checker: name, ...partsOf(found), atMs: world.nowMs() });
      }
      return answer;
    },
  };
}

/**
 * Executes the plan: starts the nodes, creates and fills the indices, runs the fault phase, waits for healing, then
 * runs the checkers. Resolves early if a step before the fault phase fails, with that as a finding.
 */
export async function executePlan(plan: Plan, world: World, result: RunResult): Promise<void> {
  const { history, findings, checkers } = result;
  for (const node of world.nodes()) await world.start(node);
  const judged = judgeRequests(plan, world, result);
  const complain = (says: string): void =>
    void findings.push({ checker: "setup", says, atMs: world.nowMs() });
  await untilHealthy(world, plan);
  const missing = await missingPart(world, plan);
  if (missing !== undefined) {
    const { convergeMs } = plan.phases;
    complain(`the clusters did not form within ${convergeMs / 1000} s: ${missing}`);
    return;
  }
  for (const index of plan.indices) {
    const trouble = await createIndex(judged, index);
    if (trouble !== undefined) {
      complain(`the index [${index.name}] cannot be created: ${trouble}`);
      return;
    }
    await load(world, index, history);
  }
  await untilHealthy(world, plan);
  await runFaultPhase(plan, judged, result);
  await untilHealthy(world, plan, CALM_MS);
  const seen = placed(history, world.clusterOf);
  for (const { name, finish, invariant } of judgesOf(plan, checkers)) {
    const found = await finish?.(world, plan, seen);
    if (found !== undefined)
      findings.push({ invariant, checker: name, ...partsOf(found), atMs: world.nowMs() });
  }
}

/** Runs workload, faults and timeline together; resolves when all have ended. */
async function runFaultPhase(plan: Plan, world: World, result: RunResult): Promise<void> {
  const { history } = result;
  let isOver = false;
  const clients = plan.workload.map((workload, i) => {
    const before = plan.workload.slice(0, i).filter(({ kind }) => kind === workload.kind).length;
    const name = before === 0 ? workload.kind : `${workload.kind}-${before + 1}`;
    return runWorkload(workload, { world, history, name, isOver: () => isOver });
  });
  await runTimeline(plan, world, result);
  isOver = true;
  await Promise.all(clients);
}

/** Error of the creation in the product's words; `undefined` if it succeeded. */
async function createIndex(world: World, index: IndexPlan): Promise<string | undefined> {
  const client = newClient("setup");
  const answer = await world.request(client, world.nodes(index.cluster)[0] ?? "", {
    method: "PUT",
    uri: `/${index.name}`,
    body: JSON.stringify(indexBody(index)),
    timeoutMs: 30_000,
  });
  return answer?.status === 200 ? undefined : reasonOf(answer?.body);
}

const LOOK_EVERY_MS = 100;
/** Time for which the cluster must stay healthy, as effects of the last fault may show a moment after its end. */
const CALM_MS = 500;

/** Waits until every node and every copy is there, within the plan's time; checkers report what is missing then. */
async function untilHealthy(world: World, plan: Plan, calmMs = 0): Promise<void> {
  const untilMs = world.nowMs() + plan.phases.convergeMs;
  let calmFromMs = world.nowMs();
  while (world.nowMs() < untilMs) {
    if ((await missingPart(world, plan)) !== undefined) calmFromMs = world.nowMs() + LOOK_EVERY_MS;
    else if (world.nowMs() - calmFromMs >= calmMs) return;
    await world.sleep(LOOK_EVERY_MS);
  }
}
