/** Where bundles of failures go: made folder by folder, and left as it was found when nothing was kept. */
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../usage.ts";

/**
 * Makes it, and tells before anything runs when nothing can be kept in it. Returns what removes the folders that were made and
 * hold nothing.
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
 * Returns the folders that were not there, outermost first. One by one: Node's own way to make all of them at once does not end
 * where a file system refuses without saying why.
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
    // Another sweep was faster.
    if (codeOf(error) === "EEXIST") return above;
    throw error;
  }
  return [...above, folder];
}

/** Whether it is gone. Another sweep may keep something in it at this moment. */
function removeEmpty(folder: string): boolean {
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
