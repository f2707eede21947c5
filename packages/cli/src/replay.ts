/** `orrery replay`: runs the plan of a bundle again under its seed, and compares the events with the recorded ones. */
import type { Bundle } from "@orrery/bundle";
import { parsePlan } from "@orrery/scenario";
import { checkVersion, storedPlan, withBundle } from "./bundle-file.ts";
import { readOptions } from "./options.ts";
import { lab } from "./lab.ts";
import { recordRun, type TimedVerdict } from "./recorded-run.ts";
import { replayLine } from "./replay-line.ts";
import { UsageError } from "./usage.ts";

interface Difference {
  readonly seq: number;
  /** Differing lines; absent if one of the two runs had ended. */
  readonly recorded?: string;
  readonly replayed?: string;
}

export async function replay(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    json: { type: "boolean" },
    "any-version": { type: "boolean" },
  });
  return withBundle(options, "orrery replay BUNDLE", async (bundle) => {
    checkVersion(bundle, options);
    checkWorld(bundle);
    const { verdict, difference } = await runAgain(bundle);
    const isSame = verdict.hash === bundle.run.hash && difference === undefined;
    const report = { isSame, verdict, difference };
    process.stdout.write(options.flag("json") ? asJson(bundle, report) : readable(bundle, report));
    return isSame ? 0 : 1;
  });
}

/** Rejects a bundle of a world in real time: only runs in virtual time are reproducible. */
function checkWorld({ path, run }: Bundle): void {
  if (run.world === "sim") return;
  const again = replayLine(run);
  throw new UsageError(
    `the bundle [${path}] is of the world [${run.world}], where no run is the same twice: [${again}] makes another one`,
  );
}

interface Replayed {
  readonly verdict: TimedVerdict;
  readonly difference: Difference | undefined;
}

async function runAgain(bundle: Bundle): Promise<Replayed> {
  const { run, plan } = bundle;
  let difference: Difference | undefined;
  let seq = 0;
  const planned = parsePlan(run.file, storedPlan(bundle), lab);
  const file = { file: run.file, source: plan.source, files: new Map(), plan: planned };
  const recorded = bundle.events();
  const verdict = await recordRun(file, run.seed, {
    onEvent: (event) => {
      if (difference !== undefined) return;
      seq += 1;
      const replayed = JSON.stringify(event);
      const next = recorded.next();
      const line = next.done === true ? undefined : next.value.json;
      if (line === replayed) return;
      difference = { seq, replayed, ...(line === undefined ? {} : { recorded: line }) };
    },
  });
  const left = recorded.next();
  if (difference === undefined && left.done !== true)
    difference = { seq: left.value.seq, recorded: left.value.json };
  recorded.return?.();
  return { verdict, difference };
}

interface Report extends Replayed {
  readonly isSame: boolean;
}

function asJson({ run }: Bundle, { isSame, verdict, difference }: Report): string {
  const { hash, events, wall_ms: wallMs } = verdict;
  const line = {
    event: "replay",
    same: isSame,
    verdict: verdict.verdict,
    scenario: verdict.scenario,
    ...{ seed: run.seed, hash, recorded_hash: run.hash, events, wall_ms: wallMs },
    ...(difference === undefined ? {} : { first_difference: difference }),
  };
  return `${JSON.stringify(line)}\n`;
}

function readable({ run }: Bundle, { isSame, verdict, difference }: Report): string {
  const { hash, events } = verdict;
  const what = `${verdict.scenario} seed ${run.seed}: ${verdict.verdict}`;
  if (isSame) return `${what}, the same ${events} events, hash ${hash}\n`;
  if (difference === undefined) return `${what}, hash ${hash} in place of ${run.hash}\n`;
  const { seq, recorded = "the end of the run", replayed = "the end of the run" } = difference;
  return `${what}, differs from event ${seq} on\n  recorded: ${recorded}\n  replayed: ${replayed}\n`;
}
