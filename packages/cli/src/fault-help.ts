/** Help of each verb of `orrery fault`, from the table of verbs and from the table of faults. */
import { capabilities, faultHelp, type FaultHelp, type FaultKeyHelp } from "@orrery/scenario";
import { similar } from "@orrery/stdx";
import { textOf, type HelpText, type OptionRow } from "./help.ts";
import { UsageError } from "./usage.ts";

interface FaultVerb {
  readonly verb: string;
  /** Arguments, as a usage line shows them. */
  readonly args: string;
  readonly says: string;
  readonly options?: readonly OptionRow[];
  readonly example: string;
}

const lasting: OptionRow = ["--for TIME", "ends the fault after this time, such as 10s"];
const control: readonly OptionRow[] = [
  ["--control PORT", "control port; default: ORRERY_CONTROL"],
  ["--json", "prints the answer as JSON"],
];
const nodes =
  "NODE is a name, a number, or a role such as elected-cluster-manager, or several with commas";

/** Verbs that are no faults, and faults whose arguments differ from their keys. */
export const faultVerbs: readonly FaultVerb[] = [
  { verb: "list", args: "", says: "prints the verbs and faults", example: "list" },
  { verb: "status", args: "", says: "prints the nodes, and the active faults", example: "status" },
  { verb: "heal", args: "[ID]", says: "ends one fault, or all", example: "heal delay-1" },
  ofNodes("stop", "stops nodes in an orderly way, until start", [
    ["--for TIME", "starts them again after this time"],
  ]),
  ofNodes("start", "starts nodes that are down"),
  ofNodes("kill", "ends the processes of nodes at once; what they wrote is there", [
    ["--for TIME", "starts them again after this time"],
  ]),
  ofNodes("restart", "stops nodes in an orderly way, and starts them again"),
  ofNodes("pause", "pauses nodes, which handle no event until resume", [
    ["--for TIME", "resumes them after this time"],
  ]),
  ofNodes("resume", "resumes paused nodes"),
  {
    verb: "partition",
    args: "NODES [NODES]",
    says: `cuts every link between two groups of nodes, or between one group and all other nodes; ${nodes}`,
    options: [["--one-way", "cuts only the direction from the first group to the second"], lasting],
    example: "partition node-1 node-2,node-3 --for 10s",
  },
];

function ofNodes(verb: string, says: string, options: readonly OptionRow[] = []): FaultVerb {
  return { verb, args: "NODE", says: `${says}; ${nodes}`, options, example: `${verb} node-2` };
}

/** Help of one verb or kind of fault. Throws `UsageError` if there is none. */
export function helpOfVerb(verb: string): string {
  const own = faultVerbs.find((one) => one.verb === verb);
  const kind = faultHelp().find((one) => one.kind === verb);
  if (own !== undefined) return textOf(verbText(own));
  if (kind !== undefined) return textOf(kindText(kind));
  const known = [...faultVerbs.map((one) => one.verb), ...faultHelp().map((one) => one.kind)];
  const [near] = similar(verb, known);
  const hint =
    near === undefined ? `: [orrery fault list] prints all` : ` -> did you mean [${near}]?`;
  throw new UsageError(`unknown fault [${verb}]${hint}`);
}

function verbText({ verb, args, says, options = [], example }: FaultVerb): HelpText {
  const words = ["orrery fault", verb, args, options.length === 0 ? "" : "[options]"];
  return {
    usage: words.filter((word) => word !== "").join(" "),
    says,
    options: [...options, ...control],
    examples: [`orrery fault ${example} --control 9400`],
  };
}

function kindText(kind: FaultHelp): HelpText {
  const needed = kind.keys.filter(({ isRequired }) => isRequired);
  const usage = needed.map((key) => ` ${optionOf(key)} ${placeholderOf(key)}`).join("");
  const isLive = kind.needs.every((need) => capabilities.grpc.has(need));
  return {
    usage: `orrery fault ${kind.kind}${usage} [options]`,
    says: `${kind.says.replace(/\.$/, "")}${isLive ? "" : ". Only in the simulation"}`,
    options: [
      ...kind.keys.map((key): OptionRow => [
        `${optionOf(key)} ${placeholderOf(key)}`,
        meaningOf(key),
      ]),
      ...(kind.isInstant ? [] : [lasting]),
      ...control,
    ],
    examples: isLive ? [exampleOf(kind)] : [],
  };
}

function optionOf({ name }: FaultKeyHelp): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** Placeholder of a key's value, from its form in words. */
function placeholderOf({ value }: FaultKeyHelp): string {
  const [word = "value"] = /^\w+/.exec(value) ?? [];
  return /^[\w-]+(, [\w-]+)+$/.test(value) ? "NAME" : word.toUpperCase();
}

function meaningOf({ says, value, isRequired, otherwise }: FaultKeyHelp): string {
  const form = /^[\w-]+$/.test(value) ? "" : `: ${value}`;
  if (isRequired) return `${says}${form}`;
  return `${says}${form} (${otherwise === undefined ? "optional" : String(otherwise)})`;
}

/** Command line with a value for each required key. */
export function exampleOf({ kind, keys, isInstant }: FaultHelp): string {
  const needed = keys.filter(({ isRequired }) => isRequired);
  const given =
    needed.length > 0 ? needed : keys.filter(({ value }) => value.startsWith("node")).slice(0, 1);
  const words = given.flatMap((key) => [optionOf(key), exampleValue(key)]);
  const end = isInstant ? [] : ["--for", "10s"];
  return ["orrery fault", kind, ...words, ...end, "--control", "9400"].join(" ");
}

function exampleValue({ name, value }: FaultKeyHelp): string {
  const range = /^number from (-?\d+) to (-?\d+)/.exec(value);
  if (range !== null) return String(Math.min(Number(range[2]), Math.max(Number(range[1]), 100)));
  if (value.startsWith("node")) return name === "receiver" || name === "to" ? "node-3" : "node-2";
  if (value.startsWith("time")) return "200ms";
  if (value.includes(", ")) return value.split(", ")[0] ?? "";
  return exampleNames.get(name) ?? name;
}

/** Names in examples, by the key that they are of. */
const exampleNames: ReadonlyMap<string, string> = new Map([
  ["index", "books"],
  ["repository", "backups"],
  ["zone", "a"],
]);
