/** A run of a task of this plugin: cancellation, retries, and changes of the cluster state that outlast a failover. */
import type { Task } from "@orrery/cluster-state";
import type { PluginNode } from "@orrery/node";
import { createCancellation, type Cancellation, type CancellationSource } from "@orrery/ports";
import { isTransient, problemIn } from "../problems.ts";

/** One run of a task on this node, from its assignment until it is cancelled or ends. */
export interface TaskRun {
  readonly node: PluginNode;
  readonly cancellation: Cancellation;
  /** Resolves after `ms`, or at once when the run is cancelled. */
  sleep(ms: number): Promise<void>;
  /** Submits a cluster state update task, and retries until it is accepted, refused, or the run is cancelled. */
  submit(task: Task): Promise<void>;
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** A new run of a task; `source` cancels it. */
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
    submit: (task) => retryTransient(run, async () => void (await node.cluster.submit(task))),
  };
  return { run, source };
}

/** Retries `work` with exponential backoff while it fails with transient problems. `undefined`: the run was cancelled first. */
export async function retryTransient<T>(
  run: TaskRun,
  work: () => Promise<T>,
): Promise<T | undefined> {
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
