/** The jobs of a sweep: one process each, started when there is something to do, and again when a run took one down. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { removePart } from "../write-whole.ts";
import type { Task, TaskResult } from "./messages.ts";

export interface Job {
  /** Always ends with a result: a process that dies or hangs is a failed run. */
  run(task: Task): Promise<TaskResult>;
  /** Resolves when it is gone, and what it had begun to write with it. */
  end(): Promise<void>;
}

/** The wall time of a run after which nobody believes in its end any more. */
const PATIENCE_MS = 600_000;

export function createJob(): Job {
  let child: ChildProcess | undefined;
  let current: Task | undefined;
  const end = async (): Promise<void> => {
    const ended = child;
    const keep = current?.keep;
    child = undefined;
    if (ended === undefined) return;
    if (ended.exitCode === null && ended.signalCode === null) {
      const exit = once(ended, "exit");
      ended.kill("SIGKILL");
      await exit;
    }
    if (keep !== undefined) removePart(keep, ended.pid ?? 0);
  };
  return {
    end,
    run: async (task) => {
      child ??= start();
      current = task;
      const startedAt = performance.now();
      const outcome = await resultFrom(child, task);
      if (typeof outcome !== "string") {
        current = undefined;
        return outcome;
      }
      await end();
      const wall = Math.round(performance.now() - startedAt);
      return { verdict: "fail", hash: "", wall_ms: wall, why: outcome };
    },
  };
}

/** The sources run as they are, in tests; else there is one file a program. */
function start(): ChildProcess {
  const isSource = import.meta.filename.endsWith(".ts");
  return fork(join(import.meta.dirname, isSource ? "job.ts" : "sweep-job.js"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [
      "--max-semi-space-size=64",
      "--disable-proto=delete",
      // Every core has a job of its own: threads that collect memory would only be in their way.
      "--single-threaded-gc",
      ...(isSource ? ["--conditions=source", "--no-warnings"] : []),
    ],
  });
}

/** A sentence when there will be none. */
function resultFrom(child: ChildProcess, task: Task): Promise<TaskResult | string> {
  return new Promise((resolve) => {
    const settle = (outcome: TaskResult | string): void => {
      clearTimeout(timer);
      child.off("message", settle);
      child.off("exit", onExit);
      resolve(outcome);
    };
    const onExit = (code: number | null, signal: string | null): void =>
      settle(`the run's process ended with ${signal ?? `exit code ${code}`}`);
    const timer = setTimeout(
      () => settle(`the run gave no verdict within ${PATIENCE_MS / 1000} s`),
      PATIENCE_MS,
    );
    child.on("message", settle);
    child.on("exit", onExit);
    child.send(task);
  });
}
