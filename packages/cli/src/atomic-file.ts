/** Atomic writing of a file: readers find the previous content, or all of the new one. */
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./usage.ts";

/** Writes the text atomically. Throws `UsageError` if the path cannot be written. */
export function writeAtomically(path: string, text: string): void {
  const place = openPartialFile(path);
  try {
    writeFileSync(place.handle, text);
  } catch (error) {
    place.abandon();
    throw notWritable(path, error);
  }
  place.finish();
}

/**
 * Checks that output and input are different files, as they are not if two arguments are swapped. Throws `UsageError`.
 */
export function checkOther(output: string, input: string): void {
  const [written, read] = [output, input].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (written === undefined || written.dev !== read?.dev || written.ino !== read.ino) return;
  throw new UsageError(`[${output}] is what is read: it would be lost`);
}

/** Throws now the error that a later write to the path would throw, without changing anything. */
export function checkWritable(path: string): void {
  openPartialFile(path).abandon();
}

/** File that is written piece by piece. */
export interface PartialFile {
  readonly handle: number;
  /** Moves the file to its path. */
  finish(): void;
  /** Removes the partial file and leaves the previous one; does nothing after `finish`. */
  abandon(): void;
}

/**
 * Opens a file that is written piece by piece and put in place at the end. Throws `UsageError` if the path cannot be
 * written.
 */
export function openPartialFile(path: string): PartialFile {
  let part: string | undefined;
  let handle: number;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw new Error("it is a folder");
    // A device such as /dev/stdout is written directly, not replaced.
    if (found === undefined || found.isFile()) part = partOf(path, process.pid);
    // Another user may have placed a symbolic link at this name.
    if (part !== undefined) rmSync(part, { force: true });
    handle = openSync(part ?? path, part === undefined ? "w" : "wx");
  } catch (error) {
    throw notWritable(path, error);
  }
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  const abandon = (): void => {
    if (!isOpen) return;
    close();
    if (part !== undefined) rmSync(part, { force: true });
  };
  return {
    handle,
    finish: () => {
      close();
      try {
        if (part !== undefined) renameSync(part, path);
      } catch (error) {
        if (part !== undefined) rmSync(part, { force: true });
        throw notWritable(path, error);
      }
    },
    abandon,
  };
}

/** Name of the partial file; bundles use the same form. */
function partOf(path: string, pid: number): string {
  return `${path}.${pid}.part`;
}

/** Removes the partial file of a process that was killed. */
export function removePart(path: string, pid: number): void {
  rmSync(partOf(path, pid), { force: true });
}

export function notWritable(path: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === "ENOENT" ? `there is no folder [${dirname(path)}]` : message;
  return new UsageError(`[${path}] cannot be written: ${why}`);
}
