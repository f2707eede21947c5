/** The files of this repository, as its own tests see them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export const root: string = join(import.meta.dirname, "..");
const skipped = new Set(["node_modules", "dist", ".git", ".turbo", "generated", "coverage"]);

/** Paths relative to the root of all files below a folder that end in `suffix`. */
export function filesBelow(folder: string, suffix: string): string[] {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(start, entry.name);
    if (entry.isDirectory()) return filesBelow(relative(root, path), suffix);
    return entry.name.endsWith(suffix) ? [relative(root, path)] : [];
  });
}

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function exists(path: string): boolean {
  return existsSync(join(root, path));
}

export const packageNames: readonly string[] = readdirSync(join(root, "packages"), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory() && exists(`packages/${entry.name}/package.json`))
  .map(({ name }) => name);
