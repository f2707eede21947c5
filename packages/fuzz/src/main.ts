/** `npm run fuzz`: exit code 0 no finding, 1 findings, 2 invalid input. With `--json` the last line is the summary. */
import { randomInt } from "node:crypto";
import { createCell } from "./cell.ts";
import { BadInput, readCommandLine, usage, type CommandLine } from "./command-line.ts";
import { fuzz, type Totals } from "./loop.ts";
import { createPrinter, type Printer } from "./print.ts";
import { worstOf } from "./measured.ts";
import { runAll } from "./reduce.ts";
import { runAllTogether } from "./reduce-together.ts";
import { replayLine } from "./replay-line.ts";
import type { SessionOptions } from "./target.ts";
import { targets, type TargetName } from "./targets/table.ts";

export async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  try {
    const line = readCommandLine(args, () => randomInt(2 ** 31));
    const printer = createPrinter(line.isJson, (text) => process.stdout.write(`${text}\n`));
    return await (line.replay === undefined ? run(line, printer) : replay(line, printer));
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    process.stderr.write(`fuzz: ${error.message}\n`);
    return 2;
  }
}

async function run(line: CommandLine, printer: Printer): Promise<number> {
  const { seed } = line;
  let all: Totals = { cases: 0, sessions: 0, findings: 0, seconds: 0 };
  for (const name of line.targets) {
    printer.started(name, seed);
    const totals = await fuzz({
      name,
      target: targets[name],
      cell: createCell(name),
      seed,
      nodes: line.nodes,
      session: {
        ...{ world: worldOf(line, name), port: line.port, inFlight: line.inFlight },
        ...oracleOf(line),
      },
      from: line.from,
      mostCases: line.cases,
      mostMs: line.minutes * 60_000,
      nowMs: () => performance.now(),
      report: (event) => printer.event(name, event),
    });
    printer.summary(name, seed, totals);
    const measured = worstOf(all.measured, totals.measured);
    all = {
      ...(measured === undefined ? {} : { measured }),
      cases: all.cases + totals.cases,
      sessions: all.sessions + totals.sessions,
      findings: all.findings + totals.findings,
      seconds: Math.round((all.seconds + totals.seconds) * 10) / 10,
    };
  }
  if (line.targets.length > 1) printer.summary("all", seed, all);
  return all.findings === 0 ? 0 : 1;
}

async function replay(line: CommandLine, printer: Printer): Promise<number> {
  const [name] = line.targets;
  const { replay: cases = [] } = line;
  if (name === undefined) throw new BadInput("[--replay] needs the target: [--target NAME]");
  const target = targets[name];
  const cell = createCell(name);
  const { seed, port, nodes, inFlight } = line;
  const session: SessionOptions = {
    world: worldOf(line, name),
    nodes: nodes[0] ?? 1,
    seed,
    port,
    inFlight,
    ...oracleOf(line),
  };
  const startedMs = performance.now();
  const runCases =
    session.world !== "sim" && inFlight > 1 && target.casesTogether !== undefined
      ? runAllTogether
      : runAll;
  const finding = await runCases({ target, cell, session }, cases);
  await cell.close();
  if (finding !== undefined) {
    const about = target.describe(cases.at(-1) ?? null);
    const told = {
      ...finding,
      about,
      replay: replayLine(name, session, cases) ?? "",
      isReproduced: true,
    };
    printer.event(name, { kind: "finding", finding: { ...told, case: cases.length - 1 } });
  }
  printer.summary(name, seed, {
    cases: cases.length,
    sessions: 1,
    findings: finding === undefined ? 0 : 1,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  });
  return finding === undefined ? 0 : 1;
}

function oracleOf({ oracle }: CommandLine): Pick<SessionOptions, "oracle"> {
  return oracle === undefined ? {} : { oracle };
}

function worldOf(line: CommandLine, name: TargetName): SessionOptions["world"] {
  const { worlds } = targets[name];
  return line.world !== undefined && worlds.includes(line.world) ? line.world : worlds[0];
}
