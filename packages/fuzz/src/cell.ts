/**
 * A thread with a session in it, and a watchdog beside it: a case that takes too much time of the processor, ends the thread
 * or outgrows its heap is told as an outcome, and the next case finds a new thread.
 *
 * The time of the processor counts, not that of the wall: a busy machine makes no findings. A case that uses none has the
 * longer bound of `PATIENCE_MS`.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { assert, type Json } from "@orrery/stdx";
import type { FromCell, ToCell } from "./cell-messages.ts";
import type { Finding, Outcome, SessionOptions, TogetherOutcome } from "./target.ts";
import { placeOf } from "./words.ts";
import { targets, type TargetName } from "./targets/table.ts";

/** What runs sessions: a thread, or in a test the session itself. */
export interface Cell {
  /** A new session in the place of the one before. */
  open(options: SessionOptions): Promise<Finding | undefined>;
  run(given: Json): Promise<Outcome>;
  /** As the session's own. A thread that ends instead is a suspicion of no case in particular. */
  runTogether(given: readonly Json[]): Promise<TogetherOutcome>;
  settle(): Promise<TogetherOutcome>;
  close(): Promise<void>;
}

const HANG_CPU_MS = 5000;
const PATIENCE_MS = 120_000;
/** Cases beside each other are judged by the session; this ends one that no longer judges. */
const TOGETHER = { hangMs: 120_000, patienceMs: 600_000 };
/** A session that opens has no case yet: its thread loads the program, which takes seconds on a slow machine. */
const OPENING = { hangMs: 60_000, patienceMs: PATIENCE_MS };
const LOOK_EVERY_MS = 250;
const HEAP_MB = 1536;

interface Bounds {
  /** Of processor time. */
  readonly hangMs: number;
  readonly patienceMs: number;
}

export function createCell(target: TargetName): Cell {
  const { hangMs = HANG_CPU_MS } = targets[target];
  let worker: Worker | undefined;

  const ask = async (
    message: ToCell,
    bounds: Bounds = { hangMs, patienceMs: PATIENCE_MS },
  ): Promise<FromCell | Finding> => {
    worker ??= new Worker(new URL("cell-thread.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // Of the flags of this process those about its own program mean nothing there, and are refused.
      execArgv: process.execArgv.filter((flag) => /^(--conditions|-C|--import)/.test(flag)),
    });
    const told = await askWorker(worker, message, bounds);
    if (!("cause" in told)) return told;
    await worker.terminate();
    worker = undefined;
    return told;
  };

  const askTogether = async (message: ToCell): Promise<TogetherOutcome> => {
    // The thread has ended, which was told.
    if (worker === undefined) return { suspicions: [], isSpent: true };
    const told = await ask(message, TOGETHER);
    if ("cause" in told)
      return { suspicions: [{ finding: told, suspects: [], since: 0 }], isSpent: true };
    assert(told.kind === "together", "cases beside each other have an outcome");
    return told.outcome;
  };

  return {
    open: async (options) => {
      const told = await ask({ kind: "open", target, options }, OPENING);
      return "cause" in told ? told : undefined;
    },
    run: async (given) => {
      assert(worker !== undefined, "a cell is opened before it runs a case");
      const told = await ask({ kind: "run", case: given });
      if ("cause" in told) return { finding: told, isSpent: true };
      assert(told.kind === "outcome", "a case has an outcome");
      return told.outcome;
    },
    runTogether: (cases) => askTogether({ kind: "run-together", cases }),
    settle: () => askTogether({ kind: "settle" }),
    close: async () => {
      if (worker !== undefined) await ask({ kind: "close" });
      await worker?.terminate();
      worker = undefined;
    },
  };
}

/** The answer, or why there is none. */
async function askWorker(
  worker: Worker,
  message: ToCell,
  bounds: Bounds,
): Promise<FromCell | Finding> {
  const over = new AbortController();
  const { signal } = over;
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that one is for windows
    worker.postMessage(message);
    return await Promise.race([
      once(worker, "message", { signal }).then(([told]) => told as FromCell),
      once(worker, "exit", { signal }).then(([code]) => exited(code as number)),
      watch(signal, bounds),
    ]);
  } catch (error) {
    // `once` rejects with what the thread emits as its error.
    return crash(error);
  } finally {
    over.abort();
  }
}

function exited(code: number): Finding {
  return { cause: "crash: exit", detail: `the thread ended with ${code}` };
}

function crash(error: unknown): Finding {
  if (!(error instanceof Error)) return { cause: "crash: thrown", detail: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return { cause: "memory", detail: `the heap outgrew ${HEAP_MB} MB` };
  return {
    cause: `crash: ${error.name} ${placeOf(error.stack)}`,
    detail: (error.stack ?? error.message).split("\n").slice(0, 4).join(" "),
  };
}

/** Ends when the case has taken too long; never after the signal. */
function watch(signal: AbortSignal, { hangMs, patienceMs }: Bounds): Promise<Finding> {
  const from = process.cpuUsage();
  const fromMs = performance.now();
  return new Promise((resolve) => {
    const look = setInterval(() => {
      const { user, system } = process.cpuUsage(from);
      const cpuMs = (user + system) / 1000;
      const elapsedMs = performance.now() - fromMs;
      if (cpuMs > hangMs)
        resolve({
          cause: "hang",
          detail: `no answer after ${Math.round(cpuMs)} ms of processor time`,
        });
      else if (elapsedMs > patienceMs)
        resolve({ cause: "hang", detail: `no answer after ${Math.round(elapsedMs)} ms` });
    }, LOOK_EVERY_MS);
    signal.addEventListener("abort", () => clearInterval(look));
  });
}
