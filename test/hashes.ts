/**
 * A program of its own: runs scenarios, and prints for each one line of JSON with its hash. Started by determinism.test.ts under
 * other runtimes:  node --conditions=source test/hashes.ts process|thread SEED FILE...
 */
import { readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { parseScenario, runScenario } from "@orrery/scenario";
import { lab } from "../packages/cli/src/lab.ts";

interface Work {
  readonly seed: number;
  readonly files: readonly string[];
}

export interface Hashed {
  readonly file: string;
  readonly hash: string;
  readonly verdict: string;
  readonly failure?: string;
}

async function carryOut({ seed, files }: Work, tell: (hashed: Hashed) => void): Promise<void> {
  for (const file of files) {
    const plan = parseScenario(file, readFileSync(file, "utf8"), lab);
    const { hash, verdict, failure } = await runScenario(plan, seed, lab);
    tell({ file, hash, verdict, ...(failure === undefined ? {} : { failure }) });
  }
}

const print = (hashed: Hashed): void => void process.stdout.write(`${JSON.stringify(hashed)}\n`);

if (isMainThread) {
  const [where, seed, ...files] = process.argv.slice(2);
  const work: Work = { seed: Number(seed), files };
  if (where === "process") await carryOut(work, print);
  else new Worker(import.meta.filename, { workerData: work }).on("message", print);
} else {
  const port = parentPort;
  await carryOut(workerData as Work, (hashed) => port?.postMessage(hashed));
}
