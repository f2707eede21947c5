/** `orrery shrink`: finds the smallest plan that fails as the run of a bundle does, and writes it as a scenario. */
import type { Bundle } from "@orrery/bundle";
import { parsePlan, printScenario, runScenario, shrink, type Failure } from "@orrery/scenario";
import { OperationError, parseDuration, type JsonObject } from "@orrery/stdx";
import { checkVersion, storedPlan, withBundle } from "./bundle-file.ts";
import { withDocumentFiles } from "./document-files.ts";
import { readOptions } from "./options.ts";
import { lab } from "./lab.ts";
import { replayLine } from "./replay-line.ts";
import { UsageError } from "./usage.ts";
import { checkOther, checkWritable, writeAtomically } from "./atomic-file.ts";

export async function shrinkBundle(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    output: { type: "string", short: "o" },
    budget: { type: "string" },
    json: { type: "boolean" },
    "any-version": { type: "boolean" },
  });
  const budget = options.text("budget") ?? "55s";
  const budgetMs = parseDuration(budget);
  if (budgetMs === undefined || budgetMs <= 0)
    throw new UsageError(`[--budget] must be a time value such as [55s], not [${budget}]`);
  return withBundle(options, "orrery shrink BUNDLE [-o FILE.yaml]", async (bundle) => {
    checkVersion(bundle, options);
    const output = options.text("output") ?? `${wordOf(bundle.run.scenario)}-shrunk.yaml`;
    checkOther(output, bundle.path);
    checkWritable(output);
    const startedAt = performance.now();
    const { plan, head, report } = await shrinkRun(bundle, output, budgetMs);
    writeAtomically(output, printScenario(withDocumentFiles(plan, output), head));
    const wallMs = Math.round(performance.now() - startedAt);
    const line = options.flag("json")
      ? JSON.stringify({ event: "shrunk", file: output, ...report, wall_ms: wallMs })
      : readable(output, report, wallMs);
    process.stdout.write(`${line}\n`);
    return 0;
  });
}

/** Last part of a scenario's name, for a file name. */
function wordOf(name: string): string {
  return (name.split("/").at(-1) ?? "").replaceAll(/[^\w.-]+/g, "-");
}

interface Size {
  readonly faults: number;
  readonly operations: number;
  readonly nodes: number;
}

interface Report {
  readonly invariant: string;
  readonly seed: number;
  readonly runs: number;
  readonly before: Size;
  readonly after: Size;
}

async function shrinkRun(
  bundle: Bundle,
  output: string,
  budgetMs: number,
): Promise<{
  readonly plan: JsonObject;
  /** Lines of the comment above the scenario. */
  readonly head: readonly string[];
  readonly report: Report;
}> {
  const { path, run } = bundle;
  if (run.world !== "sim")
    throw new UsageError(
      `the bundle [${path}] is of the world [${run.world}]: only [sim] can be shrunk`,
    );
  const deadline = performance.now() + budgetMs;
  const sizes = new Map<JsonObject, Size>();
  const failureOf = async (candidate: JsonObject, seed: number): Promise<Failure | undefined> => {
    const scenario = planOf(candidate);
    if (scenario === undefined) return undefined;
    const verdict = await runScenario(scenario, seed, lab);
    const nodes = scenario.clusters.reduce((sum, cluster) => sum + cluster.nodes.length, 0);
    const steps = scenario.timeline.filter(({ action }) => action.kind === "fault").length;
    const faults = scenario.faults.length + steps;
    sizes.set(candidate, { faults, operations: verdict.operations, nodes });
    const [finding] = verdict.findings;
    return finding && { finding, operations: verdict.operations };
  };
  const given = storedPlan(bundle);
  const shrunk = await shrink(given, run.seed, {
    failureOf,
    isTimeUp: () => performance.now() > deadline,
  });
  if (shrunk === undefined)
    throw new UsageError(
      `the run of the bundle [${path}] does not fail: there is nothing to shrink`,
    );
  const none = { faults: 0, operations: 0, nodes: 0 };
  const report: Report = {
    invariant: shrunk.finding.invariant ?? shrunk.finding.checker ?? "",
    seed: shrunk.seed,
    runs: shrunk.runs,
    before: sizes.get(given) ?? none,
    after: sizes.get(shrunk.plan) ?? none,
  };
  const head = [
    `Shrunk from ${run.scenario} under seed ${run.seed}. What it violates:`,
    ...((shrunk.finding.says.split("\n")[0] ?? "").match(/.{1,120}/g) ?? []),
    replayLine({ file: output, seed: shrunk.seed }),
  ];
  return { plan: { ...shrunk.plan, name: `${run.scenario}-shrunk` }, head, report };
}

/** Plan of a candidate; `undefined` if the reduction made it invalid. */
function planOf(candidate: JsonObject): ReturnType<typeof parsePlan> | undefined {
  try {
    return parsePlan("shrunk", candidate, lab);
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

function readable(
  file: string,
  { invariant, seed, runs, before, after }: Report,
  wallMs: number,
): string {
  const lines = [
    `${file}: ${invariant === "" ? "the same error" : invariant}, in ${(wallMs / 1000).toFixed(1)} s and ${runs} runs`,
    ...(["faults", "operations", "nodes"] as const).map(
      (what) => `  ${what.padEnd(10)} ${before[what]} -> ${after[what]}`,
    ),
    `replay: ${replayLine({ file, seed })}`,
  ];
  return lines.join("\n");
}
