/** Texts of `orrery --help` and `orrery COMMAND --help`. A command does not compile without its row. */
import { greatest } from "@orrery/stdx";

export type CommandName =
  | "up"
  | "node"
  | "fault"
  | "run"
  | "sweep"
  | "explore"
  | "replay"
  | "trace"
  | "report"
  | "shrink"
  | "validate"
  | "new";

interface Help {
  readonly group: keyof typeof groups;
  readonly usage: string;
  /** Purpose of the command, in a sentence. */
  readonly says: string;
  /** Meaning of the exit code, if it is more than success or failure. */
  readonly exit?: string;
  readonly options: readonly (readonly [option: string, says: string])[];
  readonly examples?: readonly string[];
}

/** Groups in the order of the overview. */
const groups = {
  cluster: "A cluster",
  scenario: "Scenarios",
  bundle: "A run that was kept",
} as const;

const json: readonly [string, string] = [
  "--json",
  "one JSON object a line on standard output, and nothing else",
];

const help: Readonly<Record<CommandName, Help>> = {
  up: {
    group: "cluster",
    usage: "orrery up [options]",
    says: "starts a cluster, says where its nodes are, and keeps it until Ctrl-C, SIGINT or SIGTERM",
    options: [
      ["--nodes N", "how many nodes (3)"],
      ["--transport T", "grpc, websocket, or memory: all nodes in this process (grpc)"],
      ["--http-port P", "HTTP port of the first node; the others follow (9200)"],
      ["--zones A,B,C", "awareness zones, given to the nodes in turn"],
      ["--data DIR", "where the nodes live; without it a temporary folder, removed at the end"],
      [
        "--control PORT",
        "a local port for orrery fault: stops and starts nodes, makes things go wrong; its token is in ORRERY_CONTROL_TOKEN or made",
      ],
      [
        "-E setting=value",
        "a node setting of the product, for all nodes; may be given several times",
      ],
      json,
    ],
    examples: [
      "orrery up",
      "orrery up --nodes 5 --zones a,b,c --data ~/books --control 9400",
      "orrery up --transport memory -E path.repo=/tmp/repositories",
    ],
  },
  node: {
    group: "cluster",
    usage: "orrery node VERB NAME --data DIR [--json]",
    says: "starts one node of a data folder again, looks at what a stopped one keeps, and repairs it",
    options: [
      ["start", "the node runs in this process"],
      ["inspect", "its log, its vote, and what of them is lost or cannot be applied"],
      ["repair --rejoin", "gives its log up: an elected cluster manager lets it in anew"],
      ["repair --skip-entry INDEX", "passes over the entry that it stopped at; on every node"],
      [
        "repair --accept-data-loss",
        "takes what is left of a log for all of it, when too few nodes have a whole one",
      ],
      [
        "repair --rename",
        "gives the folder of a node that is no more to this one, with its id and its log",
      ],
      ["--data DIR", "the data folder of [orrery up --data DIR]"],
      json,
    ],
    examples: [
      "orrery node start node-2 --data ~/books",
      "orrery node inspect node-2 --data ~/books",
      "orrery node repair node-2 --data ~/books --rejoin",
    ],
  },
  fault: {
    group: "cluster",
    usage: "orrery fault VERB [NODE...] [--key value]... --control PORT",
    says: "stops and starts nodes of a cluster that [orrery up --control PORT] runs, begins and ends faults",
    options: [
      ["list", "what there is, with the keys of each fault"],
      ["status", "the nodes, and the faults that are on"],
      ["heal [ID]", "ends one fault, or all of them"],
      [
        "stop, start, kill, restart NODE",
        "by name, number, or role such as elected-cluster-manager; several with commas",
      ],
      ["pause, resume NODE", "nothing happens on it in between"],
      ["add-node [NAME]", "one more, on the next free ports, with an empty disk; --zone, --roles"],
      ["remove-node NODE", "its power is cut, and it does not come back"],
      [
        "KIND --key value",
        "a fault of [list], with what it takes: partition, delay, disk-full ...",
      ],
      ["--for TIME", "the fault ends by itself after this time, such as 10s"],
      ["--control PORT", "also in ORRERY_CONTROL"],
      [
        "--token TOKEN",
        "also in ORRERY_CONTROL_TOKEN; without it the one that [orrery up] of the same user has left",
      ],
      json,
    ],
    examples: [
      "orrery fault partition node-1 node-2,node-3 --control 9400",
      "orrery fault delay --node node-2 --high 200ms --for 10s --control 9400",
    ],
  },
  run: {
    group: "scenario",
    usage: "orrery run SCENARIO [options]",
    says: "runs a scenario under one seed and gives a verdict",
    exit: "0 pass, 1 fail or inconclusive, 2 bad input",
    options: [
      ["--seed N", "the seed (1)"],
      ["--world W", "sim, memory, grpc, or websocket: the last three in real time (sim)"],
      ["--record BUNDLE", "keeps the run as a bundle, for replay, trace, report and shrink"],
      ["--trace FILE", "writes every event as a line of JSON"],
      json,
    ],
    examples: [
      "orrery run scenarios/failover/cluster-manager-crash.yaml --seed 7 --record run.bundle",
    ],
  },
  sweep: {
    group: "scenario",
    usage: "orrery sweep SCENARIO... [options]",
    says: "runs scenarios under the seeds 1 to N and keeps a bundle of each failure",
    exit: "0 all passed, 1 some did not, 2 bad input",
    options: [
      ["--seeds N", "how many seeds for each scenario (100)"],
      ["--jobs J", "processes at a time (one for each core)"],
      ["--shard I/N", "only the I-th of N parts of the seeds, counted from 1"],
      ["--budget TIME", "starts no run after this time, such as 10m"],
      ["--junit FILE", "writes a JUnit report"],
      ["--keep DIR", "where bundles of failures go (orrery-failures)"],
      ["--twice", "runs each seed again: a hash that is another then is a failure"],
      json,
    ],
    examples: [
      "orrery sweep scenarios/failover/*.yaml --seeds 1000 --shard 2/4 --junit report.xml",
    ],
  },
  explore: {
    group: "scenario",
    usage: "orrery explore [options]",
    says: "runs plans that nobody wrote, drawn and mutated towards behaviour not seen before, and writes each finding as a scenario",
    exit: "0 nothing found, 1 something found, 2 bad input",
    options: [
      ["--budget TIME", "starts no run after this time (30m)"],
      ["--runs N", "or after so many runs"],
      ["--jobs J", "processes at a time (one for each core)"],
      [
        "--area AREA",
        "plans about replication, membership, snapshots, leases, decommission, dangling, or administration; about each in turn when it is not said",
      ],
      ["--seed N", "other plans for each (1); with [--jobs 1] the same plans again"],
      ["--shard I/N", "the I-th of N explorations of this seed: each draws its own plans"],
      ["--corpus DIR", "goes on from what an earlier exploration kept there, and keeps more"],
      ["--keep DIR", "where scenarios of findings go (orrery-findings)"],
      ["--curve FILE", "writes how many behaviours were seen after each run, as CSV"],
      ["--blind", "plans are drawn only, without a look at behaviour: to compare with"],
      json,
    ],
    examples: [
      "orrery explore --budget 10m --corpus corpus",
      "orrery explore --area snapshots --seed 7 --runs 500 --jobs 1",
    ],
  },
  replay: {
    group: "bundle",
    usage: "orrery replay BUNDLE [--json]",
    says: "runs the plan of a bundle again and tells at which event it first differs",
    exit: "0 the same, 1 another run, 2 bad input",
    options: [["--any-version", "also when another version of the program recorded it"], json],
    examples: ["orrery replay run.bundle"],
  },
  trace: {
    group: "bundle",
    usage: "orrery trace BUNDLE [options]",
    says: "prints the events of a bundle",
    options: [
      ["--node NAME", "recorded by this node, or a message from or to it"],
      ["--index NAME", "about this index"],
      ["--shard N", "about shards of this number"],
      ["--message TEXT", "messages and requests whose action has this part; also --action"],
      ["--kind KIND", "events of this kind, such as message-dropped"],
      ["--from TIME", "not before this time of the run, such as 1500ms"],
      ["--to TIME", "not after this time of the run"],
      ["--format F", "text, ndjson, mermaid, shiviz, or perfetto (text)"],
    ],
    examples: ["orrery trace run.bundle --node node-2 --from 2s --to 3s --format mermaid"],
  },
  report: {
    group: "bundle",
    usage: "orrery report BUNDLE [-o report.html]",
    says: "draws a bundle as one HTML file that needs no other",
    options: [["-o, --output FILE", "where to (report.html)"]],
    examples: ["orrery report run.bundle -o crash.html"],
  },
  shrink: {
    group: "bundle",
    usage: "orrery shrink BUNDLE [-o FILE.yaml] [options]",
    says: "writes the fewest faults, operations and nodes that fail in the same way as a scenario",
    options: [
      ["-o, --output FILE", "where to (SCENARIO-shrunk.yaml)"],
      ["--budget TIME", "how long to look for less (55s)"],
      ["--any-version", "also when another version of the program recorded it"],
      json,
    ],
    examples: ["orrery shrink orrery-failures/failover-crash-seed-17.bundle -o smaller.yaml"],
  },
  validate: {
    group: "scenario",
    usage: "orrery validate SCENARIO... [--json]",
    says: "tells the first mistake of each scenario with file, line and column",
    exit: "0 all are written well, 2 some are not",
    options: [json],
    examples: ["orrery validate scenarios/*/*.yaml"],
  },
  new: {
    group: "scenario",
    usage: "orrery new NAME [-o FILE]",
    says: "writes a commented scenario to start from",
    options: [["-o, --output FILE", "where to (the last part of NAME, with .yaml)"]],
    examples: ["orrery new drills/lost-zone", "orrery new lost-zone -o scenarios/lost-zone.yaml"],
  },
};

export const commandNames = Object.keys(help) as readonly CommandName[];

const WIDTH = 100;

export function helpOf(name: CommandName): string {
  const { usage, says, exit, options, examples = [] } = help[name];
  return [
    `Usage: ${usage}`,
    "",
    ...wrapped(`${says[0]?.toUpperCase()}${says.slice(1)}.`, ""),
    ...section("Options", table(options)),
    ...section(
      examples.length === 1 ? "Example" : "Examples",
      examples.map((example) => `  ${example}`),
    ),
    ...(exit === undefined ? [] : ["", `Exit code: ${exit}.`]),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines];
}

/** Two columns; the second one is wrapped and indented. */
function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, greatest(rows.map(([name]) => name.length)));
  return rows.flatMap(([name, text]) => wrapped(text, `  ${name.padEnd(width)}  `));
}

function wrapped(text: string, before: string): readonly string[] {
  const lines: string[] = [];
  let line = before;
  for (const word of text.split(" ")) {
    const isStart = line.length === before.length;
    if (!isStart && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = " ".repeat(before.length) + word;
    } else line += isStart ? word : ` ${word}`;
  }
  return [...lines, line];
}

export const overview: string = [
  ...wrapped(
    "Orrery: a search cluster that speaks OpenSearch's REST, in processes on this machine or in a deterministic simulation with faults, checkers and replay.",
    "",
  ),
  "",
  "Usage: orrery COMMAND [options]",
  ...(Object.keys(groups) as (keyof typeof groups)[]).flatMap((group) =>
    section(
      groups[group],
      table(
        commandNames
          .filter((name) => help[name].group === group)
          .map((name) => [name.padEnd("validate".length), help[name].says]),
      ),
    ),
  ),
  "",
  "orrery COMMAND --help tells the options of a command, with examples; orrery --version the version.",
  "Exit codes: 0 done, 1 failed, 2 bad input.",
].join("\n");
