/** Bit rot of repositories on this machine, which shows only when they are read. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAtLocation, type RepositoryRule } from "@orrery/ports";
import type { Random } from "@orrery/stdx";

type CorruptionRule = Extract<RepositoryRule, { readonly kind: "repository-corrupt" }>;

/** Flips bits; returns their number, 0 if no blob matches the rule. */
export function rotRepositories(
  roots: readonly string[],
  { location, path, bits }: CorruptionRule,
  random: Random,
): number {
  const files = roots
    .flatMap(filesBelow)
    .filter((file) => isAtLocation(file, location) && file.includes(path));
  let turned = 0;
  for (let bit = 0; bit < bits && files.length > 0; bit += 1) {
    const file = random.pick(files);
    const bytes = readFileSync(file);
    if (bytes.length === 0) continue;
    const at = random.int(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
    writeFileSync(file, bytes);
    turned += 1;
  }
  return turned;
}

/** Files below a folder, sorted; none if it does not exist yet. */
function filesBelow(root: string): readonly string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
