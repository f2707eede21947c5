/** The `orrery` command: selects the command by the first words and passes the rest to it. */
import { closePrototypes, similar } from "@orrery/stdx";
import { commandNames, helpOf, overview, type CommandName } from "./help.ts";
import { sentenceOf, UsageError } from "./usage.ts";
import { version } from "./version.ts";

/** Runs a command line; returns the exit code: 0 done, 1 failed, 2 invalid input. */
export async function main(args: readonly string[]): Promise<number> {
  closePrototypes();
  // A reader such as [head] may close the pipe early; the command continues.
  for (const stream of [process.stdout, process.stderr])
    stream.off("error", unlessClosed).on("error", unlessClosed);
  try {
    return await command(args);
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    return complain(sentence);
  }
}

function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

type Command = (args: readonly string[]) => Promise<number>;

/** Commands, loaded on demand: loading only the needed modules keeps the start of a cluster short. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  up: async () => (await import("./up.ts")).up,
  node: async () => (await import("./node-command.ts")).nodeCommand,
  serve: async () => (await import("./serve/serve.ts")).serve,
  fault: async () => (await import("./fault.ts")).fault,
  run: async () => (await import("./run.ts")).run,
  sweep: async () => (await import("./sweep/sweep.ts")).sweep,
  explore: async () => (await import("./explore/explore.ts")).explore,
  replay: async () => (await import("./replay.ts")).replay,
  trace: async () => (await import("./trace.ts")).trace,
  report: async () => (await import("./report.ts")).report,
  shrink: async () => (await import("./shrink.ts")).shrinkBundle,
  validate: async () => (await import("./validate.ts")).validate,
  new: async () => (await import("./new.ts")).newScenario,
  collect: async () => (await import("./sweep/collect.ts")).collect,
  worker: async () => (await import("./queue/worker.ts")).worker,
  config: async () => (await import("./config.ts")).config,
  completion: async () => (await import("./completion/completion.ts")).completion,
};

async function command(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || ["help", "--help", "-h"].includes(name)) {
    const [about] = rest;
    if (about === undefined || about.startsWith("-")) return print(overview);
    if (isCommand(about)) return print(await helpAbout(about, rest.slice(1)));
    throw unknownCommand(about);
  }
  if (["version", "--version", "-V"].includes(name)) return print(version);
  if (!isCommand(name)) throw unknownCommand(name);
  if (rest.includes("--help") || rest.includes("-h")) return print(await helpAbout(name, rest));
  const run = await commands[name]();
  return run(rest);
}

/** Help of a command, or of one verb of [fault]. */
async function helpAbout(name: CommandName, args: readonly string[]): Promise<string> {
  const verb = args.find((arg) => !arg.startsWith("-"));
  if (name !== "fault" || verb === undefined) return helpOf(name);
  const { helpOfVerb } = await import("./fault-help.ts");
  return helpOfVerb(verb);
}

function unknownCommand(name: string): UsageError {
  const [near] = similar(name, commandNames);
  const hint =
    near === undefined
      ? `: expected one of [${commandNames.join(", ")}]`
      : ` -> did you mean [${near}]?`;
  return new UsageError(`unknown command [${name}]${hint}`);
}

function isCommand(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(commands, name);
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function complain(sentence: string): number {
  process.stderr.write(`orrery: ${sentence}\n`);
  return 2;
}
