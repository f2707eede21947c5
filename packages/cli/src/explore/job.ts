/** Process of one exploration job: runs plans and shrinks failing ones until the exploration ends it. */
import { runTrial, shrinkSketch, writeSketch } from "@orrery/scenario";
import { closeRealm } from "@orrery/stdx";
import { lab } from "../lab.ts";
import type { RunResult, ShrinkResult, Task, TaskResult } from "./messages.ts";

closeRealm();

process.on("message", (task: Task) => {
  void carryOut(task).then((result) => process.send?.(result));
});
// An interrupt reaches every process of a terminal; the exploration itself ends its jobs.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit(0));

async function carryOut(task: Task): Promise<TaskResult> {
  try {
    return await (task.kind === "run" ? run(task) : shrunk(task));
  } catch (error) {
    return {
      kind: "broken",
      why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

async function run({ sketch, seed }: Task): Promise<RunResult> {
  const startedAt = performance.now();
  const { disturbMs } = sketch;
  const { verdict, tuples, came } = await runTrial(writeSketch(sketch, lab), seed, {
    ...lab,
    disturbMs,
  });
  const [finding] = verdict.findings;
  return {
    kind: "run",
    verdict: verdict.verdict,
    hash: verdict.hash,
    events: verdict.events,
    wall_ms: Math.round(performance.now() - startedAt),
    tuples,
    came,
    ...(finding === undefined ? {} : { finding }),
  };
}

async function shrunk({
  sketch,
  seed,
  budgetMs,
}: Extract<Task, { readonly kind: "shrink" }>): Promise<TaskResult> {
  const deadline = performance.now() + budgetMs;
  const least = await shrinkSketch(sketch, seed, {
    checkers: lab.checkers,
    isTimeUp: () => performance.now() > deadline,
    failureOf: async (plan, one) => {
      const { verdict } = await runTrial(plan, one, lab);
      const [finding] = verdict.findings;
      return finding && { finding, operations: verdict.operations };
    },
  });
  if (least === undefined)
    return { kind: "broken", why: "the same plan and seed did not fail again" };
  const { last } = await runTrial(writeSketch(least.sketch, lab), least.seed, lab);
  const result: ShrinkResult = { kind: "shrink", ...least, last };
  return result;
}
