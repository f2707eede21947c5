/** Folder for the bundles of failures: created if missing, and removed again if nothing was kept. */
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../usage.ts";

/**
 * Creates the folder, and throws before any run if it cannot be written. Returns the function that removes the created
 * folders that are empty.
 */
export function prepareFolder(path: string): () => void {
  const made = attempt(path, "made", () => makeFolder(path));
  attempt(path, "written", () => {
    const probe = join(path, `.${process.pid}.part`);
    writeFileSync(probe, "");
    rmSync(probe);
  });
  return () => {
    for (const folder of made.toReversed()) if (!removeEmpty(folder)) return;
  };
}

/**
 * Creates missing folders one by one, and returns them, outermost first. Node's recursive form loops for ever on some
 * file systems.
 */
export function makeFolder(path: string): readonly string[] {
  const folder = resolve(path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return [];
  if (found !== undefined) throw new Error(`[${folder}] is no folder`);
  const above = dirname(folder) === folder ? [] : makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another sweep created the folder meanwhile.
    if (codeOf(error) === "EEXIST") return above;
    throw error;
  }
  return [...above, folder];
}

/** Removes an empty folder; false if it is not empty, as another sweep may have written to it. */
export function removeEmpty(folder: string): boolean {
  try {
    if (readdirSync(folder).length > 0) return false;
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

function attempt<T>(path: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError(`the folder [${path}] cannot be ${what}: ${(error as Error).message}`);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
