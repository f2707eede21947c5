/**
 * Queue of the owner of jobs: a sweep or an exploration puts jobs on it, and gets what workers return. A job is taken by
 * one worker at a time; the job of a worker that died is taken by another one.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { Queue, QueueEvents } from "bullmq";
import type { QueueAddress } from "./address.ts";
import { buildId, PREFIX, queueName } from "./build.ts";
import { connect, type Connection, type ConnectionTimes } from "./connection.ts";
import type { Payload } from "./payload.ts";
import { afterMs, createPendingJobs, type JobOutcome, type PendingJobs } from "./pending-jobs.ts";
import { announce, present } from "./presence.ts";

export interface JobQueue {
  readonly build: string;
  readonly owner: string;
  /** Puts a job on the queue; resolves when a worker has carried it out, or cannot. */
  run(payload: Payload): Promise<JobOutcome>;
  /** Takes back the jobs that no worker has taken. */
  withdraw(): Promise<void>;
  /** Number of jobs that all workers of this build run at a time. */
  readonly slots: number;
  /** Sentence about the missing workers of this build; empty if there are some. */
  readonly absence: string;
  /** Resolves with the reason when the queue is given up. */
  readonly lost: Promise<string>;
  /** Removes the jobs that are left; workers drop those that they run. */
  close(): Promise<void>;
}

export interface JobQueueOptions {
  readonly address: QueueAddress;
  readonly say: (line: string) => void;
  /** Texts that jobs refer to, by their hashes. */
  readonly texts?: ReadonlyMap<string, string>;
  readonly times?: ConnectionTimes;
}

const LOOK_UP_MS = 3000;
const COUNT_WORKERS_MS = 1000;
/** Wall time for removing jobs at the end. */
const REMOVAL_MS = 5000;

/** Opens the queue. Throws `UsageError` if the server cannot be reached. */
export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { address, say, texts, times } = options;
  const connection = await connect(address, say, times);
  const build = buildId();
  const owner = randomUUID();
  const about = { build, host: hostname(), pid: process.pid, jobs: 0 };
  const presence = await announce(connection.redis, { kind: "owner", id: owner, about }, texts);
  const queue = createQueue(connection, build);
  const jobs = createPendingJobs({ queue, owner, renew: presence.renew });
  const events = listen(connection, build, jobs);
  const workers = watchWorkers(connection, build, say);
  const lookUp = setInterval(onceAtATime(jobs.lookUp), LOOK_UP_MS);
  return {
    build,
    owner,
    lost: connection.lost,
    run: jobs.run,
    withdraw: jobs.withdraw,
    get slots() {
      return workers.slots();
    },
    get absence() {
      return workers.absence();
    },
    close: async () => {
      clearInterval(lookUp);
      workers.stop();
      const isRemoved = jobs.removeAll(() => presence.end()).catch(() => undefined);
      await Promise.race([isRemoved, connection.lost, afterMs(REMOVAL_MS)]);
      // The connection is closed below: what these wait for may never come.
      void events.close().catch(() => undefined);
      void queue.close().catch(() => undefined);
      connection.close();
    },
  };
}

function createQueue({ redis }: Connection, build: string): Queue<Payload> {
  const queue = new Queue<Payload>(queueName(build), { connection: redis, prefix: PREFIX });
  // The connection itself reports its loss.
  queue.on("error", () => undefined);
  return queue;
}

function listen(connection: Connection, build: string, jobs: PendingJobs): QueueEvents {
  const events = new QueueEvents(queueName(build), {
    connection: connection.another(),
    prefix: PREFIX,
  });
  events.on("error", () => undefined);
  events.on("completed", ({ jobId, returnvalue }) =>
    jobs.settle(jobId, { kind: "returned", value: returnvalue }),
  );
  events.on("failed", ({ jobId, failedReason }) =>
    jobs.settle(jobId, { kind: "failed", why: failedReason }),
  );
  return events;
}

interface Workers {
  slots(): number;
  absence(): string;
  stop(): void;
}

/** Counts the workers, and says when there is none of this build. */
function watchWorkers(
  { redis, shown }: Connection,
  build: string,
  say: (line: string) => void,
): Workers {
  let slots = 0;
  let absence = "";
  const count = async (): Promise<void> => {
    const workers = await present(redis, "worker");
    const own = workers.filter((worker) => worker.build === build);
    slots = own.reduce((sum, { jobs }) => sum + jobs, 0);
    const others = new Set(workers.map((worker) => worker.build).filter((one) => one !== build));
    const refusing =
      others.size === 0 ? "" : `; those of version [${[...others].join(", ")}] refuse its jobs`;
    const now =
      own.length > 0 ? "" : `no worker of version [${build}] is at the queue [${shown}]${refusing}`;
    if (now !== absence && now !== "") say(`${now}; waiting for one`);
    absence = now;
  };
  const counting = onceAtATime(count);
  counting();
  const timer = setInterval(counting, COUNT_WORKERS_MS);
  return { slots: () => slots, absence: () => absence, stop: () => clearInterval(timer) };
}

/** Calls the action unless its previous call, which may wait for a lost connection, has not ended. */
function onceAtATime(action: () => Promise<void>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void action()
      .catch(() => undefined)
      .finally(() => {
        isUnderWay = false;
      });
  };
}
