/**
 * Jobs of an owner that have no outcome yet.
 *
 * Events of the queue settle jobs at once. Events may be lost with a connection, so all jobs are looked up from time to
 * time as well; a job that the server has forgotten is put on the queue again.
 */
import { Job, type Queue } from "bullmq";
import { OWNER_GONE, type Payload } from "./payload.ts";

export type JobOutcome =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "failed"; readonly why: string }
  /** Taken back before a worker took it. */
  | { readonly kind: "withdrawn" };

export interface PendingJobs {
  run(payload: Payload): Promise<JobOutcome>;
  settle(id: string, outcome: JobOutcome): void;
  /** Settles the jobs whose events were lost. */
  lookUp(): Promise<void>;
  /** Takes back the jobs that no worker has taken. */
  withdraw(): Promise<void>;
  /** Withdraws waiting jobs, calls `drop`, and removes the others when their workers have dropped them. */
  removeAll(drop: () => Promise<void>): Promise<void>;
}

export interface PendingOptions {
  readonly queue: Queue<Payload>;
  readonly owner: string;
  /** Renews the record of the owner. */
  readonly renew: () => Promise<void>;
}

/** Age in seconds at which a finished job is removed that its owner did not. */
const KEPT = { age: 600 };

interface Pending {
  readonly payload: Payload;
  readonly resolve: (outcome: JobOutcome) => void;
  /** False while the job is on its way to the server. */
  isPut: boolean;
}

export function createPendingJobs({ queue, owner, renew }: PendingOptions): PendingJobs {
  const pending = new Map<string, Pending>();
  let count = 0;
  let isClosing = false;
  const settle = (id: string, outcome: JobOutcome): void => {
    const one = pending.get(id);
    if (one === undefined) return;
    pending.delete(id);
    void queue.remove(id).catch(() => undefined);
    if (outcome.kind === "failed" && outcome.why === OWNER_GONE) void putAgain(one);
    else one.resolve(outcome);
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
  const putAgain = async (one: Pending): Promise<void> => {
    if (isClosing) return one.resolve({ kind: "withdrawn" });
    // A worker that finds no record of the owner would refuse the job.
    await renew();
    await put(one);
  };
  const lookUp = async (): Promise<void> => {
    for (const [id, one] of [...pending]) {
      if (!one.isPut) continue;
      const job = await Job.fromId<Payload>(queue, id);
      if (job?.finishedOn !== undefined) settle(id, outcomeOf(job));
      if (job !== undefined || !pending.delete(id)) continue;
      await putAgain(one);
    }
  };
  const withdraw = (): Promise<void> => withdrawAll(queue, [...pending.keys()], settle);
  return {
    settle,
    lookUp,
    withdraw,
    run: (payload) =>
      new Promise((resolve) => {
        void put({ payload, resolve, isPut: false });
      }),
    removeAll: async (drop) => {
      isClosing = true;
      await withdraw();
      await drop();
      while (pending.size > 0) {
        await afterMs(100);
        await withdraw();
      }
    },
  };
}

async function withdrawAll(
  queue: Queue<Payload>,
  ids: readonly string[],
  settle: PendingJobs["settle"],
): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      const job = await Job.fromId<Payload>(queue, id);
      if (job?.finishedOn !== undefined) settle(id, outcomeOf(job));
      // The server does not remove a job that a worker holds.
      else if ((await queue.remove(id)) === 1) settle(id, { kind: "withdrawn" });
    }),
  );
}

function outcomeOf(job: Job<Payload>): JobOutcome {
  return job.failedReason === undefined || job.failedReason === ""
    ? { kind: "returned", value: job.returnvalue as unknown }
    : { kind: "failed", why: job.failedReason };
}

export function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
