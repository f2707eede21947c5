/** Error of an invalid command line: one sentence on standard error, exit code 2. */
import { DiskError } from "@orrery/ports";
import { OperationError, type Problem } from "@orrery/stdx";
import { untilNpxEnds } from "./parent-watch.ts";

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Error of a node that was stopped before it had started. */
export class EndedError extends UsageError {}

/** Sentence for the user about an error; `undefined` for a bug, which has none. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof DiskError) return error.message;
  if (isOfFile(error)) return error.message;
  return error instanceof OperationError ? sentencesOf(error.problem).join("\n") : undefined;
}

/** The sentence of a problem, and those of the problems that were found with it. */
export function sentencesOf(problem: Problem): readonly string[] {
  return [problem, ...(problem.suppressed ?? [])].map(({ type, reason }) => reason ?? type);
}

/** Error of the file system about a path, caused by the environment. */
function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "path" in error;
}

/** Resolves on a signal to stop, or when the parent process that forwards signals, or `npx`, has ended. */
export function signalled(): Promise<"signal"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve("signal"));
    void untilNpxEnds().then(resolve);
    if (process.channel === undefined) return;
    process.on("disconnect", () => resolve("signal"));
    // The listener must not keep a finished process alive.
    process.channel.unref();
  });
}
