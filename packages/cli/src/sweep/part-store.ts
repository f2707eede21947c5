/** Part of a sweep for `orrery collect`: the lines of `--json`, in a file named by the share of the seeds. */
import { writeAtomically } from "../atomic-file.ts";
import { openBundleStore } from "./bundle-store.ts";
import type { Summary, SweptRun } from "./totals.ts";

export interface PartStore {
  store(runs: readonly SweptRun[], summary: Summary): Promise<void>;
}

/** Opens a folder, or `s3://BUCKET/PREFIX`. Throws `UsageError` if nothing can be written there. */
export async function openPartStore(out: string): Promise<PartStore> {
  const files = await openBundleStore(out, "--out");
  return {
    store: async (runs, summary) => {
      const { number, of } = summary.shard ?? { number: 1, of: 1 };
      const path = files.pathOf(`sweep-${number}-of-${of}.ndjson`);
      const records = [...runs.map((run) => ({ event: "verdict", ...run })), summary];
      writeAtomically(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      try {
        await files.store(path);
      } catch (error) {
        process.stderr.write(`[${path}] was not uploaded: ${(error as Error).message}\n`);
      }
      files.end();
    },
  };
}
