/** A scenario file as it was named: its text, and the plan that the text says. */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LARGEST_FILE_BYTES, parseScenario, type Plan, type ReadFile } from "@orrery/scenario";
import { plugins } from "./plugins.ts";
import { UsageError } from "./usage.ts";

export interface ScenarioFile {
  readonly file: string;
  readonly source: string;
  readonly plan: Plan;
}

/** Throws `UsageError` when it cannot be read, and `OperationError` when it is no scenario. */
export function readScenarioFile(file: string): ScenarioFile {
  const source = readText(file);
  return {
    file,
    source,
    plan: parseScenario(file, source, { readFile: filesBeside(file), plugins }),
  };
}

/** Files that a scenario names are beside it. */
function filesBeside(scenario: string): ReadFile {
  return (name) => {
    const path = resolve(dirname(scenario), name);
    try {
      const { size } = statSync(path);
      if (size > LARGEST_FILE_BYTES)
        return { refusal: `which holds ${size} bytes, more than ${LARGEST_FILE_BYTES}` };
      return { text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return { refusal: "which is not there" };
      return { refusal: `which cannot be read: ${message}` };
    }
  };
}

function readText(file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    if (text.startsWith("SQLite format 3"))
      throw new UsageError(`[${file}] is a bundle, not a scenario: [orrery replay] runs it again`);
    return text;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UsageError(`there is no scenario [${file}]`);
    if (code === "EISDIR") throw new UsageError(`[${file}] is a folder, not a scenario`);
    throw new UsageError(`cannot read [${file}]: ${message}`);
  }
}
