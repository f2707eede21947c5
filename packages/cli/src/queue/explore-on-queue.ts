/**
 * Trials of an exploration by the workers of a queue. The exploration keeps the corpus: a job carries a plan, its result the
 * behaviours of the run, and the next plan is chosen with what all workers showed.
 */
import type { JsonObject } from "@orrery/stdx";
import type { ExploreJob, ExploreJobs } from "../explore/jobs.ts";
import type { Task, TaskResult } from "../explore/messages.ts";
import { exploreProgram } from "../explore/program.ts";
import type { QueueAddress } from "./address.ts";
import { openJobQueue, type JobQueue } from "./job-queue.ts";
import type { ExplorePayload } from "./payload.ts";
import { readExploreResult } from "./results.ts";

/** Limit of trials at a time. */
const MOST_TRIALS = 1024;
const LOOK_MS = 500;

/** Opens the queue. Throws `UsageError` if it cannot be reached. */
export async function openExploreJobs(
  address: QueueAddress,
  say: (line: string) => void,
): Promise<ExploreJobs> {
  const queue = await openJobQueue({ address, say });
  const room = createRoom(() => 2 * Math.max(queue.slots, 1));
  const job: ExploreJob = {
    whenFree: room.whenFree,
    run: (task) => runTask(queue, task),
  };
  return {
    jobs: Array.from({ length: MOST_TRIALS }, () => job),
    lost: queue.lost,
    withdraw: queue.withdraw,
    get absence() {
      return queue.absence;
    },
    end: async () => {
      room.end();
      await queue.close();
    },
  };
}

async function runTask(queue: JobQueue, task: Task): Promise<TaskResult> {
  const { build, owner } = queue;
  const budgetMs = task.kind === "shrink" ? task.budgetMs : 1;
  const payload: ExplorePayload = {
    ...{ kind: "explore", build, owner, action: task.kind, seed: task.seed, budgetMs },
    limitMs: exploreProgram.patienceMs,
    sketch: JSON.parse(JSON.stringify(task.sketch)) as JsonObject,
  };
  const outcome = await queue.run(payload);
  if (outcome.kind === "withdrawn") return outcome;
  if (outcome.kind === "failed")
    return { kind: "broken", why: `no worker could run it: ${outcome.why}` };
  const broken: TaskResult = { kind: "broken", why: "a worker returned no result" };
  return readExploreResult(outcome.value) ?? broken;
}

interface Room extends Pick<ExploreJob, "whenFree"> {
  end(): void;
}

/** Room for a number of trials that follows the number of workers. */
function createRoom(size: () => number): Room {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const admit = (): void => {
    while (taken < size()) {
      const next = waiting.shift();
      if (next === undefined) return;
      taken += 1;
      next();
    }
  };
  const timer = setInterval(admit, LOOK_MS);
  return {
    whenFree: async (body) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      try {
        await body();
      } finally {
        taken -= 1;
        admit();
      }
    },
    end: () => clearInterval(timer),
  };
}
