/** Part of a sweep for `orrery collect`: the lines of `--json`, in a file named by the share of the seeds. */
import { createHash } from "node:crypto";
import { writeAtomically } from "../atomic-file.ts";
import { openBundleStore } from "./bundle-store.ts";
import type { Part, Summary, SweptRun } from "./totals.ts";

const WHOLE: Part = { number: 1, of: 1, seeds: 0, files: [] };

export interface PartStore {
  store(runs: readonly SweptRun[], summary: Summary): Promise<void>;
}

/** Opens a folder, or `s3://BUCKET/PREFIX`. Throws `UsageError` if nothing can be written there. */
export async function openPartStore(out: string): Promise<PartStore> {
  const files = await openBundleStore(out, "--out");
  return {
    store: async (runs, summary) => {
      const { number, of, seeds, files: scenarios } = summary.shard ?? WHOLE;
      // The same part again replaces its file, one of another sweep does not.
      const sweep = createHash("sha256")
        .update(JSON.stringify([seeds, scenarios]))
        .digest("hex");
      const path = files.pathOf(`sweep-${sweep.slice(0, 8)}-${number}-of-${of}.ndjson`);
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
