/** A scenario file as it was named: its text, and the plan that the text says. */
import { readFileSync } from "node:fs";
import { parseScenario, type Plan } from "@orrery/scenario";
import { UsageError } from "./usage.ts";

export interface ScenarioFile {
  readonly file: string;
  readonly source: string;
  readonly plan: Plan;
}

/** Throws `UsageError` when it cannot be read, and `OperationError` when it is no scenario. */
export function readScenarioFile(file: string): ScenarioFile {
  const source = readText(file);
  return { file, source, plan: parseScenario(file, source) };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new UsageError(
      isMissing
        ? `there is no scenario [${file}]`
        : `cannot read [${file}]: ${(error as Error).message}`,
    );
  }
}
