/**
 * `orrery run SCENARIO`: runs one scenario under one seed, and tells its story and its verdict; a failure ends with the
 * command that replays it.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { worldNames, type WorldName } from "@orrery/scenario";
import { integer, readOptions } from "./options.ts";
import { abandonAtExit, checkWorld, recordRun, type TimedVerdict } from "./recorded-run.ts";
import { replayLine } from "./replay-line.ts";
import { readScenarioFile } from "./scenario-file.ts";
import { createTeller } from "./teller.ts";
import { UsageError } from "./usage.ts";
import { verdictLine } from "./verdict-line.ts";
import { checkOther, notWritable, openPartialFile } from "./atomic-file.ts";

export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    seed: { type: "string" },
    trace: { type: "string" },
    record: { type: "string" },
    world: { type: "string" },
    quiet: { type: "boolean" },
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
  const isTold = !options.flag("json") && !options.flag("quiet");
  const teller = isTold ? await createTeller(scenario, world) : undefined;
  const outputs = { record, onEvent: trace?.write, story: teller?.listener, world };
  const verdict = await recordRun(scenario, seed, outputs)
    .catch((error: unknown) => {
      trace?.abandon();
      throw error;
    })
    .finally(() => teller?.endProgress());
  if (options.flag("json")) process.stdout.write(`${asJson(verdict)}\n`);
  else if (teller === undefined) process.stdout.write(`${quietly(verdict).join("\n")}\n`);
  else process.stdout.write(`${(await teller.tell(verdict, record)).join("\n")}\n`);
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

/** Verdict, and the first finding or the doubts. */
function quietly(verdict: TimedVerdict): readonly string[] {
  const { failure, doubts } = verdict;
  return [verdictLine(verdict), ...(failure === undefined ? doubts : [failure])];
}
