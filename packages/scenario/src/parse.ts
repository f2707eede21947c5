/** A scenario file as a scenario. Every error is one sentence with file, line, key, and the nearest valid key. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
} from "yaml";
import { checkers } from "./checkers/table.ts";
import type { CheckerName } from "./checkers/checker.ts";
import {
  checkKeys,
  isFields,
  readDuration,
  readFields,
  readInteger,
  readList,
  readName,
  readScalar,
  readText,
  refuse,
  requireField,
  type Field,
  type Fields,
  type FieldValue,
  type Place,
} from "./fields.ts";
import { faults } from "./faults/table.ts";
import type { Fault } from "./faults/fault.ts";
import type { Scenario, Timed } from "./scenario.ts";
import { anyNode, anyOtherNode, electedClusterManager, nodeNames } from "./world.ts";
import { workloads } from "./workloads/table.ts";
import type { Workload } from "./workloads/workload.ts";

/** Throws `OperationError` (`parse_exception`). */
export function parseScenario(file: string, text: string): Scenario {
  const fields = readYaml(file, text);
  checkKeys(fields, [
    "name",
    "claim",
    "cluster",
    "indices",
    "workload",
    "faults",
    "run_for",
    "converge_within",
    "checkers",
  ]);
  const cluster = readFields(fields, "cluster");
  checkKeys(cluster, ["nodes", "zones", "settings"]);
  const runForMs = readDuration(fields, "run_for");
  const nodes = readInteger(cluster, "nodes", { low: 1, high: 100, otherwise: 3 });
  const selectors = [electedClusterManager, anyNode, anyOtherNode, ...nodeNames(nodes)];
  return {
    name: readText(fields, "name"),
    claim: readText(fields, "claim"),
    cluster: {
      nodes,
      zones: readList(cluster, "zones").map((field) => readScalar(field, "zone")),
      settings: Object.fromEntries(
        [...readFields(cluster, "settings").values].map(([key, field]) => [
          key,
          readScalar(field, key),
        ]),
      ),
    },
    indices: new Map(
      [...readFields(fields, "indices").values].map(([name, field]) => [
        name,
        readIndex(name, field),
      ]),
    ),
    workload: readWorkload(fields),
    faults: readList(fields, "faults").map((field) => readFault(field, runForMs, selectors)),
    runForMs,
    convergeWithinMs: readDuration(fields, "converge_within", 60_000),
    checkers: readList(fields, "checkers").map((field) =>
      readName(field, "checker", Object.keys(checkers) as CheckerName[]),
    ),
  };
}

function readIndex(
  name: string,
  field: Field,
): { readonly shards: number; readonly replicas: number } {
  if (!isFields(field.value)) throw refuse(field.place, `[${name}] must be an object`);
  checkKeys(field.value, ["shards", "replicas"]);
  return {
    shards: readInteger(field.value, "shards", { low: 1, high: 1024, otherwise: 1 }),
    replicas: readInteger(field.value, "replicas", { low: 0, high: 100, otherwise: 1 }),
  };
}

function readWorkload(scenario: Fields): Workload {
  if (!scenario.values.has("workload")) throw refuse(scenario.place, "[workload] is missing");
  const fields = readFields(scenario, "workload");
  const kind = readName(
    requireField(fields, "kind"),
    "workload",
    Object.keys(workloads) as Workload["kind"][],
  );
  const row = workloads[kind];
  checkKeys(fields, ["kind", ...row.keys]);
  return row.parse(fields);
}

function readFault(field: Field, runForMs: number, selectors: readonly string[]): Timed {
  const fields = field.value;
  if (!isFields(fields)) throw refuse(field.place, "a fault must be an object");
  const kind = readName(
    requireField(fields, "kind"),
    "fault",
    Object.keys(faults) as Fault["kind"][],
  );
  const { keys, selectorKeys } = faults[kind];
  checkKeys(fields, ["kind", "from", "to", ...keys]);
  for (const key of selectorKeys) readName(requireField(fields, key), "node", selectors);
  const fromMs = readDuration(fields, "from");
  const toMs = readDuration(fields, "to", runForMs);
  if (toMs < fromMs) throw refuse(fields.place, "[to] is before [from]");
  if (toMs > runForMs) throw refuse(fields.place, "the fault ends after [run_for]");
  return { fromMs, toMs, fault: faults[kind].parse(fields) };
}

function readYaml(file: string, text: string): Fields {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const placeOf = (offset: number): Place => ({ file, line: lines.linePos(offset).line });
  const [problem] = document.errors;
  if (problem)
    throw refuse(placeOf(problem.pos[0]), problem.message.split("\n", 1)[0] ?? "not YAML");
  const value = valueOf(document, document.contents, placeOf);
  if (!isFields(value)) throw refuse({ file, line: 1 }, "a scenario must be an object");
  return value;
}

function valueOf(
  document: Document,
  given: Node | null,
  placeOf: (offset: number) => Place,
): FieldValue {
  const node = isAlias(given) ? (given.resolve(document) ?? null) : given;
  const place = placeOf(node?.range?.[0] ?? 0);
  if (isMap(node)) {
    const entries = node.items.map((pair): [string, Field] => {
      const key = pair.key as Node | null;
      const keyPlace = placeOf(key?.range?.[0] ?? 0);
      return [
        isScalar(key) ? String(key.value) : "",
        { place: keyPlace, value: valueOf(document, pair.value as Node | null, placeOf) },
      ];
    });
    return { place, values: new Map(entries) };
  }
  if (isSeq(node)) {
    return node.items.map((item) => ({
      place: placeOf((item as Node).range?.[0] ?? 0),
      value: valueOf(document, item as Node, placeOf),
    }));
  }
  if (!isScalar(node)) return null;
  const { value } = node;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}
