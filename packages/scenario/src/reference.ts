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

/** Reference page of all faults. */
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
    `Each fault is an entry of \`faults:\` (with \`from\` and \`to\` or \`for\`) or the \`fault:\` of an entry of \`timeline:\`. Each leaves a`,
    "receipt in the trace: the number of events that it changed. A run whose fault never took effect is `inconclusive`; a fault",
    `repeated with \`every\` must take effect once. ${made}`,
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
    `Worlds: ${everywhere ? "all" : worlds.join(", ")}.${row.isInstant ? " It ends with its injection." : ""}`,
    "",
    ...table(faults[kind].keys as Keys<object>),
  ];
}

function worldsOf(needs: readonly Capability[]): readonly string[] {
  return worldNames.filter((name) => needs.every((need) => capabilities[name].has(need)));
}

/** Reference page of scenarios. `example`: TypeScript that builds a scenario. */
export function scenarioReference(example: string, checkers: Checkers): string {
  return page([
    "# Scenarios",
    "",
    "A scenario is one plan in YAML (or JSON): clusters, workload, faults, and checkers. `orrery new` writes a template.",
    "An editor with support for YAML schemas (draft-07) completes it, each kind with its own keys, if its first line names the schema:",
    "`# yaml-language-server: $schema=../../packages/scenario/schema/scenario.schema.json`.",
    `Times are values such as \`500ms\`, \`5s\`, \`2m\`. ${made}`,
    "",
    ...table(planKeys(checkers)),
    ...section(
      "clusters",
      "Clusters by name, with a number of nodes or groups of nodes. Nodes are named `node-1` … if there is one cluster, `NAME-1` … if there are several.",
      clusterKeys,
    ),
    ...section("clusters.NAME.nodes", "A number, or a list of groups.", groupKeys),
    ...section("indices", "Indices by name.", indexKeys),
    ...section(
      "indices.NAME.data",
      "`words`, `numbers` and `events` are generated from the seed.",
      generatedDataKeys,
    ),
    "Or the contents of a file. A bundle of the run contains them, so that a replay does not need the file.",
    "",
    ...table(fileDataKeys),
    ...section(
      "phases",
      "Phases after the start of the nodes and the creation of indices.",
      phaseKeys,
    ),
    "## Nodes",
    "",
    "Selectors of nodes: a name; `elected-cluster-manager`, `any`, `any-but-elected-cluster-manager`, `all`, `minority`, `majority`;",
    "`zone:a`, `role:data`, `primary:books/0`, `replica:books/0`. The suffix `@NAME` selects the cluster; default: the first. A",
    "selector is evaluated when the fault starts; while it matches no node, the fault waits for up to 30 s. Several selectors are a",
    'list: `[node-1, "zone:b"]`.',
    "",
    "## workload",
    "",
    "One workload, or a list of workloads that run at the same time. The history that checkers read records every operation with",
    "its outcome.",
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
    "A list of entries, each with a trigger and an action. Trigger: `at`; `within: [from, to]`, a time drawn from the window; `every`,",
    "with `from` and `to`; `when`, a condition, evaluated from the start of the phase or from `from` on; without any of these, the end",
    "of the previous entry. A request ends when it was answered as expected, a fault with `for` when it ends, any other fault at once.",
    "To wait for a condition between consecutive entries, use `request` with `until`.",
    "",
    "Action: one of `fault`, `end` (of the fault with an `id`), `request`, `wait`, `start` and `stop` (of nodes).",
    "",
    ...section("timeline: when", "All given parts must hold at the same time.", conditionKeys),
    "### events",
    "",
    "Fields of `event`: `kind`, `node`, and those of its kind. A bundle has the same fields.",
    "",
    "| Kind | Fields |",
    "| --- | --- |",
    ...eventRows().map(({ kind, fields }) => `| \`${kind}\` | ${fields} |`),
    "",
    ...section(
      "timeline: request",
      "`METHOD /path`. In path and body `${transport:node-1}` is the transport address of the node.",
      stepKeys,
    ),
    ...section(
      "timeline: expect",
      'The value `null` also matches a missing one; `">= 3"` compares; `/text/` is a regular expression; the path `$body` is the whole body, and `length` the length of a list. A status may be a list, or a comparison such as `">= 400"`.',
      expectationKeys,
    ),
    ...section(
      "timeline: fault",
      "Faults of [faults](faults.md). Further keys of such an entry: `{ at: 1s, fault: { kind: crash, node: any }, for: 2s }`.",
      faultEntryKeys,
    ),
    "## From TypeScript",
    "",
    "`buildScenario` of `@orrery/scenario` takes the same keys, and its types are generated from the same tables, so that an editor",
    "completes and explains them. It returns the same plan as `parseScenario` for a file, and rejects the same errors, with a path",
    "instead of line and column: `failover/crash: faults[0].node: unknown node [node-9] -> did you mean [node-1]?`.",
    "",
    "```ts",
    example.trimEnd(),
    "```",
    "",
    "## checkers",
    "",
    "Checkers marked with * judge every plan that they apply to, named or not.",
    "",
    "| Checker | Invariant | Property |",
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
