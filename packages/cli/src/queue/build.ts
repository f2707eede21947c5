/**
 * Identity of this program on a queue. Only programs of one build give the same hash for the same plan and seed, so each
 * build has a queue of its own: a job never reaches a worker that would run it differently.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../version.ts";

/** Version with a hash of the built program, such as `0.1.0+3fa9c1d20b7e`; `0.1.0+source` if it was not built. */
export function buildId(folder: string = import.meta.dirname): string {
  if (import.meta.filename.endsWith(".ts")) return `${version}+source`;
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith(".js")) hash.update(name).update(readFileSync(join(folder, name)));
  return `${version}+${hash.digest("hex").slice(0, 12)}`;
}

/** Prefix of all keys. The braces keep them on one node of a Redis Cluster, as BullMQ demands. */
export const PREFIX = "{orrery}";

export function queueName(build: string): string {
  return `jobs-${build}`;
}
