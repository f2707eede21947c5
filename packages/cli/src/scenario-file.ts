/** Scenario with its text, its plan, and the files that it names; read from a path or from texts. */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { LARGEST_FILE_BYTES, parseScenario, type Plan, type ReadFile } from "@orrery/scenario";
import { lab } from "./lab.ts";
import { UsageError } from "./usage.ts";

export interface ScenarioFile {
  readonly file: string;
  readonly source: string;
  /** Texts of the files that the scenario names, by these names. */
  readonly files: ReadonlyMap<string, string>;
  readonly plan: Plan;
}

/** Scenario that was read elsewhere. */
export interface ScenarioTexts {
  readonly source: string;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads and parses a scenario file. Throws `UsageError` if the file cannot be read, `OperationError` if it is no valid
 * scenario.
 */
export function readScenarioFile(file: string): ScenarioFile {
  const source = readText(file);
  const files = new Map<string, string>();
  const read = filesBeside(file);
  const readFile: ReadFile = (name) => {
    const found = read(name);
    if ("text" in found) files.set(name, found.text);
    return found;
  };
  return { file, source, files, plan: parseScenario(file, source, { ...lab, readFile }) };
}

/** Parses texts as `readScenarioFile` does those of a path. Throws `OperationError` if they are no valid scenario. */
export function scenarioOfTexts(
  file: string,
  { source, files: texts }: ScenarioTexts,
): ScenarioFile {
  const files = new Map(Object.entries(texts));
  const readFile: ReadFile = (name) => {
    const text = files.get(name);
    return text === undefined ? { refusal: "which was not sent with it" } : { text };
  };
  return { file, source, files, plan: parseScenario(file, source, { ...lab, readFile }) };
}

/** Reader of the files beside a scenario that it names. */
function filesBeside(scenario: string): ReadFile {
  return (name) => {
    if (name.includes("\0")) return { refusal: "which is no name of a file" };
    const folder = resolve(dirname(scenario));
    const path = resolve(folder, name);
    // A foreign scenario must not copy other files of this machine into a bundle.
    if (relative(folder, path).split(sep)[0] === "..") return { refusal: "which is not beside it" };
    try {
      const found = statSync(path);
      const { size } = found;
      // A device or a pipe may be endless, or block.
      if (!found.isFile()) return { refusal: "which is no file" };
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

/** Read limit, above that of a scenario, whose parser reports its own. */
const LARGEST_SCENARIO_BYTES = 8 * 1024 * 1024;

/** First bytes of a file, also of an endless one. */
function readUpTo(file: string, most: number): string {
  const handle = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(most);
    let size = 0;
    for (;;) {
      const count = readSync(handle, bytes, size, most - size, null);
      size += count;
      if (count === 0 || size === most) return bytes.toString("utf8", 0, size);
    }
  } finally {
    closeSync(handle);
  }
}

function readText(file: string): string {
  try {
    const text = readUpTo(file, LARGEST_SCENARIO_BYTES);
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
