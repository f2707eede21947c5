/** Writes a file so that whoever looks finds what was there before, or all of the new one. */
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./usage.ts";

export function writeWhole(path: string, text: string): void {
  const place = openPlace(path);
  try {
    writeFileSync(place.handle, text);
  } catch (error) {
    place.abandon();
    throw notWritable(path, error);
  }
  place.finish();
}

/** Throws `UsageError` when what would be written takes the place of what is read: two arguments are soon in the wrong order. */
export function checkOther(output: string, input: string): void {
  const [written, read] = [output, input].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (written === undefined || written.dev !== read?.dev || written.ino !== read.ino) return;
  throw new UsageError(`[${output}] is what is read: it would be lost`);
}

/** Says now what would be said once there is something to write, and changes nothing. */
export function checkWritable(path: string): void {
  openPlace(path).abandon();
}

/** Something that is written piece by piece. */
export interface Place {
  readonly handle: number;
  /** From here on it is what is found there. */
  finish(): void;
  /** Leaves what was there before; harmless after `finish`. */
  abandon(): void;
}

/** Throws `UsageError`. */
export function openPlace(path: string): Place {
  let part: string | undefined;
  let handle: number;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw new Error("it is a folder");
    // What is no file, such as /dev/stdout, takes what is written and stays what it is.
    if (found === undefined || found.isFile()) part = partOf(path, process.pid);
    // Somebody else may have put a link under this name.
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

/** As bundles, too, are called until they are whole. */
function partOf(path: string, pid: number): string {
  return `${path}.${pid}.part`;
}

/** What a process had begun to write there when it was killed. */
export function removePart(path: string, pid: number): void {
  rmSync(partOf(path, pid), { force: true });
}

export function notWritable(path: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === "ENOENT" ? `there is no folder [${dirname(path)}]` : message;
  return new UsageError(`[${path}] cannot be written: ${why}`);
}
