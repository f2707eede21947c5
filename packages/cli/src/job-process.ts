/** A process that does what it is told, one task after the other: started when there is something to do, and again when a task took it down. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface JobProcess<Task extends object, Result extends object> {
  /** A sentence when there is no result: the process died, or hangs and was ended. */
  run(task: Task): Promise<Result | string>;
  /** Resolves with the number of the process that is gone; `undefined` when there was none. */
  end(): Promise<number | undefined>;
}

export interface JobProgram {
  /** The program of a build, beside this one. */
  readonly name: string;
  /** Its source, below this folder. */
  readonly source: string;
  /** The wall time after which nobody believes in the end of a task any more. */
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

/** The sources run as they are, in tests; else there is one file a program. */
function start({ name, source }: JobProgram): ChildProcess {
  const isSource = import.meta.filename.endsWith(".ts");
  return fork(join(import.meta.dirname, isSource ? source : `${name}.js`), {
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
