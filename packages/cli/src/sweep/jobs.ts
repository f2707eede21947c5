/** The jobs of a sweep: one process each, started when there is something to do, and again when a run took one down. */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Task, TaskResult } from "./messages.ts";

export interface Job {
  /** Always ends with a result: a process that dies or hangs is a failed run. */
  run(task: Task): Promise<TaskResult>;
  end(): void;
}

/** The wall time of a run after which nobody believes in its end any more. */
const PATIENCE_MS = 600_000;

export function createJob(): Job {
  let child: ChildProcess | undefined;
  const end = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  return {
    end,
    run: async (task) => {
      child ??= start();
      const startedAt = performance.now();
      const outcome = await resultFrom(child, task);
      if (typeof outcome !== "string") return outcome;
      end();
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
