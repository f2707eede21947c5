/** Removal of files that a copy no longer needs. */
import { DiskError } from "@orrery/ports";
import type { WorkerContext } from "../context.ts";

/**
 * Removes a path. A fault of the disk is logged: the next commit, recovery or cluster state removes the rest
 * (`commit.ts`, `target.ts`, `clean-stores.ts`).
 */
export function dropFiles({ disk, log }: Pick<WorkerContext, "disk" | "log">, path: string): void {
  try {
    disk.remove(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    log("warn", `could not remove [${path}]: ${error.message}`);
  }
}
