/** Writes a file so that whoever looks finds what was there before, or all of the new one. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { UsageError } from "./usage.ts";

export function writeWhole(path: string, text: string): void {
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, text);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new UsageError(`[${path}] cannot be written: ${(error as Error).message}`);
  }
}
