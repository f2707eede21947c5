/**
 * Process of one sweep job: executes runs one after the other, so that the program is loaded and compiled once. It ends
 * with the sweep.
 */
import { dirname } from "node:path";
import { closeRealm } from "@orrery/stdx";
import { recordRun, type TimedVerdict } from "../recorded-run.ts";
import { readScenarioFile, scenarioOfTexts, type ScenarioFile } from "../scenario-file.ts";
import { sentenceOf } from "../usage.ts";
import { causeOfFailure } from "./causes.ts";
import { makeFolder } from "./folder.ts";
import type { Task, TaskResult } from "./messages.ts";

closeRealm();
const scenarios = new Map<string, ScenarioFile>();

process.on("message", (task: Task) => {
  void carryOut(task).then((result) => process.send?.(result));
});
// An interrupt reaches every process of a terminal; the sweep itself ends its jobs.
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

/** Number of scenarios that stay parsed: a worker of a queue sees those of many sweeps. */
const MOST_SCENARIOS = 64;

function scenarioOf({ file, texts }: Task): ScenarioFile {
  const key = texts === undefined ? file : `${texts.hash}:${file}`;
  const known = scenarios.get(key);
  if (known !== undefined) return known;
  const scenario = texts === undefined ? readScenarioFile(file) : scenarioOfTexts(file, texts);
  if (scenarios.size >= MOST_SCENARIOS) scenarios.clear();
  scenarios.set(key, scenario);
  return scenario;
}

async function runTask(task: Task): Promise<TaskResult> {
  const { seed, keep, isTwice } = task;
  const scenario = scenarioOf(task);
  const verdict = await recordRun(scenario, seed);
  const result = resultOf(verdict);
  const isKept = verdict.verdict !== "pass" && keep !== undefined;
  if (!isKept && !isTwice) return result;
  const { hash, trouble, ...kept } = await runAgain(scenario, seed, isKept ? keep : undefined);
  const isSame = hash === verdict.hash;
  const different = isSame ? "" : `the same seed gave the hash ${verdict.hash}, then ${hash}`;
  const why = [different, result.why, trouble ?? ""].filter((part) => part !== "").join("; ");
  return { ...result, ...(isSame ? {} : { verdict: "fail" }), why, ...kept };
}

interface Again {
  readonly hash: string;
  readonly bundle?: string;
  /** Reason for a missing bundle. */
  readonly trouble?: string;
}

/** Repeats a run. All events of a failing run are kept this time, if there is room. */
async function runAgain(
  scenario: ScenarioFile,
  seed: number,
  keep: string | undefined,
): Promise<Again> {
  if (keep === undefined) return { hash: (await recordRun(scenario, seed)).hash };
  try {
    // Another sweep may have removed the folder while it was empty.
    makeFolder(dirname(keep));
    const { hash } = await recordRun(scenario, seed, { record: keep });
    return { hash, bundle: keep };
  } catch (error) {
    const trouble = sentenceOf(error);
    if (trouble === undefined) throw error;
    return { ...(await runAgain(scenario, seed, undefined)), trouble };
  }
}

function resultOf(verdict: TimedVerdict): TaskResult {
  const cause = causeOfFailure(verdict);
  return {
    ...(cause === undefined ? {} : { cause }),
    verdict: verdict.verdict,
    hash: verdict.hash,
    wall_ms: verdict.wall_ms,
    why: shortened(verdict.failure?.split("\n")[0] ?? verdict.doubts.join("; ")),
  };
}

/** Limit of a reason, which is repeated in every report; the bundle has all of it. */
const MOST_CHARACTERS = 4000;

function shortened(why: string): string {
  return why.length <= MOST_CHARACTERS ? why : `${why.slice(0, MOST_CHARACTERS)}…`;
}
