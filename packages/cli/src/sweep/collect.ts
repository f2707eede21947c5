/** `orrery collect`: one summary and one JUnit report of a sweep that ran in parts on several machines. */
import { checkWritable } from "../atomic-file.ts";
import { readOptions } from "../options.ts";
import { UsageError } from "../usage.ts";
import { conclude } from "./conclude.ts";
import { collectParts } from "./parts.ts";
import type { SweptRun } from "./totals.ts";

export async function collect(args: readonly string[]): Promise<number> {
  const options = readOptions(args, { junit: { type: "string" }, json: { type: "boolean" } });
  const paths = options.positionals;
  if (paths.length === 0)
    throw new UsageError("expected [orrery collect DIR...], the folders or files of the parts");
  const junit = options.text("junit");
  if (junit !== undefined) checkWritable(junit);
  const { runs, planned, wallMs, troubles } = collectParts(paths);
  for (const run of runs) if (run.verdict !== "pass") tell(run);
  for (const trouble of troubles) process.stderr.write(`${trouble}\n`);
  const files = [...new Set(runs.map(({ file }) => file))].toSorted();
  const { isPassed } = conclude({
    runs,
    files,
    planned: (file) => planned.get(file) ?? 0,
    wallMs,
    junit,
    isJson: options.flag("json"),
    interrupted: [],
    reason: troubles.length === 0 ? "left out by the parts" : "parts are missing",
  });
  return isPassed && troubles.length === 0 ? 0 : 1;
}

function tell({ verdict, file, seed, why, bundle, replay }: SweptRun): void {
  const kept = bundle === undefined ? "" : `\nbundle: ${bundle}`;
  process.stderr.write(`${verdict}: ${file} seed ${seed}: ${why}${kept}\nreplay: ${replay}\n`);
}
