/**
 * `orrery worker`: takes jobs of sweeps and explorations from a queue, and runs them in processes of its own, so that it
 * renews the locks of its jobs whatever they compute. A job whose lock expires goes to another worker.
 */
import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { UnrecoverableError, WaitingError, Worker, type Job } from "bullmq";
import type { Redis } from "ioredis";
import { integer, readOptions } from "../options.ts";
import { signalled, UsageError } from "../usage.ts";
import { readAddress } from "./address.ts";
import { buildId, PREFIX, queueName } from "./build.ts";
import { createSlot, RefusedError, type Slot } from "./carry-out.ts";
import { connect, type Connection } from "./connection.ts";
import { OWNER_GONE, readPayload, type Payload } from "./payload.ts";
import { announce, isPresent, present, type About } from "./presence.ts";

/** Lock of a job. A worker that was killed is noticed after the lock and two checks. */
const TIMES = { lockDuration: 6000, lockRenewTime: 2000, stalledInterval: 2000 };
/** Number of workers that may die with a job; the job then fails. */
const MOST_DEATHS = 3;
const LOOK_MS = 1000;
const LOOK_AT_OTHERS_MS = 2000;

export async function worker(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    queue: { type: "string" },
    jobs: { type: "string" },
    json: { type: "boolean" },
  });
  const [stray] = options.positionals;
  if (stray !== undefined)
    throw new UsageError(`unexpected [${stray}]: [orrery worker] takes options only`);
  const queue = options.text("queue");
  if (queue === undefined) throw new UsageError("expected [orrery worker --queue redis://HOST]");
  const given = options.text("jobs") ?? String(availableParallelism());
  const jobs = integer("jobs", given, { low: 1, high: 256 });
  const account = createAccount(options.flag("json"));
  const stop = signalled();
  const connection = await connect(readAddress(queue), account.say);
  const lost = await work(connection, { jobs, account, stop });
  account.finish();
  if (lost === undefined) return 0;
  process.stderr.write(`orrery: ${lost}\n`);
  return 1;
}

interface Account {
  say(line: string): void;
  print(event: object, readable: string): void;
  /** Counts a finished job. */
  count(runs: number): void;
  finish(): void;
}

function createAccount(isJson: boolean): Account {
  const totals = { jobs: 0, runs: 0 };
  const print = (event: object, readable: string): void => {
    process.stdout.write(`${isJson ? JSON.stringify(event) : readable}\n`);
  };
  return {
    say: (line) => process.stderr.write(`${line}\n`),
    print,
    count: (runs) => {
      totals.jobs += 1;
      totals.runs += runs;
    },
    finish: () =>
      print({ event: "summary", ...totals }, `${totals.runs} runs in ${totals.jobs} jobs`),
  };
}

interface WorkOptions {
  readonly jobs: number;
  readonly account: Account;
  readonly stop: Promise<unknown>;
}

/** Takes jobs until it is stopped; returns the reason if the connection was lost. */
async function work(
  connection: Connection,
  { jobs, account, stop }: WorkOptions,
): Promise<string | undefined> {
  const { redis, shown } = connection;
  const build = buildId();
  const about: About = { build, host: hostname(), pid: process.pid, jobs };
  const presence = await announce(redis, { kind: "worker", id: randomUUID(), about });
  const slots = createSlots(redis);
  const taken = createTakenJobs(redis);
  const taker = createTaker(connection, { build, jobs, account, slots, taken });
  const others = watchOthers(redis, build, account.say);
  account.print(
    { event: "ready", build, jobs },
    `worker of version ${build} at the queue ${shown}, ${jobs} ${jobs === 1 ? "job" : "jobs"} at a time`,
  );
  const lost = await Promise.race([stop.then(() => undefined), connection.lost]);
  clearInterval(others);
  // Jobs go back to the queue at once, for other workers.
  taken.returnAll();
  await Promise.race([
    Promise.all([taker.close(), presence.end()]).catch(() => undefined),
    connection.lost,
    new Promise((resolve) => setTimeout(resolve, 5000)),
  ]);
  await slots.end();
  connection.close();
  return lost;
}

interface TakerOptions extends Pick<WorkOptions, "jobs" | "account"> {
  readonly build: string;
  readonly slots: Slots;
  readonly taken: TakenJobs;
}

function createTaker(
  { redis }: Connection,
  { build, jobs, account, slots, taken }: TakerOptions,
): Worker<Payload> {
  const carryOut = async (job: Job<Payload>, token = ""): Promise<unknown> => {
    const payload = readPayload(job.data, build);
    if ("refusal" in payload) {
      account.say(payload.refusal);
      throw new UnrecoverableError(payload.refusal);
    }
    const entry = taken.add(job.id ?? "", payload.owner);
    const slot = slots.take();
    try {
      const value = await slot.run(payload, entry.signal);
      account.count(payload.kind === "sweep" ? payload.seeds.length : 1);
      return value;
    } catch (error) {
      if (entry.signal.reason === "return") {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const why = entry.signal.aborted ? OWNER_GONE : (error as Error).message;
      if (error instanceof RefusedError && why !== OWNER_GONE) account.say(why);
      throw new UnrecoverableError(why);
    } finally {
      slots.give(slot);
      entry.end();
    }
  };
  const taker = new Worker<Payload>(queueName(build), carryOut, {
    connection: redis,
    prefix: PREFIX,
    concurrency: jobs,
    maxStalledCount: MOST_DEATHS,
    runRetryDelay: 1000,
    drainDelay: 2,
    ...TIMES,
  });
  // The connection itself reports its loss.
  taker.on("error", () => undefined);
  // Another worker has the job by now.
  taker.on("lockRenewalFailed", (ids) => {
    for (const id of ids) taken.drop(id);
  });
  return taker;
}

interface Slots {
  take(): Slot;
  give(slot: Slot): void;
  end(): Promise<void>;
}

function createSlots(redis: Redis): Slots {
  const all = new Set<Slot>();
  const free: Slot[] = [];
  return {
    take: () => {
      const slot = free.pop() ?? createSlot(redis);
      all.add(slot);
      return slot;
    },
    give: (slot) => void free.push(slot),
    end: async () => {
      await Promise.all([...all].map((slot) => slot.end()));
    },
  };
}

interface TakenJobs {
  add(id: string, owner: string): { readonly signal: AbortSignal; end(): void };
  /** Ends a job whose result nobody waits for. */
  drop(id: string): void;
  /** Ends all jobs, which go back to the queue. */
  returnAll(): void;
}

/** Jobs that run now. The job of an owner that is gone is dropped. */
function createTakenJobs(redis: Redis): TakenJobs {
  const jobs = new Map<string, { readonly owner: string; readonly controller: AbortController }>();
  let isReturning = false;
  const look = async (): Promise<void> => {
    for (const [id, { owner, controller }] of [...jobs])
      if (!(await isPresent(redis, "owner", owner)) && jobs.get(id)?.controller === controller)
        controller.abort("drop");
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  timer.unref();
  return {
    add: (id, owner) => {
      const controller = new AbortController();
      if (isReturning) controller.abort("return");
      jobs.set(id, { owner, controller });
      return { signal: controller.signal, end: () => void jobs.delete(id) };
    },
    drop: (id) => jobs.get(id)?.controller.abort("drop"),
    returnAll: () => {
      isReturning = true;
      for (const { controller } of jobs.values()) controller.abort("return");
    },
  };
}

/** Says which jobs this worker refuses: those of other versions. */
function watchOthers(redis: Redis, build: string, say: (line: string) => void): NodeJS.Timeout {
  const said = new Set<string>();
  const look = async (): Promise<void> => {
    for (const owner of await present(redis, "owner")) {
      if (owner.build === build || said.has(owner.build)) continue;
      said.add(owner.build);
      say(
        `jobs of version [${owner.build}] from [${owner.host}] are refused: this worker is of version [${build}]; they wait for a worker of their own`,
      );
    }
  };
  const looking = (): void => void look().catch(() => undefined);
  looking();
  return setInterval(looking, LOOK_AT_OTHERS_MS);
}
