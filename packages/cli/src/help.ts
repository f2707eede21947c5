/** Texts of `orrery --help` and `orrery COMMAND --help`. A command does not compile without its row. */
import { greatest } from "@orrery/stdx";
import { upOptionNames, upOptions } from "./configuration/up-options.ts";
import { wrapped } from "./wrapped.ts";

export type CommandName =
  | "up"
  | "node"
  | "fault"
  | "serve"
  | "run"
  | "sweep"
  | "explore"
  | "replay"
  | "trace"
  | "report"
  | "shrink"
  | "validate"
  | "new"
  | "collect"
  | "worker"
  | "config"
  | "completion";

/** Kind of completion of a value: files, or names of the program. */
export type Completes =
  | "file"
  | "folder"
  | "scenario"
  | "transport"
  | "world"
  | "area"
  | "event-kind"
  | "trace-format"
  | "shell"
  | "fault"
  | "node-verb"
  | "command";

/** Option or verb with its placeholder, its meaning, and what a shell completes as its value. */
export type OptionRow = readonly [option: string, says: string, completes?: Completes];

export interface HelpText {
  readonly usage: string;
  /** Purpose, in a sentence. */
  readonly says: string;
  readonly options: readonly OptionRow[];
  readonly examples?: readonly string[];
  /** Meaning of the exit code, if it is more than success or failure. */
  readonly exit?: string;
}

interface Help extends HelpText {
  readonly group: keyof typeof groups;
  /** Completion of the arguments. */
  readonly completes?: Completes;
}

/** Groups in the order of the overview. */
const groups = {
  cluster: "A cluster",
  scenario: "Scenarios",
  bundle: "Recorded runs",
  shell: "The command itself",
} as const;

const json: OptionRow = [
  "--json",
  "prints one JSON object per line on standard output, and nothing else",
];

/** Options of `orrery up` that also environment and settings file can give. */
const configured: readonly OptionRow[] = upOptionNames.map((name) => {
  const { value, says, form } = upOptions[name];
  const row = [`--${name} ${value}`, says] as const;
  if (form.kind === "folder") return [...row, "folder"];
  return form.kind === "name" ? [...row, "transport"] : row;
});

const settingsFile: OptionRow = [
  "--config FILE",
  "settings file; default: orrery.yml of the current folder, if there is one",
  "file",
];

const nodeSetting: OptionRow = [
  "-E setting=value",
  "node setting of the product, for all nodes; repeatable",
];

const queueOption: OptionRow = [
  "--queue URL",
  "runs on the workers of a queue (orrery worker): redis://HOST[:PORT][/DB], rediss:// for TLS; its password is ORRERY_QUEUE_PASSWORD, or in the URL",
];

const help: Readonly<Record<CommandName, Help>> = {
  up: {
    group: "cluster",
    usage: "orrery up [options]",
    says: "starts a cluster, prints the addresses of its nodes when it is green, or can become no greener, and runs it until Ctrl-C, SIGINT or SIGTERM",
    options: [
      ...configured,
      ["--wait", "starts and waits even if a majority of the voting nodes is missing"],
      nodeSetting,
      settingsFile,
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
    completes: "node-verb",
    usage: "orrery node VERB NAME --data DIR [--json]",
    says: "starts one node of a data folder, inspects the stored state of a stopped one, or repairs it",
    options: [
      ["start", "runs the node in this process"],
      ["inspect", "prints its log and vote, and which parts are lost or cannot be applied"],
      [
        "repair --rejoin",
        "discards its log: the elected cluster manager accepts it as a new voter",
      ],
      [
        "repair --skip-entry INDEX",
        "skips the log entry that it cannot apply; required on every node",
      ],
      [
        "repair --accept-data-loss",
        "accepts the rest of a damaged log as complete, if too few nodes have a complete one",
      ],
      ["repair --rename", "assigns the folder of a former node, with its id and log, to this one"],
      ["--data DIR", "the data folder of [orrery up --data DIR]", "folder"],
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
    completes: "fault",
    usage: "orrery fault VERB [NODE...] [--key value]... --control PORT",
    says: "stops and starts nodes of a cluster that [orrery up --control PORT] runs, starts and ends faults",
    options: [
      ["list", "prints the verbs and faults"],
      ["VERB --help", "describes one verb or fault, with its keys and an example"],
      ["status", "prints the nodes, and the active faults"],
      ["heal [ID]", "ends one fault, or all"],
      [
        "stop, start, kill, restart NODE",
        "NODE is a name, number, or role such as elected-cluster-manager, or several with commas",
      ],
      ["pause, resume NODE", "pauses a node, which handles no event until resume"],
      [
        "add-node [NAME]",
        "adds a node on the next free ports, with an empty disk; --zone, --roles",
      ],
      ["remove-node NODE", "cuts the power of a node, and removes it permanently"],
      [
        "KIND --key value",
        "starts a fault of [list] with its keys: partition, delay, disk-full ...",
      ],
      ["--for TIME", "ends the fault after this time, such as 10s"],
      ["--control PORT", "control port; default: ORRERY_CONTROL"],
      [
        "--token TOKEN",
        "default: ORRERY_CONTROL_TOKEN, else the token that [orrery up] of the same user has stored",
      ],
      json,
    ],
    examples: [
      "orrery fault partition node-1 node-2,node-3 --control 9400",
      "orrery fault delay --node node-2 --high 200ms --for 10s --control 9400",
    ],
  },
  serve: {
    group: "cluster",
    usage: "orrery serve [options]",
    says: "runs one node, configured as the product's is, until Ctrl-C, SIGINT or SIGTERM; the nodes of a cluster on several machines or in containers are started one by one",
    options: [
      ["--config FILE", "settings in the format of opensearch.yml"],
      ["--data DIR", "data folder, if [path.data] is not set; default: a temporary folder"],
      ["--transport T", "grpc, or websocket; the same on all nodes (grpc)"],
      ["-E setting=value", "node setting of the product, above those of the file; repeatable"],
      ["-p, --pidfile FILE", "writes the process id to a file, which is removed at the end"],
      ["-q, --quiet", "writes no log"],
      json,
    ],
    examples: [
      "orrery serve -E discovery.type=single-node -E network.host=0.0.0.0 --data ~/books",
      "ORRERY_CLUSTER_SECRET_FILE=~/secret orrery serve --config opensearch.yml -E node.name=node-1",
    ],
  },
  run: {
    group: "scenario",
    completes: "scenario",
    usage: "orrery run SCENARIO [options]",
    says: "runs a scenario under one seed and tells its moments, its verdict and what that means",
    exit: "0 pass, 1 fail or inconclusive, 2 bad input",
    options: [
      ["--seed N", "seed (1)"],
      ["--world W", "sim, memory, grpc, or websocket: the last three in real time (sim)", "world"],
      [
        "--record BUNDLE",
        "records the run as a bundle, for replay, trace, report and shrink",
        "file",
      ],
      ["--trace FILE", "writes every event as a line of JSON", "file"],
      ["--quiet", "prints only the verdict, without the moments of the run"],
      json,
    ],
    examples: [
      "orrery run scenarios/failover/cluster-manager-crash.yaml --seed 7 --record run.bundle",
    ],
  },
  sweep: {
    group: "scenario",
    completes: "scenario",
    usage: "orrery sweep SCENARIO... [options]",
    says: "runs scenarios, or all below a folder, under the seeds 1 to N, writes a bundle of each failure, and groups failures by cause",
    exit: "0 all runs passed, 1 some did not, 2 bad input",
    options: [
      ["--seeds N", "number of seeds for each scenario (100)"],
      ["--jobs J", "processes at a time (one for each core)"],
      [
        "--shard I/N",
        "only the I-th of N shares of the seeds, counted from 1; auto/N: the share of this pod or CI job, by JOB_COMPLETION_INDEX or CI_NODE_INDEX",
      ],
      ["--budget TIME", "starts no run after this time, such as 10m"],
      [
        "--junit FILE",
        "writes a JUnit report; a GitHub job summary is appended to the file GITHUB_STEP_SUMMARY",
        "file",
      ],
      [
        "--keep DIR",
        "folder for bundles of failures (orrery-failures), or s3://BUCKET/PREFIX, with the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL",
        "folder",
      ],
      ["--out DIR", "writes this part for orrery collect, into a folder or s3://BUCKET/PREFIX"],
      ["--twice", "runs each seed twice: different hashes are a failure"],
      queueOption,
      json,
    ],
    examples: [
      "orrery sweep scenarios/failover/*.yaml --seeds 1000 --shard 2/4 --junit report.xml",
      "orrery sweep scenarios/*/*.yaml --seeds 100000 --queue redis://queue.example",
    ],
  },
  explore: {
    group: "scenario",
    usage: "orrery explore [options]",
    says: "runs generated plans, drawn and mutated towards new behaviour, and writes each finding as a scenario",
    exit: "0 no finding, 1 findings, 2 bad input",
    options: [
      ["--budget TIME", "starts no run after this time (30m)"],
      ["--runs N", "starts no run after this number of runs"],
      ["--jobs J", "processes at a time (one for each core)"],
      [
        "--area AREA",
        "plans about replication, membership, snapshots, leases, decommission, dangling, or administration; default: each in turn",
        "area",
      ],
      ["--seed N", "seed of the plans (1); reproducible with [--jobs 1]"],
      ["--shard I/N", "the I-th of N explorations of this seed: each draws its own plans"],
      [
        "--corpus DIR",
        "folder of plans, which an exploration continues from and adds to",
        "folder",
      ],
      ["--keep DIR", "folder for scenarios of findings (orrery-findings)", "folder"],
      ["--curve FILE", "writes the number of behaviours after each run, as CSV", "file"],
      ["--blind", "draws plans without regard to behaviour, for comparison"],
      queueOption,
      json,
    ],
    examples: [
      "orrery explore --budget 10m --corpus corpus",
      "orrery explore --area snapshots --seed 7 --runs 500 --jobs 1",
    ],
  },
  replay: {
    group: "bundle",
    completes: "file",
    usage: "orrery replay BUNDLE [--json]",
    says: "runs the plan of a bundle again and prints the first event that differs",
    exit: "0 equal, 1 different, 2 bad input",
    options: [["--any-version", "accepts a bundle of another version of the program"], json],
    examples: ["orrery replay run.bundle"],
  },
  trace: {
    group: "bundle",
    completes: "file",
    usage: "orrery trace BUNDLE [options]",
    says: "prints the events of a bundle",
    options: [
      ["--node NAME", "events recorded by this node, and messages from or to it"],
      ["--index NAME", "events about this index"],
      ["--shard N", "events about shards with this number"],
      ["--message TEXT", "messages and requests whose action contains this text; also --action"],
      ["--kind KIND", "events of this kind, such as message-dropped", "event-kind"],
      ["--from TIME", "events from this time of the run on, such as 1500ms"],
      ["--to TIME", "events up to this time of the run"],
      [
        "--format F",
        "text, ndjson, mermaid (a page around the first fault, unless --from or --to), shiviz, perfetto, otlp, or otlp-metrics (text)",
        "trace-format",
      ],
    ],
    examples: ["orrery trace run.bundle --node node-2 --from 2s --to 3s --format mermaid"],
  },
  report: {
    group: "bundle",
    completes: "file",
    usage: "orrery report BUNDLE [-o report.html]",
    says: "renders a bundle as one self-contained HTML file",
    options: [["-o, --output FILE", "output file (report.html)", "file"]],
    examples: ["orrery report run.bundle -o crash.html"],
  },
  shrink: {
    group: "bundle",
    completes: "file",
    usage: "orrery shrink BUNDLE [-o FILE.yaml] [options]",
    says: "writes a scenario with the fewest faults, operations and nodes that fail in the same way",
    options: [
      ["-o, --output FILE", "output file (SCENARIO-shrunk.yaml)", "file"],
      ["--budget TIME", "time limit (55s)"],
      ["--any-version", "accepts a bundle of another version of the program"],
      json,
    ],
    examples: ["orrery shrink orrery-failures/failover-crash-seed-17.bundle -o smaller.yaml"],
  },
  validate: {
    group: "scenario",
    completes: "scenario",
    usage: "orrery validate SCENARIO... [--json]",
    says: "prints the first error of each scenario with file, line and column, and warnings, such as about indices that nothing makes or copies that no node can hold",
    exit: "0 all are valid, 2 some are not",
    options: [json],
    examples: ["orrery validate scenarios/*/*.yaml"],
  },
  new: {
    group: "scenario",
    usage: "orrery new NAME [-o FILE]",
    says: "writes a template of a scenario with comments",
    options: [["-o, --output FILE", "output file (the last part of NAME, with .yaml)", "file"]],
    examples: ["orrery new drills/lost-zone", "orrery new lost-zone -o scenarios/lost-zone.yaml"],
  },
  collect: {
    group: "scenario",
    usage: "orrery collect DIR... [options]",
    says: "makes one summary of the parts of a sweep that several machines ran: files and folders of [orrery sweep --out], or saved output of [--json], as .ndjson, .jsonl or .log",
    exit: "0 all parts are there and all that ran passed, 1 some are not or did not, 2 bad input",
    options: [["--junit FILE", "writes one JUnit report", "file"], json],
    examples: ["orrery collect parts --junit report.xml"],
  },
  worker: {
    group: "scenario",
    usage: "orrery worker --queue URL [options]",
    says: "takes jobs of sweeps and explorations from a queue of Redis or Valkey, and runs them until Ctrl-C, SIGINT or SIGTERM",
    options: [
      [
        "--queue URL",
        "redis://HOST[:PORT][/DB], rediss:// for TLS; its password is ORRERY_QUEUE_PASSWORD, or in the URL",
      ],
      ["--jobs J", "jobs at a time (one for each core)"],
      json,
    ],
    examples: ["orrery worker --queue redis://queue.example --jobs 8"],
  },
  config: {
    group: "shell",
    usage: "orrery config [options of orrery up]",
    says: "prints the options and node settings that [orrery up] would use here, and the source of each",
    options: [...configured, nodeSetting, settingsFile, json],
    examples: ["orrery config", "ORRERY_NODES=5 orrery config -E cluster.name=books --json"],
  },
  completion: {
    group: "shell",
    completes: "shell",
    usage: "orrery completion bash|zsh|fish",
    says: "prints a script that completes commands, options and values in a shell",
    options: [],
    examples: [
      "source <(orrery completion bash)",
      "orrery completion zsh > ~/.zfunc/_orrery",
      "orrery completion fish > ~/.config/fish/completions/orrery.fish",
    ],
  },
};

export const commandNames = Object.keys(help) as readonly CommandName[];

/** Titles of the groups of commands, in the order of the overview. */
export const groupNames: readonly string[] = Object.values(groups);

/** Title of the group that lists the command. */
export function groupOf(name: CommandName): string {
  return groups[help[name].group];
}

/** Help of a command: text, options, examples, and what a shell completes. */
export function rowOf(name: CommandName): HelpText & { readonly completes?: Completes } {
  return help[name];
}

export function helpOf(name: CommandName): string {
  return textOf(help[name]);
}

/** Help as a terminal shows it. */
export function textOf({ usage, says, exit, options, examples = [] }: HelpText): string {
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
function table(rows: readonly OptionRow[]): readonly string[] {
  const width = Math.max(0, greatest(rows.map(([name]) => name.length)));
  return rows.flatMap(([name, text]) => wrapped(text, `  ${name.padEnd(width)}  `));
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
