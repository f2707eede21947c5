/** Shape of the whole plan: reading with checks across its parts, writing, and its JSON Schema. */
import type { JsonObject } from "@orrery/stdx";
import { applicableCheckers } from "./checkers/applying.ts";
import { checkerOf, coreCheckers, type Checkers } from "./checkers/compose.ts";
import { clusters, defaultCluster, defaultRoles } from "./cluster-shape.ts";
import { entry } from "./entry-shape.ts";
import { plainFault, timedFault } from "./fault-shape.ts";
import {
  checkKeys,
  isFields,
  refuse,
  type Field,
  type Fields,
  type FieldValue,
  type Place,
} from "./fields.ts";
import { indices } from "./index-shape.ts";
import { kinded } from "./kinded.ts";
import type { ClusterPlan, IndexPlan, Phases, Plan, Trigger } from "./plan.ts";
import { savedIn } from "./placeholders.ts";
import {
  defined,
  duration,
  keysOf,
  listOf,
  may,
  must,
  object,
  oneOf,
  or,
  readKeys,
  requestLine,
  schemaOf,
  signedDuration,
  someOf,
  text,
  writeKeys,
  type Context,
  type Defined,
  type Keys,
  type Shape,
  type ParserInputs,
} from "./shape.ts";
import { addedName } from "./roster.ts";
import { selector } from "./selectors.ts";
import { condition, earliestMs, event } from "./trigger-shape.ts";
import { worldNames } from "./world.ts";
import { workloads } from "./workloads/table.ts";
import type { Workload } from "./workloads/workload.ts";

const workload = defined(
  "workload",
  kinded<Workload>("workload", () => workloads),
);

export const phaseKeys: Keys<Phases> = {
  faultsMs: or(
    duration,
    10_000,
    "duration of workload, timeline and faults; faults that still last are ended after it",
  ),
  convergeMs: or(duration, 120_000, "longest time that the clusters may take to heal afterwards"),
  quietMs: may(
    duration,
    "quiet time without requests afterwards, while a checker looks for resources that grow",
  ),
};
const phases: Shape<Phases> = object(phaseKeys, "phases");

/** Keys of a plan without `checkers`, whose valid names depend on the table of the program. */
const keysBeforeCheckers = {
  name: must(text, "family/what-happens"),
  claim: must(text, "one sentence: the property that the checkers verify"),
  notice: may(text, "observation that a reader should make in the run"),
  question: may(text, "question for the reader"),
  worlds: or(
    someOf(oneOf("world", () => worldNames)),
    worldNames,
    "worlds in which it can run; default: all",
  ),
  clusters: or(clusters, [defaultCluster], "clusters by name; default: one of three nodes"),
  indices: or(indices, [], "indices by name, created before the workload starts"),
  workload: or(listOf(workload), [], "requests of clients; several workloads run at the same time"),
  timeline: or(listOf(entry), [], "requests and actions in order"),
  faults: or(listOf(timedFault), [], "faults with their start and end"),
} satisfies Partial<Keys<Plan>>;

/** Keys of a plan whose `checkers` are those of the table. */
export function planKeys(checkers: Checkers): Keys<Plan> {
  return {
    ...keysBeforeCheckers,
    checkers: may(
      listOf(oneOf("checker", () => [...checkers.keys()])),
      "checkers of the run, besides those that judge every plan; default: every checker that applies, except those of documents if the timeline deletes or restores some, or an index acknowledges unsynced operations",
    ),
    phases: or(phases, { faultsMs: 10_000, convergeMs: 120_000 }, "durations of the phases"),
  };
}

/** Limit of entries, above the needs of any written or shrunk plan. */
const MOST_ENTRIES = 10_000;

/** Reads and validates a plan. Throws `OperationError` (`parse_exception`). */
export function readPlan(fields: Fields, inputs: ParserInputs = {}): Plan {
  const { checkers = coreCheckers } = inputs;
  const keys = planKeys(checkers);
  checkKeys(fields, keysOf(keys));
  const given = fields.values.get("clusters");
  const empty: Context = { nodes: new Map(), clusters: [], ...inputs };
  const known = given === undefined ? [defaultCluster] : clusters.read(given, "clusters", empty);
  const context = contextOf(known, fields);
  const written = readKeys(fields, keys, { ...context, ...inputs });
  const plan = fields.values.has("checkers")
    ? written
    : { ...written, checkers: applicableCheckers(written, checkers) };
  checkSize(plan, fields);
  checkTimes(plan, fields);
  checkNames(plan, fields);
  checkCheckers(plan, checkers, fields);
  return plan;
}

/** Context for references; it includes nodes that the plan adds, as faults may name them. */
function contextOf(known: readonly ClusterPlan[], fields: Fields): Context {
  const clusterNames = known.map(({ name }) => name);
  const nodes = new Map(
    known.flatMap(({ name, nodes: members }) => members.map((node) => [node.name, name] as const)),
  );
  const zones = new Set(
    known.flatMap((cluster) => cluster.nodes.flatMap(({ zone }) => zone ?? [])),
  );
  const members = known.flatMap(({ nodes: each }) => each);
  const roles = new Set(members.flatMap((node) => node.roles ?? defaultRoles));
  const planned = new Set<string>();
  let nameless = 0;
  for (const added of addedNodes(fields)) {
    const value = (key: string): FieldValue | undefined => added.values.get(key)?.value;
    const [given, cluster, zone] = [value("name"), value("cluster"), value("zone")];
    if (typeof given === "string" && nodes.has(given))
      throw refuse(added.place, `there is a node [${given}] already`);
    const name = typeof given === "string" ? given : addedName((nameless += 1));
    planned.add(name);
    nodes.set(name, typeof cluster === "string" ? cluster : (clusterNames[0] ?? ""));
    if (typeof zone === "string") zones.add(zone);
    for (const role of textsOf(value("roles")) ?? defaultRoles) roles.add(role);
  }
  return {
    clusters: clusterNames,
    nodes,
    zones,
    added: planned,
    roles,
    indices: indicesOf(fields),
  };
}

/** A text or a list of texts, as a list. */
function textsOf(value: FieldValue | undefined): readonly string[] | undefined {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return undefined;
  return (value as readonly Field[]).flatMap((item) =>
    typeof item.value === "string" ? item.value : [],
  );
}

/** Indices of the plan with their numbers of shards; an index that a request creates again may have another number. */
function indicesOf(fields: Fields): NonNullable<Context["indices"]> {
  const listed = fields.values.get("indices")?.value;
  const requests = itemsOf(fields, "timeline").flatMap(({ value }) => {
    const request = isFields(value) ? value.values.get("request") : undefined;
    return request === undefined ? [] : [String(request.value)];
  });
  const isRemade = (name: string): boolean =>
    requests.some((request) => /^\S+ \/([^/?]*)/.exec(request)?.[1] === name);
  const known = new Map(
    isFields(listed)
      ? [...listed.values].flatMap(([name, { value }]) => {
          const shards = isFields(value) ? (value.values.get("shards")?.value ?? 1) : 1;
          return typeof shards !== "number" || isRemade(name) ? [] : [[name, shards] as const];
        })
      : [],
  );
  const isWritten = itemsOf(fields, "workload").some(
    ({ value }) => isFields(value) && !known.has(String(value.values.get("index")?.value)),
  );
  return { known, areAll: requests.length === 0 && !isWritten };
}

function addedNodes(fields: Fields): readonly Fields[] {
  const scripted = itemsOf(fields, "timeline").map(({ value }) =>
    isFields(value) ? value.values.get("fault")?.value : undefined,
  );
  const listed = itemsOf(fields, "faults").map(({ value }) => value);
  return [...listed, ...scripted]
    .filter(isFields)
    .filter(({ values }) => values.get("kind")?.value === "add-node");
}

/** Items of a list; a single item may omit the brackets. */
function itemsOf(fields: Fields, key: string): readonly Field[] {
  const field = fields.values.get(key);
  if (field === undefined) return [];
  return Array.isArray(field.value) ? (field.value as readonly Field[]) : [field];
}

/** Limit of operations, ten times the longest history that is checked within seconds. */
const MOST_OPERATIONS = 10_000_000;

function checkSize(plan: Plan, fields: Fields): void {
  const { timeline, faults, indices: all, workload: clients, phases: times } = plan;
  const entries = timeline.length + faults.length;
  if (entries > MOST_ENTRIES)
    throw refuse(
      fields.place,
      `a plan has at most ${MOST_ENTRIES} faults and entries, not ${entries}`,
    );
  const copies = all.reduce((sum, { shards, replicas }) => sum + shards * (1 + replicas), 0);
  if (copies > MOST_ENTRIES)
    throw refuse(fields.place, `a plan has at most ${MOST_ENTRIES} shard copies, not ${copies}`);
  const documents = all.reduce((sum, { data }) => sum + documentsOf(data), 0);
  if (documents > MOST_OPERATIONS / 10)
    throw refuse(
      fields.place,
      `the indices of a plan hold at most ${MOST_OPERATIONS / 10} documents at first, not ${documents}`,
    );
  const operations = clients.reduce((sum, one) => sum + operationsOf(one, times.faultsMs), 0);
  if (operations > MOST_OPERATIONS)
    throw refuse(
      fields.place,
      `the clients of a plan do at most ${MOST_OPERATIONS} operations, not ${operations}`,
    );
}

function documentsOf(data: IndexPlan["data"]): number {
  if (data === undefined) return 0;
  return "dataset" in data ? data.documents : data.contents.length;
}

/** Upper bound of the operations of a workload; an answer takes at least a millisecond. */
function operationsOf(given: Workload, phaseMs: number): number {
  const { clients, everyMs, fromMs, forMs = phaseMs, requests = Infinity } = given;
  const lastsMs = Math.min(forMs, phaseMs - fromMs);
  const each = given.kind === "bulk" ? given.documents : 1;
  return clients * each * Math.min(requests, Math.ceil(lastsMs / Math.max(1, everyMs)));
}

function checkTimes(plan: Plan, fields: Fields): void {
  const { faultsMs } = plan.phases;
  for (const [i, { trigger, forMs = 0 }] of plan.faults.entries()) {
    const { place } = itemsOf(fields, "faults")[i] ?? fields;
    const startMs = earliestMs(trigger);
    if (startMs > faultsMs) throw refuse(place, "the fault starts after the end of its phase");
    if (startMs + forMs > faultsMs)
      throw refuse(place, "the fault ends after the end of its phase");
    checkTrigger(trigger, plan, place);
  }
  for (const [i, { trigger, action }] of plan.timeline.entries()) {
    const { place } = itemsOf(fields, "timeline")[i] ?? fields;
    const startMs = earliestMs(trigger);
    if (startMs > faultsMs)
      throw refuse(place, "the entry happens after the end of the faults' phase");
    if (action.kind === "fault" && startMs + (action.forMs ?? 0) > faultsMs)
      throw refuse(place, "the fault ends after the end of its phase");
    checkTrigger(trigger, plan, place);
  }
  checkWaits(plan, fields);
  for (const [i, { fromMs, everyMs }] of plan.workload.entries()) {
    const { place } = itemsOf(fields, "workload")[i] ?? fields;
    if (fromMs > faultsMs)
      throw refuse(place, "the workload starts after the end of the faults' phase");
    if (everyMs > faultsMs)
      throw refuse(place, "[every] is longer than the faults' phase: say [requests: 1] for one");
  }
}

/** Rejects a timeline that waits longer than the plan lasts. */
function checkWaits({ timeline, phases: { faultsMs, convergeMs } }: Plan, fields: Fields): void {
  let allMs = 0;
  for (const [i, { action }] of timeline.entries()) {
    if (action.kind === "wait") allMs += action.forMs;
    const untilMs = action.kind === "request" ? (action.step.untilMs ?? 0) : 0;
    if (Math.max(allMs, untilMs) <= faultsMs + convergeMs) continue;
    const { place } = itemsOf(fields, "timeline")[i] ?? fields;
    const what = allMs > untilMs ? "the script waits" : "[until] is";
    throw refuse(place, `${what} longer than the phases of the plan last together`);
  }
}

function checkTrigger(trigger: Trigger, { phases: { faultsMs } }: Plan, place: Place): void {
  if (trigger.kind === "within" && trigger.toMs > faultsMs)
    throw refuse(place, "[within] ends after the end of the faults' phase");
  if (trigger.kind === "when" && (trigger.toMs ?? 0) > faultsMs)
    throw refuse(place, "[to] is after the end of the faults' phase");
  if (trigger.kind !== "every") return;
  const untilMs = Math.min(trigger.toMs ?? faultsMs, faultsMs);
  const times = Math.ceil((untilMs - trigger.fromMs) / trigger.everyMs);
  if (times > MOST_ENTRIES)
    throw refuse(place, `[every] comes to ${times} times: a plan has at most ${MOST_ENTRIES}`);
}

/** Checks the ids of entries, and keys that may occur once only. */
function checkNames({ timeline, checkers: named }: Plan, fields: Fields): void {
  const placeOf = (key: string, i: number): Place => (itemsOf(fields, key)[i] ?? fields).place;
  const twice = named.findIndex((name, i) => named.indexOf(name) !== i);
  if (twice >= 0)
    throw refuse(placeOf("checkers", twice), `the checker [${named[twice]}] is named twice`);
  const ids = timeline.map(({ action }) => (action.kind === "fault" ? action.id : undefined));
  const saved = new Set(
    timeline.flatMap(({ action }) =>
      action.kind === "request" ? Object.keys(action.step.save ?? {}) : [],
    ),
  );
  for (const [i, { action }] of timeline.entries()) {
    if (action.kind === "end" && !ids.includes(action.id))
      throw refuse(placeOf("timeline", i), `no fault of the timeline has the id [${action.id}]`);
    if (action.kind === "fault" && action.id !== undefined && ids.indexOf(action.id) !== i)
      throw refuse(placeOf("timeline", i), `two faults have the id [${action.id}]`);
    const unknown =
      action.kind === "request"
        ? savedIn(action.step.uri).find((name) => !saved.has(name))
        : undefined;
    if (unknown !== undefined)
      throw refuse(placeOf("timeline", i), `no entry saves [${unknown}], which its path names`);
  }
}

function checkCheckers(plan: Plan, checkers: Checkers, fields: Fields): void {
  for (const name of plan.checkers) {
    const complaint = checkerOf(checkers, name).complaint?.(plan);
    const { place } = fields.values.get("checkers") ?? fields;
    if (complaint !== undefined)
      throw refuse(place, `the checker [${name}] does not apply: ${complaint}`);
  }
}

/** Plan in the form of a file; parsing it gives the same plan. */
export function writePlan(plan: Plan): JsonObject {
  return writeKeys(plan, planKeys(coreCheckers));
}

/** Definitions that the schema contains once, by name. */
export const definitions: readonly Pick<Defined<unknown>, "name" | "definition" | "type">[] = [
  ...[duration, signedDuration, requestLine, selector, event, condition],
  ...[plainFault, timedFault, entry, workload],
];

/** JSON Schema of a scenario file for a table of checkers. */
export function planSchema(checkers: Checkers): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Orrery scenario",
    ...schemaOf(planKeys(checkers)),
    $defs: Object.fromEntries(definitions.map(({ name, definition }) => [name, definition])),
  };
}
