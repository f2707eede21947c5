/** What every run of a task of this plugin has: an end, patience, and changes of the cluster state that get through. */
import type { Task } from "@orrery/cluster-state";
import type { PluginNode } from "@orrery/node";
import { createCancellation, type Cancellation, type CancellationSource } from "@orrery/ports";
import { isTransient, problemIn } from "../problems.ts";

export interface TaskRun {
  readonly node: PluginNode;
  readonly cancellation: Cancellation;
  /** Ends early when the run does. */
  sleep(ms: number): Promise<void>;
  /** Until an elected cluster manager takes it, the run ends, or it is refused. */
  submit(task: Task): Promise<void>;
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

export function createRun(node: PluginNode): {
  readonly run: TaskRun;
  readonly source: CancellationSource;
} {
  const source = createCancellation();
  const run: TaskRun = {
    node,
    cancellation: source,
    sleep: (ms) =>
      new Promise((resolve) => {
        const cancelTimer = node.cluster.clock.setTimer(ms, () => {
          forget();
          resolve();
        });
        const forget = source.onCancel(() => {
          cancelTimer();
          resolve();
        });
      }),
    submit: (task) => patiently(run, async () => void (await node.cluster.submit(task))),
  };
  return { run, source };
}

/** Again and again while what it fails with passes by itself. Ends without having done it when the run ends. */
export async function patiently<T>(run: TaskRun, work: () => Promise<T>): Promise<T | undefined> {
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    if (run.cancellation.isCancelled) return undefined;
    try {
      return await work();
    } catch (error) {
      const problem = problemIn(error);
      if (run.cancellation.isCancelled) return undefined;
      if (!isTransient(problem)) throw error;
      run.node.cluster.log(
        "debug",
        `replication: ${problem.type}: ${problem.reason}, again in ${waitMs} ms`,
      );
    }
    await run.sleep(waitMs);
  }
}
