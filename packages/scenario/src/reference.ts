/** Reference pages of the scenario language and of its faults, generated from the tables that read a plan. */
import type { Checkers } from "./checkers/compose.ts";
import { clusterKeys, groupKeys } from "./cluster-shape.ts";
import { expectationKeys, faultEntryKeys, stepKeys } from "./entry-shape.ts";
import type { FaultFamily, FaultRow } from "./faults/fault.ts";
import { faultKinds, faults } from "./faults/table.ts";
import { fileDataKeys, generatedDataKeys } from "./data-shape.ts";
import { eventRows } from "./event-kinds.ts";
import { indexKeys } from "./index-shape.ts";
import { phaseKeys, planKeys } from "./plan-shape.ts";
import { keyOf, type Key, type Keys } from "./shape.ts";
import { conditionKeys } from "./trigger-shape.ts";
import { worldNames, type Capability } from "./world.ts";
import { templateKeys } from "./workloads/requests.ts";
import { workloadKinds, workloads } from "./workloads/table.ts";
import { capabilities } from "./worlds.ts";

const made = "Made by `npm run reference` from the tables that read a plan.";

export function faultReference(): string {
  const families: readonly FaultFamily[] = [
    ...(["node", "clock", "network", "disk"] as const),
    ...(["repository", "cluster"] as const),
  ];
  const sections = families.flatMap((family) => {
    const kinds = faultKinds.filter((kind) => faults[kind].family === family);
    if (kinds.length === 0) return [];
    return [`## ${family[0]?.toUpperCase()}${family.slice(1)}`, "", ...kinds.flatMap(faultSection)];
  });
  return page([
    "# Faults",
    "",
    `Each is an entry of \`faults:\` (with \`from\` and \`to\` or \`for\`) or the \`fault:\` of an entry of \`timeline:\`. Each leaves a`,
    "receipt in the trace: how many events were not what they would have been. A run whose fault never took effect is",
    `\`inconclusive\`; what \`every\` repeats must take effect once. ${made}`,
    "",
    `There are ${faultKinds.length} kinds.`,
    "",
    ...sections,
  ]);
}

function faultSection(kind: keyof typeof faults): readonly string[] {
  const row: Pick<FaultRow<never>, "says" | "needs" | "isInstant"> = faults[kind];
  const worlds = worldsOf(row.needs);
  const everywhere = worlds.length === worldNames.length;
  return [
    `### ${kind}`,
    "",
    row.says,
    "",
    `Worlds: ${everywhere ? "all" : worlds.join(", ")}.${row.isInstant ? " It is over at once." : ""}`,
    "",
    ...table(faults[kind].keys as Keys<object>),
  ];
}

function worldsOf(needs: readonly Capability[]): readonly string[] {
  return worldNames.filter((name) => needs.every((need) => capabilities[name].has(need)));
}

/** `example`: TypeScript that builds a scenario. */
export function scenarioReference(example: string, checkers: Checkers): string {
  return page([
    "# Scenarios",
    "",
    "A scenario is one plan in YAML (JSON is YAML, too): what runs, what clients do, what goes wrong, who judges. `orrery new` writes",
    "one to start from. An editor that knows YAML schemas completes it when its first line names the schema, as",
    "`# yaml-language-server: $schema=../../packages/scenario/schema/scenario.schema.json`.",
    `Times are values such as \`500ms\`, \`5s\`, \`2m\`. ${made}`,
    "",
    ...table(planKeys(checkers)),
    ...section(
      "clusters",
      "Clusters by name, of `nodes` nodes or groups of nodes. Nodes are called `node-1` … in the only cluster, `NAME-1` … in one of several.",
      clusterKeys,
    ),
    ...section("clusters.NAME.nodes", "A number, or a list of groups.", groupKeys),
    ...section("indices", "Indices by name.", indexKeys),
    ...section(
      "indices.NAME.data",
      "`words`, `numbers` and `events` are made from the seed.",
      generatedDataKeys,
    ),
    "Or what a file holds. A bundle of the run holds it too, and a replay does not need the file.",
    "",
    ...table(fileDataKeys),
    ...section("phases", "First nodes start and indices are created; then these.", phaseKeys),
    "## Nodes",
    "",
    "Where a node is asked for: its name; `elected-cluster-manager`, `any`, `any-but-elected-cluster-manager`, `all`, `minority`,",
    "`majority`; `zone:a`, `role:data`, `primary:books/0`, `replica:books/0`. With `@NAME` at its end it is of the cluster of this",
    "name, otherwise of the first one. Who that is, is decided when the fault starts; while it is nobody, the fault waits for",
    'somebody, but no longer than 30 s. Several are a list: `[node-1, "zone:b"]`.',
    "",
    "## workload",
    "",
    "One, or a list: all of them run at the same time. Every operation and what its client was told goes into the history that the",
    "checkers read.",
    "",
    ...workloadKinds.flatMap((kind) => [
      `### ${kind}`,
      "",
      workloads[kind].says,
      "",
      ...table(workloads[kind].keys as Keys<object>),
      ...(kind === "requests" ? ["#### requests: mix", "", ...table(templateKeys)] : []),
    ]),
    "## timeline",
    "",
    "A list. Each entry says when and what. When: `at`; `within: [from, to]`, a time drawn from the window; `every`, with `from` and",
    "`to`; `when`, a condition, looked at from the start of the phase or from `from` on; without any of these, after the entry before it",
    "has ended. A request has ended when it was answered as expected, a fault with `for` when it is over, any other fault at once.",
    "To wait for something in the middle of entries that follow each other, ask for it with `request` and `until`.",
    "",
    "What: one of `fault`, `end` (of the fault of an `id`), `request`, `wait`, `start` and `stop` (of nodes).",
    "",
    ...section("timeline: when", "All that is said must hold at once.", conditionKeys),
    "### events",
    "",
    "What `event` can name: its `kind`, its `node`, and these. A bundle has them, too.",
    "",
    "| Kind | Fields |",
    "| --- | --- |",
    ...eventRows().map(({ kind, fields }) => `| \`${kind}\` | ${fields} |`),
    "",
    ...section(
      "timeline: request",
      "`METHOD /path`. In path and body `${transport:node-1}` is the address at which other nodes reach this one.",
      stepKeys,
    ),
    ...section(
      "timeline: expect",
      'A value `null` is missing, too; `">= 3"` compares; `/text/` is a regular expression; the path `$body` is all of the body, and `length` how long a list is. A status may be a list, or compared as `">= 400"`.',
      expectationKeys,
    ),
    ...section(
      "timeline: fault",
      "As in [faults](faults.md). These stand beside `fault` in the entry: `{ at: 1s, fault: { kind: crash, node: any }, for: 2s }`.",
      faultEntryKeys,
    ),
    "## From TypeScript",
    "",
    "`buildScenario` of `@orrery/scenario` takes the same words, and its types are made from the same tables: an editor completes them,",
    "knows the keys of each `kind`, and shows what each is for. It gives what `parseScenario` gives for the file, and refuses what that",
    "refuses, with a path in the place of line and column: `failover/crash: faults[0].node: unknown node [node-9] -> did you mean [node-1]?`.",
    "",
    "```ts",
    example.trimEnd(),
    "```",
    "",
    "## checkers",
    "",
    "Those marked with * judge every plan that they apply to, named or not.",
    "",
    "| Checker | Invariant | What it makes sure of |",
    "| --- | --- | --- |",
    ...[...checkers.values()].map(
      ({ name, invariant, says, isAlways }) =>
        `| ${name}${isAlways === true ? " *" : ""} | ${invariant} | ${says} |`,
    ),
    "",
  ]);
}

/** Source text without its header comment. */
export function codeOf(source: string): string {
  return source.replace(/^\/\*\*[^]*?\*\/\n/, "");
}

function section<T>(name: string, says: string, keys: Keys<T>): readonly string[] {
  return [`## ${name}`, "", says, "", ...table(keys)];
}

function table<T>(keys: Keys<T>): readonly string[] {
  const entries = Object.entries(keys) as unknown as readonly (readonly [string, Key<unknown>])[];
  if (entries.length === 0) return [];
  const rows = entries.map(([property, { shape, says, otherwise, isRequired }]) => {
    const cells = [
      `\`${keyOf(property)}\``,
      shape.says,
      defaultOf(shape, otherwise, isRequired),
      says,
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return ["| Key | Value | Default | What |", "| --- | --- | --- | --- |", ...rows, ""];
}

function defaultOf(shape: Key<unknown>["shape"], otherwise: unknown, isRequired: boolean): string {
  if (isRequired) return "required";
  if (otherwise === undefined) return "";
  const text = JSON.stringify(shape.write(otherwise));
  return text === '""' || text === "{}" || text === "[]" ? "" : `\`${text.replaceAll('"', "")}\``;
}

function page(lines: readonly string[]): string {
  return `${lines.join("\n").trimEnd()}\n`;
}
