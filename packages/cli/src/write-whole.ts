/** Writes a file so that whoever looks finds what was there before, or all of the new one. */
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./usage.ts";

export function writeWhole(path: string, text: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new UsageError(`[${path}] cannot be written: it is a folder`);
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, text);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? `there is no folder [${dirname(path)}]` : message;
    throw new UsageError(`[${path}] cannot be written: ${why}`);
  }
}
