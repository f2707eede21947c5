/** `orrery validate`: reads scenario files and reports the first error of each, and warnings about what may be unintended. */
import { concernsOf, type PlacedConcern } from "@orrery/scenario";
import { readOptions } from "./options.ts";
import { readScenarioFile } from "./scenario-file.ts";
import { sentenceOf, UsageError } from "./usage.ts";

export async function validate(args: readonly string[]): Promise<number> {
  const options = readOptions(args, { json: { type: "boolean" } });
  const files = options.positionals;
  if (files.length === 0)
    throw new UsageError("expected [orrery validate SCENARIO...], at least one scenario file");
  const isJson = options.flag("json");
  let mistakes = 0;
  for (const file of files) {
    const { problem, concerns } = judged(file);
    const serious = concerns.find(({ isSerious }) => isSerious);
    const complaint = problem ?? (serious === undefined ? undefined : sentence(serious));
    const warnings = concerns.filter(({ isSerious }) => !isSerious).map(sentence);
    if (complaint !== undefined) mistakes += 1;
    if (isJson) {
      const line = { event: "validated", file, valid: complaint === undefined };
      const why = complaint === undefined ? {} : { problem: complaint };
      const more = warnings.length === 0 ? {} : { warnings };
      process.stdout.write(`${JSON.stringify({ ...line, ...why, ...more })}\n`);
      continue;
    }
    for (const warning of warnings) process.stderr.write(`orrery: warning: ${warning}\n`);
    if (complaint === undefined) process.stdout.write(`${file}: valid\n`);
    else process.stderr.write(`orrery: ${complaint}\n`);
  }
  return mistakes === 0 ? 0 : 2;
}

interface Judged {
  readonly problem?: string;
  readonly concerns: readonly PlacedConcern[];
}

function judged(file: string): Judged {
  try {
    const { source, plan } = readScenarioFile(file);
    return { concerns: concernsOf(file, source, plan) };
  } catch (error) {
    const problem = sentenceOf(error);
    if (problem === undefined) throw error;
    return { problem, concerns: [] };
  }
}

function sentence({ place, says }: PlacedConcern): string {
  return "file" in place ? `${place.file}:${place.line}:${place.column}: ${says}` : says;
}
