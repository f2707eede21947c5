/** Jobs that carry out the trials of an exploration: processes of this machine, or the workers of a queue. */
import { createJobProcess } from "../job-process.ts";
import type { Task, TaskResult } from "./messages.ts";
import { exploreProgram } from "./program.ts";

export interface ExploreJob {
  /** Calls the body when there is room for one more trial. */
  whenFree(body: () => Promise<void>): Promise<void>;
  /** Result of the task, whatever becomes of its process. */
  run(task: Task): Promise<TaskResult>;
}

export interface ExploreJobs {
  readonly jobs: readonly ExploreJob[];
  /** Resolves with the reason when the jobs are given up. */
  readonly lost: Promise<string>;
  /** Takes back the trials that have not begun. */
  withdraw(): Promise<void>;
  /** Reason why no trial is carried out; empty if there is none. */
  readonly absence: string;
  end(): Promise<void>;
}

/** Processes of this machine. */
export function createProcesses(count: number): ExploreJobs {
  const processes = Array.from({ length: count }, () =>
    createJobProcess<Task, TaskResult>(exploreProgram),
  );
  return {
    jobs: processes.map((one) => ({
      whenFree: (body) => body(),
      run: async (task) => {
        const result = await one.run(task);
        if (typeof result !== "string") return result;
        await one.end();
        return { kind: "broken", why: result };
      },
    })),
    lost: new Promise(() => undefined),
    withdraw: () => Promise.resolve(),
    absence: "",
    end: async () => {
      await Promise.all(processes.map((one) => one.end()));
    },
  };
}
