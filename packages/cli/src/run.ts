/**
 * `orrery run SCENARIO`: runs one scenario under one seed and prints the verdict; a failure ends with the command that
 * replays it.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { worldNames, type RecordedEvent, type WorldName } from "@orrery/scenario";
import { integer, readOptions } from "./options.ts";
import { abandonAtExit, checkWorld, recordRun, type TimedVerdict } from "./recorded-run.ts";
import { replayLine } from "./replay-line.ts";
import { readScenarioFile } from "./scenario-file.ts";
import { UsageError } from "./usage.ts";
import { checkOther, notWritable, openPartialFile } from "./atomic-file.ts";

export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    seed: { type: "string" },
    trace: { type: "string" },
    record: { type: "string" },
    world: { type: "string" },
    json: { type: "boolean" },
  });
  const [file, ...rest] = options.positionals;
  if (file === undefined || rest.length > 0)
    throw new UsageError("expected [orrery run SCENARIO], one scenario file");
  const seed = integer("seed", options.text("seed") ?? "1", {
    low: 0,
    high: Number.MAX_SAFE_INTEGER,
  });
  const world = worldOf(options.text("world") ?? "sim");
  const scenario = readScenarioFile(file);
  checkWorld(scenario, world);
  const traceFile = options.text("trace");
  const record = options.text("record");
  if (traceFile !== undefined) checkOther(traceFile, file);
  if (record !== undefined && traceFile !== undefined && resolve(record) === resolve(traceFile))
    throw new UsageError(`[${record}] is given twice: --record and --trace write a file each`);
  const trace = traceFile === undefined ? undefined : openTrace(traceFile, world);
  const verdict = await recordRun(scenario, seed, {
    record,
    onEvent: trace?.write,
    world,
  }).catch((error: unknown) => {
    trace?.abandon();
    throw error;
  });
  if (options.flag("json")) process.stdout.write(`${asJson(verdict)}\n`);
  else
    process.stdout.write(`${[...readable(verdict), ...(await lastEvents(verdict))].join("\n")}\n`);
  trace?.finish();
  if (verdict.verdict === "pass") return 0;
  process.stderr.write(`replay: ${replayLine({ file, seed, world })}\n`);
  return 1;
}

function worldOf(given: string): WorldName {
  const found = worldNames.find((name) => name === given);
  if (found !== undefined) return found;
  throw new UsageError(`unknown world [${given}]: expected one of [${worldNames.join(", ")}]`);
}

function asJson({ failure, ...figures }: TimedVerdict): string {
  return JSON.stringify({
    event: "verdict",
    ...figures,
    ...(failure === undefined ? {} : { failure }),
  });
}

interface TraceFile {
  write(event: object): void;
  /** Closes the trace. Throws `UsageError` if it could not be written completely; the partial file is removed. */
  finish(): void;
  abandon(): void;
}

const CHUNK_CHARACTERS = 1 << 20;

function openTrace(file: string, world: WorldName): TraceFile {
  const place = openPartialFile(file);
  const end = abandonAtExit(place.abandon, world);
  let held = "";
  let trouble: unknown;
  const flush = (): void => {
    try {
      // A write error of the trace must not end the run. `writeFileSync` repeats partial writes.
      if (trouble === undefined) writeFileSync(place.handle, held);
    } catch (error) {
      trouble = error;
    }
    held = "";
  };
  return {
    write: (event) => {
      held += `${JSON.stringify(event)}\n`;
      if (held.length > CHUNK_CHARACTERS) flush();
    },
    finish: () => {
      flush();
      if (trouble === undefined) place.finish();
      end();
      if (trouble !== undefined) throw notWritable(file, trouble);
    },
    abandon: end,
  };
}

function readable(verdict: TimedVerdict): readonly string[] {
  const { scenario, seed, hash, events, failure, doubts, wall_ms: wallMs } = verdict;
  const isReal = verdict.world !== "sim";
  const took = `${(verdict.virtual_ms / 1000).toFixed(1)} s ${isReal ? "real" : "virtual"} in ${wallMs} ms`;
  const how = isReal ? `in the world ${verdict.world}` : `hash ${hash}`;
  const what = `${scenario} seed ${seed}: ${verdict.verdict}, ${events} events, ${took}, ${how}`;
  return [what, ...(failure === undefined ? doubts : [failure])];
}

/** Events printed after a failure; a bundle has all of them. */
const MOST_EVENTS = 15;

async function lastEvents({ last_events: last }: TimedVerdict): Promise<readonly string[]> {
  if (last.length === 0) return [];
  const { lineOf } = await import("@orrery/bundle");
  const shown = last.slice(-MOST_EVENTS).map((line) => lineOf(JSON.parse(line) as RecordedEvent));
  return [
    "the last events (with [--record BUNDLE] all are kept, for [orrery report] and [orrery trace]):",
    ...shown,
  ];
}
