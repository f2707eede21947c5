/**
 * Queue of the owner of jobs: a sweep or an exploration puts jobs on it, and gets what workers return. A job is taken by
 * one worker at a time; the job of a worker that died is taken by another one.
 *
 * Events of the queue settle jobs at once. Events may be lost with a connection, so all jobs are looked up from time to
 * time as well; a job that the server has forgotten is put on the queue again.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { Job, Queue, QueueEvents } from "bullmq";
import type { QueueAddress } from "./address.ts";
import { buildId, PREFIX, queueName } from "./build.ts";
import { connect, type Connection, type ConnectionTimes } from "./connection.ts";
import type { Payload } from "./payload.ts";
import { announce, present } from "./presence.ts";

export type JobOutcome =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "failed"; readonly why: string }
  /** Taken back before a worker took it. */
  | { readonly kind: "withdrawn" };

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
/** Age in seconds at which a finished job is removed that its owner did not. */
const KEPT = { age: 600 };
/** Wall time for removing jobs at the end. */
const REMOVAL_MS = 5000;

interface Pending {
  readonly payload: Payload;
  readonly resolve: (outcome: JobOutcome) => void;
  /** False while the job is on its way to the server. */
  isPut: boolean;
}

/** Opens the queue. Throws `UsageError` if the server cannot be reached. */
export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { address, say, texts, times } = options;
  const connection = await connect(address, say, times);
  const build = buildId();
  const owner = randomUUID();
  const about = { build, host: hostname(), pid: process.pid, jobs: 0 };
  const presence = await announce(connection.redis, { kind: "owner", id: owner, about }, texts);
  const queue = createQueue(connection, build);
  const jobs = createPendingJobs(queue, owner);
  const events = listen(connection, build, jobs);
  const workers = watchWorkers(connection, build, say);
  const lookUp = setInterval(() => void jobs.lookUp().catch(() => undefined), LOOK_UP_MS);
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

interface PendingJobs extends Pick<JobQueue, "run" | "withdraw"> {
  settle(id: string, outcome: JobOutcome): void;
  /** Settles the jobs whose events were lost. */
  lookUp(): Promise<void>;
  /** Withdraws waiting jobs, calls `drop`, and removes the others when their workers have dropped them. */
  removeAll(drop: () => Promise<void>): Promise<void>;
}

function createPendingJobs(queue: Queue<Payload>, owner: string): PendingJobs {
  const pending = new Map<string, Pending>();
  let count = 0;
  const settle = (id: string, outcome: JobOutcome): void => {
    const one = pending.get(id);
    if (one === undefined) return;
    pending.delete(id);
    one.resolve(outcome);
    void queue.remove(id).catch(() => undefined);
  };
  const put = async (one: Pending): Promise<void> => {
    count += 1;
    const id = `${owner}-${count}`;
    one.isPut = false;
    pending.set(id, one);
    try {
      const options = { jobId: id, removeOnComplete: KEPT, removeOnFail: KEPT };
      await queue.add(one.payload.kind, one.payload, options);
      one.isPut = true;
    } catch (error) {
      settle(id, { kind: "failed", why: (error as Error).message });
    }
  };
  const withdraw = async (): Promise<void> => {
    await Promise.all(
      [...pending.keys()].map(async (id) => {
        // The server does not remove a job that a worker holds.
        if ((await queue.remove(id)) === 1) settle(id, { kind: "withdrawn" });
      }),
    );
  };
  return {
    settle,
    withdraw,
    run: (payload) =>
      new Promise((resolve) => {
        void put({ payload, resolve, isPut: false });
      }),
    lookUp: async () => {
      for (const [id, one] of [...pending]) {
        if (!one.isPut) continue;
        const job = await Job.fromId<Payload>(queue, id);
        if (!pending.has(id)) continue;
        if (job === undefined) {
          pending.delete(id);
          await put(one);
        } else if (job.finishedOn !== undefined) settle(id, outcomeOf(job));
      }
    },
    removeAll: async (drop) => {
      await withdraw();
      await drop();
      while (pending.size > 0) {
        await afterMs(100);
        await withdraw();
      }
    },
  };
}

function outcomeOf(job: Job<Payload>): JobOutcome {
  return job.failedReason === undefined || job.failedReason === ""
    ? { kind: "returned", value: job.returnvalue as unknown }
    : { kind: "failed", why: job.failedReason };
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
  const counting = (): void => void count().catch(() => undefined);
  counting();
  const timer = setInterval(counting, COUNT_WORKERS_MS);
  return { slots: () => slots, absence: () => absence, stop: () => clearInterval(timer) };
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
