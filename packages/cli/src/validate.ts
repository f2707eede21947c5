/** `orrery validate`: reads scenario files and reports the first error of each. */
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
    const problem = problemOf(file);
    if (problem !== undefined) mistakes += 1;
    if (isJson) {
      const line = { event: "validated", file, valid: problem === undefined };
      const why = problem === undefined ? {} : { problem };
      process.stdout.write(`${JSON.stringify({ ...line, ...why })}\n`);
    } else if (problem === undefined) process.stdout.write(`${file}: valid\n`);
    else process.stderr.write(`orrery: ${problem}\n`);
  }
  return mistakes === 0 ? 0 : 2;
}

function problemOf(file: string): string | undefined {
  try {
    readScenarioFile(file);
    return undefined;
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    return sentence;
  }
}
