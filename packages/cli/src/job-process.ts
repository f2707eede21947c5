/**
 * Child process that executes tasks one after the other: started with the first task, and again after a task that ended
 * it.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface JobProcess<Task extends object, Result extends object> {
  /** Result of the task; a sentence if the process died or exceeded `patienceMs`. The caller then calls `end`. */
  run(task: Task): Promise<Result | string>;
  /** Ends the process; resolves with its id, `undefined` if none was running. */
  end(): Promise<number | undefined>;
}

export interface JobProgram {
  /** File name of the built program, beside this one. */
  readonly name: string;
  /** Path of the program's source below this folder. */
  readonly source: string;
  /** Wall time after which a task counts as hanging. */
  readonly patienceMs: number;
}

export function createJobProcess<Task extends object, Result extends object>(
  program: JobProgram,
): JobProcess<Task, Result> {
  let child: ChildProcess | undefined;
  const end = async (): Promise<number | undefined> => {
    const ended = child;
    child = undefined;
    if (ended === undefined) return undefined;
    if (ended.exitCode === null && ended.signalCode === null) {
      const exit = once(ended, "exit");
      ended.kill("SIGKILL");
      await exit;
    }
    return ended.pid;
  };
  return {
    end,
    run: (task) => {
      child ??= start(program);
      return resultFrom<Result>(child, task, program.patienceMs);
    },
  };
}

/** Starts the process: from source in tests, else from the built file. */
function start({ name, source }: JobProgram): ChildProcess {
  const isSource = import.meta.filename.endsWith(".ts");
  return fork(join(import.meta.dirname, isSource ? source : `${name}.js`), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [
      "--max-semi-space-size=64",
      "--disable-proto=delete",
      // Every core runs a job of its own, so parallel garbage collection would only slow down the others.
      "--single-threaded-gc",
      ...(isSource ? ["--conditions=source", "--no-warnings"] : []),
    ],
  });
}

function resultFrom<Result>(
  child: ChildProcess,
  task: object,
  patienceMs: number,
): Promise<Result | string> {
  return new Promise((resolve) => {
    const settle = (outcome: Result | string): void => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(outcome);
    };
    const onMessage = (message: unknown): void => settle(message as Result);
    const onExit = (code: number | null, signal: string | null): void =>
      settle(`the run's process ended with ${signal ?? `exit code ${code}`}`);
    const timer = setTimeout(
      () => settle(`the run gave no verdict within ${patienceMs / 1000} s`),
      patienceMs,
    );
    child.on("message", onMessage);
    child.on("exit", onExit);
    child.send(task);
  });
}
