/** Removes what a copy does not need any more. */
import { DiskError } from "@orrery/ports";
import type { WorkerContext } from "../context.ts";

/**
 * A disk that refuses is no reason to fail anything: the next commit, recovery or cluster state removes what is left (`commit.ts`,
 * `target.ts`, `clean-stores.ts`).
 */
export function dropFiles({ disk, log }: Pick<WorkerContext, "disk" | "log">, path: string): void {
  try {
    disk.remove(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    log("warn", `could not remove [${path}]: ${error.message}`);
  }
}
