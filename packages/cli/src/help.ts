/** What `orrery --help` and `orrery COMMAND --help` print. A command does not compile without its row. */

export type CommandName =
  | "up"
  | "node"
  | "fault"
  | "run"
  | "sweep"
  | "replay"
  | "trace"
  | "report"
  | "shrink"
  | "validate"
  | "new";

interface Help {
  readonly usage: string;
  /** What it does, in a sentence. */
  readonly says: string;
  readonly options: readonly (readonly [option: string, says: string])[];
  readonly examples?: readonly string[];
}

const json: readonly [string, string] = [
  "--json",
  "one JSON object a line on standard output, and nothing else",
];

const help: Readonly<Record<CommandName, Help>> = {
  up: {
    usage: "orrery up [options]",
    says: "starts a cluster, says where its nodes are, and stops it at SIGINT or SIGTERM",
    options: [
      ["--nodes N", "how many nodes (3)"],
      ["--transport T", "grpc, websocket, or memory: all nodes in this process (grpc)"],
      ["--http-port P", "HTTP port of the first node; the others follow (9200)"],
      ["--zones A,B,C", "awareness zones, given to the nodes in turn"],
      ["--data DIR", "where the nodes live; without it a temporary folder, removed at the end"],
      [
        "--control PORT",
        "a local port for orrery fault: stops and starts nodes, makes things go wrong",
      ],
      ["-E setting=value", "a node setting; may be given several times"],
      json,
    ],
  },
  node: {
    usage: "orrery node start NAME --data DIR [--json]",
    says: "starts one node of a data folder again",
    options: [["--data DIR", "the data folder of [orrery up]"], json],
  },
  fault: {
    usage: "orrery fault VERB [NODE...] [--key value]... --control PORT",
    says: "does something to a cluster that [orrery up --control PORT] runs: stops and starts nodes, begins and ends faults",
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
      ["--for TIME", "the fault ends by itself after this time, such as 10s"],
      ["--control PORT", "also in ORRERY_CONTROL"],
      json,
    ],
    examples: [
      "orrery fault partition node-1 node-2,node-3 --control 9400",
      "orrery fault delay --node node-2 --high 200ms --for 10s --control 9400",
    ],
  },
  run: {
    usage: "orrery run SCENARIO [options]",
    says: "runs a scenario under one seed and gives a verdict: exit code 0 pass, 1 fail or inconclusive",
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
    usage: "orrery sweep SCENARIO... [options]",
    says: "runs scenarios under the seeds 1 to N, keeps a bundle of each failure, exit code 0 when all passed",
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
  replay: {
    usage: "orrery replay BUNDLE [--json]",
    says: "runs the plan of a bundle again and tells at which event it first differs; exit code 0 when it is the same",
    options: [["--any-version", "also when another version of the program recorded it"], json],
  },
  trace: {
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
    usage: "orrery report BUNDLE [-o report.html]",
    says: "draws a bundle as one HTML file that needs no other",
    options: [["-o, --output FILE", "where to (report.html)"]],
  },
  shrink: {
    usage: "orrery shrink BUNDLE [-o FILE.yaml] [options]",
    says: "finds the fewest faults, operations and nodes that fail in the same way, and writes them as a scenario",
    options: [
      ["-o, --output FILE", "where to (SCENARIO-shrunk.yaml)"],
      ["--budget TIME", "how long to look for less (55s)"],
      ["--any-version", "also when another version of the program recorded it"],
      json,
    ],
  },
  validate: {
    usage: "orrery validate SCENARIO... [--json]",
    says: "reads scenarios and tells the first mistake of each with file, line and column; exit code 2 when there is one",
    options: [json],
  },
  new: {
    usage: "orrery new NAME [-o FILE]",
    says: "writes a commented scenario to start from",
    options: [["-o, --output FILE", "where to (NAME.yaml)"]],
  },
};

export const commandNames = Object.keys(help) as readonly CommandName[];

export function helpOf(name: CommandName): string {
  const { usage, says, options, examples = [] } = help[name];
  const width = Math.max(0, ...options.map(([option]) => option.length));
  const lines = options.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`);
  const shown = examples.map((example) => `  ${example}`);
  return [
    `Usage: ${usage}`,
    "",
    `${says[0]?.toUpperCase()}${says.slice(1)}.`,
    ...(lines.length === 0 ? [] : ["", ...lines]),
    ...(shown.length === 0 ? [] : ["", ...shown]),
  ].join("\n");
}

export const overview: string = [
  "Usage:",
  ...commandNames.flatMap((name) => [`  ${help[name].usage}`, `      ${help[name].says}`]),
  "",
  "orrery COMMAND --help tells the options of a command; orrery --version tells the version.",
].join("\n");
