/** What a page runs: it asks its server for scenarios, and tells it the hash of each. */
import { parseScenario, runScenario } from "@orrery/scenario";
import { lab } from "../../packages/cli/src/lab.ts";
import type { Hashed } from "../hashes.ts";

export interface PageWork {
  readonly seed: number;
  readonly scenarios: readonly { readonly file: string; readonly source: string }[];
}

async function carryOut(): Promise<readonly Hashed[]> {
  const { seed, scenarios } = (await (await fetch("/work")).json()) as PageWork;
  const hashed: Hashed[] = [];
  for (const { file, source } of scenarios) {
    const plan = parseScenario(file, source, lab);
    const { hash, verdict, failure } = await runScenario(plan, seed, lab);
    hashed.push({ file, hash, verdict, ...(failure === undefined ? {} : { failure }) });
  }
  return hashed;
}

const told = await carryOut().then(
  (hashed) => ({ hashed }),
  (error: unknown) => ({ failure: error instanceof Error ? (error.stack ?? "") : String(error) }),
);
await fetch("/hashes", { method: "POST", body: JSON.stringify(told) });
