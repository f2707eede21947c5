/** A command line that cannot be carried out: one clear sentence on standard error, exit code 2. */
import { DiskError } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A node is down before it was up, because somebody ended it. */
export class EndedError extends UsageError {}

/** What a person is told of an error that is no bug; `undefined` for one that is. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof DiskError) return error.message;
  if (isOfFile(error)) return error.message;
  return error instanceof OperationError ? (error.problem.reason ?? error.problem.type) : undefined;
}

/** What the file system says of a path: the surroundings are wrong, not the program. */
function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "path" in error;
}

/** Ends with a signal to stop, or when the process that passes signals on is gone. */
export function signalled(): Promise<"signal"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve("signal"));
    if (process.channel === undefined) return;
    process.on("disconnect", () => resolve("signal"));
    // Listening must not keep a process alive that is done.
    process.channel.unref();
  });
}
