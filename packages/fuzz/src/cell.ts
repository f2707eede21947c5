/**
 * Cell: a thread with a session, and a watchdog for it. A case that exceeds its processor time, ends the thread or
 * exhausts its heap becomes an outcome, and the next case runs in a new thread.
 *
 * Processor time counts, not wall time, so that a busy machine causes no findings. A case without processor time is
 * bounded by `PATIENCE_MS`.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { assert, type Json } from "@orrery/stdx";
import type { FromCell, ToCell } from "./cell-messages.ts";
import type { Finding, Outcome, SessionOptions, TogetherOutcome } from "./target.ts";
import { placeOf } from "./words.ts";
import { targets, type TargetName } from "./targets/table.ts";

/** Runner of sessions: a thread, or in a test an object in the same thread. */
export interface Cell {
  /** Opens a new session in place of the previous one. */
  open(options: SessionOptions): Promise<Finding | undefined>;
  run(given: Json): Promise<Outcome>;
  /** As `Session.runTogether`. A thread that ends is a suspicion about all cases. */
  runTogether(given: readonly Json[]): Promise<TogetherOutcome>;
  settle(): Promise<TogetherOutcome>;
  close(): Promise<void>;
}

const HANG_CPU_MS = 5000;
const PATIENCE_MS = 120_000;
/** Bounds of concurrent cases, which the session itself judges; they only end a session that no longer does. */
const TOGETHER = { hangMs: 120_000, patienceMs: 600_000 };
/** Bounds of the opening of a session: its thread loads the program, which takes seconds on a slow machine. */
const OPENING = { hangMs: 60_000, patienceMs: PATIENCE_MS };
const LOOK_EVERY_MS = 250;
const HEAP_MB = 1536;

interface Bounds {
  /** Processor time. */
  readonly hangMs: number;
  readonly patienceMs: number;
}

/** Cell for a target; the thread starts with its first session. */
export function createCell(target: TargetName): Cell {
  const { hangMs = HANG_CPU_MS } = targets[target];
  let worker: Worker | undefined;

  const ask = async (
    message: ToCell,
    bounds: Bounds = { hangMs, patienceMs: PATIENCE_MS },
  ): Promise<FromCell | Finding> => {
    worker ??= new Worker(new URL("cell-thread.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // Flags of this process that concern its own program are rejected in a worker.
      execArgv: process.execArgv.filter((flag) => /^(--conditions|-C|--import)/.test(flag)),
    });
    const told = await askWorker(worker, message, bounds);
    if (!("cause" in told)) return told;
    await worker.terminate();
    worker = undefined;
    return told;
  };

  const askTogether = async (message: ToCell): Promise<TogetherOutcome> => {
    // The end of the thread has been reported already.
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

/** Response of the worker, or the finding that explains its absence. */
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
    // `once` rejects with the error that the thread emits.
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

/** Resolves with a finding when the case exceeds its bounds; never after the signal. */
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
