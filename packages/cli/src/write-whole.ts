/** Writes a file so that whoever looks finds what was there before, or all of the new one. */
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./usage.ts";

export function writeWhole(path: string, text: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    throw new UsageError(`[${path}] cannot be written: it is a folder`);
  // What is no file, such as /dev/stdout, takes what is written and stays what it is.
  const isPlace = found === undefined || found.isFile();
  const part = isPlace ? `${path}.${process.pid}.part` : path;
  try {
    writeFileSync(part, text);
    if (isPlace) renameSync(part, path);
  } catch (error) {
    if (isPlace) rmSync(part, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? `there is no folder [${dirname(path)}]` : message;
    throw new UsageError(`[${path}] cannot be written: ${why}`);
  }
}
