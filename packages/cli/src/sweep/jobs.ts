/** Jobs of a sweep: one process each; partial bundles are removed. */
import { createJobProcess } from "../job-process.ts";
import { removePart } from "../atomic-file.ts";
import type { Task, TaskResult } from "./messages.ts";

export interface Job {
  /** Always resolves with a result: a process that dies or hangs is a failed run. */
  run(task: Task): Promise<TaskResult>;
  /** Ends the process; resolves when it has ended and its partial bundle is removed. */
  end(): Promise<void>;
}

/** Wall time after which a run counts as hanging. */
export const RUN_PATIENCE_MS = 600_000;

export function createJob(patienceMs: number = RUN_PATIENCE_MS): Job {
  const program = { name: "sweep-job", source: "sweep/job.ts", patienceMs };
  const child = createJobProcess<Task, TaskResult>(program);
  let current: Task | undefined;
  const end = async (): Promise<void> => {
    const keep = current?.keep;
    const pid = await child.end();
    if (keep !== undefined && pid !== undefined) removePart(keep, pid);
  };
  return {
    end,
    run: async (task) => {
      current = task;
      const startedAt = performance.now();
      const outcome = await child.run(task);
      if (typeof outcome !== "string") {
        current = undefined;
        return outcome;
      }
      await end();
      const wall = Math.round(performance.now() - startedAt);
      return { verdict: "fail", hash: "", wall_ms: wall, why: outcome };
    },
  };
}
