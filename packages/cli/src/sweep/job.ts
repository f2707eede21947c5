/**
 * The process of one job of a sweep: runs what it is told, one run after the other, so that loading and compiling the program is
 * paid once. It ends with the sweep.
 */
import { recordRun, type TimedVerdict } from "../recorded-run.ts";
import { readScenarioFile, type ScenarioFile } from "../scenario-file.ts";
import { sentenceOf } from "../usage.ts";
import type { Task, TaskResult } from "./messages.ts";

const scenarios = new Map<string, ScenarioFile>();

process.on("message", (task: Task) => {
  void carryOut(task).then((result) => process.send?.(result));
});
// An interrupt reaches every process of a terminal: it is the sweep's to end its jobs.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit(0));

async function carryOut(task: Task): Promise<TaskResult> {
  try {
    return await runTask(task);
  } catch (error) {
    const why = sentenceOf(error) ?? (error instanceof Error ? error.message : String(error));
    return { verdict: "fail", hash: "", wall_ms: 0, why };
  }
}

async function runTask({ file, seed, keep, isTwice }: Task): Promise<TaskResult> {
  const scenario = scenarios.get(file) ?? readScenarioFile(file);
  scenarios.set(file, scenario);
  const verdict = await recordRun(scenario, seed);
  const result = resultOf(verdict);
  const isKept = verdict.verdict !== "pass" && keep !== undefined;
  if (!isKept && !isTwice) return result;
  // The same run again; of one that did not pass every event is kept this time.
  const again = await recordRun(scenario, seed, isKept ? { record: keep } : {});
  const kept = isKept ? { bundle: keep } : {};
  if (again.hash === verdict.hash) return { ...result, ...kept };
  const different = `the same seed gave the hash ${verdict.hash}, then ${again.hash}`;
  const why = result.why === "" ? different : `${different}; ${result.why}`;
  return { ...result, verdict: "fail", why, ...kept };
}

function resultOf(verdict: TimedVerdict): TaskResult {
  return {
    verdict: verdict.verdict,
    hash: verdict.hash,
    wall_ms: verdict.wall_ms,
    why: verdict.failure?.split("\n")[0] ?? verdict.doubts.join("; "),
  };
}
