/** `orrery run SCENARIO`: one scenario, one seed, one verdict; a failure ends with the line that replays it. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { parseScenario, runScenario, type Verdict } from "@orrery/scenario";
import { integer, readOptions } from "./options.ts";
import { UsageError } from "./usage.ts";

export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    seed: { type: "string" },
    trace: { type: "string" },
    json: { type: "boolean" },
  });
  const [file, ...rest] = options.positionals;
  if (file === undefined || rest.length > 0)
    throw new UsageError("expected [orrery run SCENARIO], one scenario file");
  const seed = integer("seed", options.text("seed") ?? "1", {
    low: 0,
    high: Number.MAX_SAFE_INTEGER,
  });
  const scenario = parseScenario(file, readScenario(file));
  const traceFile = options.text("trace");
  const trace = traceFile === undefined ? undefined : openTrace(traceFile);
  const startedAt = performance.now();
  const verdict = await runScenario(scenario, seed, trace ? { onLine: trace.write } : {});
  trace?.close();
  const wallMs = Math.round(performance.now() - startedAt);
  if (options.flag("json")) {
    const { failure, ...figures } = verdict;
    const line = {
      event: "verdict",
      ...figures,
      wall_ms: wallMs,
      ...(failure === undefined ? {} : { failure }),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  } else {
    process.stdout.write(readable(verdict, wallMs));
  }
  if (verdict.verdict === "pass") return 0;
  process.stderr.write(`replay: npx orrery run ${file} --seed ${seed}\n`);
  return 1;
}

function readScenario(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new UsageError(
      isMissing
        ? `there is no scenario [${file}]`
        : `cannot read [${file}]: ${(error as Error).message}`,
    );
  }
}

interface TraceFile {
  write(line: string): void;
  close(): void;
}

const CHUNK_CHARACTERS = 1 << 20;

function openTrace(file: string): TraceFile {
  let handle: number;
  try {
    handle = openSync(file, "w");
  } catch (error) {
    throw new UsageError(`the trace file [${file}] cannot be written: ${(error as Error).message}`);
  }
  let held = "";
  const flush = (): void => {
    writeSync(handle, held);
    held = "";
  };
  return {
    write: (line) => {
      held += `${line}\n`;
      if (held.length > CHUNK_CHARACTERS) flush();
    },
    close: () => {
      flush();
      closeSync(handle);
    },
  };
}

function readable(verdict: Verdict, wallMs: number): string {
  const { scenario, seed, hash, events, virtual_ms: virtualMs, failure } = verdict;
  const what = `${scenario} seed ${seed}: ${verdict.verdict}, ${events} events, ${(virtualMs / 1000).toFixed(1)} s virtual in ${wallMs} ms, hash ${hash}`;
  return failure === undefined ? `${what}\n` : `${what}\n${failure}\n`;
}
