/** Bundle named on the command line, open while an action uses it. */
import { openBundle, type Bundle } from "@orrery/bundle";
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { UsageError } from "./usage.ts";
import type { ParsedOptions } from "./options.ts";
import { version } from "./version.ts";

/** Throws `OperationError` if the file is no complete bundle of this format version. */
export async function withBundle<T>(
  options: ParsedOptions,
  usage: string,
  use: (bundle: Bundle) => T | Promise<T>,
): Promise<T> {
  const [path, ...rest] = options.positionals;
  if (path === undefined || rest.length > 0)
    throw new UsageError(`expected [${usage}], one bundle`);
  const bundle = openBundle(path);
  try {
    return await use(bundle);
  } finally {
    bundle.close();
  }
}

/** Rejects a bundle of another version of the program, in which the run would differ. */
export function checkVersion({ path, run }: Bundle, options: ParsedOptions): void {
  if (run.programVersion === version || options.flag("any-version")) return;
  throw new UsageError(
    `the bundle [${path}] was recorded by version [${run.programVersion}] of orrery, and this is [${version}]: [--any-version] runs it all the same`,
  );
}

/** Plan stored in the bundle as JSON, not validated. Throws `UsageError` if it is no JSON object. */
export function storedPlan({ path, plan }: Bundle): JsonObject {
  let given: Json | undefined;
  try {
    given = JSON.parse(plan.json) as Json;
  } catch {
    given = undefined;
  }
  if (isJsonObject(given)) return given;
  throw new UsageError(`the bundle [${path}] is corrupt: its plan is no JSON object`);
}
