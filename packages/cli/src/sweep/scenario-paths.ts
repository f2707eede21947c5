/** Scenario files of a sweep: a folder stands for all scenarios below it. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../usage.ts";

/** Files in the given order, those of a folder by name; each file once. Throws `UsageError` for a folder without any. */
export function scenarioPaths(given: readonly string[]): readonly string[] {
  return [...new Set(given.flatMap(filesOf))];
}

function filesOf(path: string): readonly string[] {
  // A file that is missing is reported by its reader.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const files = scenariosBelow(path);
  if (files.length === 0) throw new UsageError(`the folder [${path}] has no scenario (*.yaml)`);
  return files;
}

/** Symbolic links are not followed: they may form a circle. */
function scenariosBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return scenariosBelow(path);
    return entry.isFile() && /\.ya?ml$/.test(entry.name) ? [path] : [];
  });
}
