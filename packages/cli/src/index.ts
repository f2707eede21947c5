/** The `orrery` command: looks at the first words and hands the rest to the command they name. */
import { sentenceOf, usage, UsageError } from "./usage.ts";

/** The exit code: 0 done, 1 failed, 2 bad input. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await command(args);
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    return complain(sentence);
  }
}

/** Each command loads only what it needs: a cluster is up in a fraction of a second because of it. */
async function command(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  switch (name) {
    case "up":
      return (await import("./up.ts")).up(rest);
    case "node":
      return (await import("./node-command.ts")).nodeCommand(rest);
    case "run":
      return (await import("./run.ts")).run(rest);
    case undefined:
    case "help":
    case "--help":
    case "-h":
      process.stdout.write(`${usage}\n`);
      return 0;
    default:
      throw new UsageError(`unknown command [${name}]: expected one of [up, node start, run]`);
  }
}

function complain(sentence: string): number {
  process.stderr.write(`orrery: ${sentence}\n`);
  return 2;
}
