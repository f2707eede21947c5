/** Finding of an exploration, written as a scenario that can be read, run again, and kept. */
import { join } from "node:path";
import { groupOf, printScenario, writeSketch, type Finding, type Sketch } from "@orrery/scenario";
import type { JsonObject } from "@orrery/stdx";
import { lab } from "../lab.ts";
import { replayLine } from "../replay-line.ts";
import { writeAtomically } from "../atomic-file.ts";

export interface Found {
  /** Number of its trial. */
  readonly number: number;
  readonly sketch: Sketch;
  readonly seed: number;
  readonly finding: Finding;
  /** Number of runs that failed in this way. */
  readonly times: number;
  /** Number of runs that shrinking took. */
  readonly runs?: number;
  /** Last events except traffic of its run, after shrinking. */
  readonly last?: readonly string[];
}

interface Report {
  readonly line: JsonObject;
  readonly readable: string;
}

/** Report of a finding before it is shrunk. Shrinking takes a minute, so this report is printed first. */
export function reportFinding({ seed, finding }: Found): Report {
  const { invariant, checker: judge = "run" } = finding;
  const says = firstLineOf(finding);
  return {
    line: {
      event: "finding",
      judge,
      ...(invariant === undefined ? {} : { invariant }),
      says,
      seed,
    },
    readable: `finding: ${invariant ?? judge}: ${says}`,
  };
}

/** Writes the scenario into the folder under a unique name, and returns the report. */
export function writeFinding(folder: string, found: Found): Report {
  const { number, sketch, seed, finding, last = [] } = found;
  const judge = finding.checker ?? "run";
  const name = `${judge}-${number}`;
  const file = join(folder, `${name}.yaml`);
  const says = firstLineOf(finding);
  const claim = `What [${judge}] judges holds, whatever happens. Found by exploration: ${says}`;
  const plan = { ...writeSketch(sketch, { ...lab, name: `found/${name}` }), claim };
  const replay = replayLine({ file, seed });
  writeAtomically(file, printScenario(plan, [...(says.match(/.{1,120}/g) ?? []), replay]));
  const group = groupOf(finding, last);
  return {
    line: { event: "scenario", group, says, file, seed, replay },
    readable: `  group: ${group}\n  replay: ${replay}`,
  };
}

function firstLineOf({ says }: Finding): string {
  return says.split("\n")[0] ?? "";
}
