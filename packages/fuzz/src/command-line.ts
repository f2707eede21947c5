/** Options of `npm run fuzz`, validated. */
import { worldNames, type WorldName } from "@orrery/scenario";
import { parseArgs } from "node:util";
import type { Json } from "@orrery/stdx";
import { readCases } from "./replay-line.ts";
import type { NodeCount } from "./target.ts";
import { targetNames, targets, type TargetName } from "./targets/table.ts";

export interface CommandLine {
  readonly targets: readonly TargetName[];
  readonly seed: number;
  readonly minutes: number;
  readonly cases: number;
  readonly nodes: readonly NodeCount[];
  /** World; `undefined`: the first one of each target. */
  readonly world: WorldName | undefined;
  readonly port: number;
  readonly inFlight: number;
  /** Number of the first case. */
  readonly from: number;
  readonly replay: readonly Json[] | undefined;
  readonly oracle: string | undefined;
  readonly isJson: boolean;
}

/** Invalid command line; its message is one sentence for the user. */
export class BadInput extends Error {}

export const usage: string = `npm run fuzz -- [options]
  --target ${targetNames.join("|")}   default: all, one after another
  --seed N           default: drawn, and printed
  --minutes M        for each target; default 1, or no bound with --cases
  --cases N          for each target; default: no bound
  --nodes 1|3        default: both, in turns
  --world sim|memory|grpc|websocket   default: the target's own
  --port P           the first port of clusters of processes; default 21700
  --in-flight N      cases at a time in clusters of processes; default 24, and 1 with --replay
  --from K           the number of the first case; default 0
  --replay LINE      runs the cases of a finding again
  --with-oracle URL  the product, on 127.0.0.1, which is wiped: no 5xx where it gives 4xx (http, one node, sim)
  --json             NDJSON; the last line is the summary`;

const IN_FLIGHT = 24;
const DEFAULT_PORT = 21_700;

export function readCommandLine(args: readonly string[], drawSeed: () => number): CommandLine {
  const given = parse(args);
  const names =
    given.target === undefined ? targetNames : [oneOf("target", given.target, targetNames)];
  const world = given.world === undefined ? undefined : oneOf("world", given.world, worldNames);
  for (const name of names) {
    if (world !== undefined && given.target !== undefined && !targets[name].worlds.includes(world))
      throw new BadInput(`[--target ${name}] does not run in the world [${world}]`);
  }
  const replay = given.replay === undefined ? undefined : readCases(given.replay);
  if (given.replay !== undefined && replay === undefined)
    throw new BadInput("[--replay] expects the word that a finding was printed with");
  if (replay !== undefined && given.target === undefined)
    throw new BadInput("[--replay] needs the target: [--target NAME]");
  const oracle = given["with-oracle"];
  if (oracle !== undefined && !/^http:\/\/127\.0\.0\.1:\d+$/.test(oracle))
    throw new BadInput(`[--with-oracle] expects [http://127.0.0.1:PORT], not [${oracle}]`);
  const cases = number("cases", given.cases) ?? Infinity;
  return {
    targets: names,
    seed: number("seed", given.seed) ?? drawSeed(),
    minutes: number("minutes", given.minutes) ?? (cases === Infinity ? 1 : Infinity),
    cases,
    nodes: nodesOf(oracle === undefined ? given.nodes : "1"),
    world,
    port: number("port", given.port) ?? DEFAULT_PORT,
    inFlight: Math.max(1, number("in-flight", given["in-flight"]) ?? (replay ? 1 : IN_FLIGHT)),
    from: number("from", given.from) ?? 0,
    replay,
    oracle,
    isJson: given.json ?? false,
  };
}

function nodesOf(given: string | undefined): readonly NodeCount[] {
  if (given === undefined) return [1, 3];
  return [oneOf("nodes", given, ["1", "3"]) === "1" ? 1 : 3];
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...{ target: text, seed: text, minutes: text, cases: text, nodes: text, world: text },
        "with-oracle": text,
        ...{ "in-flight": text, from: text },
        ...{ port: text, replay: text, json: { type: "boolean" } },
      },
    });
    return values;
  } catch (error) {
    // The message of Node's parser names the option.
    throw new BadInput(error instanceof Error ? error.message : String(error));
  }
}

function oneOf<const Value extends string>(
  name: string,
  given: string,
  values: readonly Value[],
): Value {
  const found = values.find((value) => value === given);
  if (found === undefined)
    throw new BadInput(`[--${name}] expects one of [${values.join(", ")}], not [${given}]`);
  return found;
}

function number(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  const isCount =
    given.trim() !== "" &&
    value >= 0 &&
    (name === "minutes" ? Number.isFinite(value) : Number.isSafeInteger(value));
  if (!isCount) throw new BadInput(`[--${name}] expects a number, not [${given}]`);
  return value;
}
