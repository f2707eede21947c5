/**
 * Operations of the control endpoint on a running cluster: stopping, starting and adding nodes, starting and ending
 * faults, status.
 *
 * Faults are those of scenarios, injected into a live world. A fault lasts until it is healed, or for the duration of
 * `for`; an instant fault is not listed.
 */
import {
  createRoster,
  faultHelp,
  inject,
  readFaultRequest,
  type Injected,
  type NodePlan,
  createWatchers,
} from "@orrery/scenario";
import { lookup, parseDuration, similar, type Json, type JsonObject } from "@orrery/stdx";
import { httpUrl } from "./data-folder.ts";
import { createLiveWorld, type LiveWorld } from "./live-world.ts";
import { rolesOf, type ManagedNode } from "./managed-node.ts";
import type { MakeAddedNode } from "./added-nodes.ts";
import { NotJoinedError, type RunningCluster } from "./running-cluster.ts";
import { UsageError } from "./usage.ts";

/** Control of a running cluster, used by the HTTP endpoint. */
export interface ClusterControl {
  /**
   * Executes a verb. Throws `UsageError` or `OperationError` for invalid arguments, `UnknownVerbError` for an unknown
   * verb.
   */
  act(verb: string, args: readonly string[], values: JsonObject): Promise<JsonObject>;
  end(): void;
}

/** Error for a verb that does not exist, answered with 404. */
export class UnknownVerbError extends UsageError {}

interface ActiveFault {
  readonly id: string;
  readonly kind: string;
  readonly values: JsonObject;
  readonly injected: Injected;
  readonly timer: NodeJS.Timeout | undefined;
}

export interface ClusterControlOptions {
  readonly cluster: RunningCluster;
  readonly makeAddedNode: MakeAddedNode;
}

type Act = (args: readonly string[], values: JsonObject) => Promise<JsonObject>;

const done: JsonObject = { acknowledged: true };

export function createClusterControl({
  cluster,
  makeAddedNode,
}: ClusterControlOptions): ClusterControl {
  const world = worldOf(cluster);
  const named = (text: string): string =>
    (/^\d+$/.test(text) ? cluster.members.get(Number(text))?.plan.name : undefined) ?? text;
  const faults = createFaults({ world, named });
  const add = createAdding({ cluster, makeAddedNode, world });

  /**
   * Numbers of the nodes that the text selects: by name or number, or by a role such as the elected cluster manager.
   */
  const numbersOf = async (text: string): Promise<readonly number[]> => {
    const names = await world.select(named(text.trim()));
    return [...cluster.members].flatMap(([number, { plan }]) =>
      names.includes(plan.name) ? number : [],
    );
  };
  const eachNode =
    (act: (number: number) => Promise<unknown>): Act =>
    async (args, values) => {
      checkKeys(values, ["node", "for"]);
      if (args.length > 1)
        throw new UsageError(`[${args[1]}] is one too many: several nodes are named as [1,2]`);
      const given = args[0] ?? values["node"];
      if (typeof given !== "string" && typeof given !== "number")
        throw new UsageError("which node? Name it, or give its number, such as [2]");
      const found = await Promise.all(String(given).split(",").map(numbersOf));
      const numbers = [...new Set(found.flat())];
      if (numbers.length === 0) throw new UsageError(`no node is [${given}] at the moment`);
      await Promise.all(numbers.map(act));
      return done;
    };
  const faultsAt = (number: number) => cluster.members.get(number)?.faults;

  const verbs: Readonly<Record<string, Act>> = {
    stop: eachNode((number) => cluster.stopNode(number)),
    start: eachNode((number) => cluster.startNode(number)),
    kill: eachNode((number) => cluster.killNode(number)),
    restart: eachNode(async (number) => {
      await cluster.stopNode(number);
      await cluster.startNode(number);
    }),
    pause: eachNode(async (number) => faultsAt(number)?.pause()),
    resume: eachNode(async (number) => faultsAt(number)?.resume()),
    heal: async (args, values) => {
      checkKeys(values, ["id"]);
      if (args.length > 1) throw new UsageError(`[heal] takes no [${args[1]}]`);
      const id = args[0] ?? values["id"];
      if (id !== undefined && typeof id !== "string")
        throw new UsageError("[id] must be that of a fault, such as [delay-1]");
      await faults.heal(id);
      return done;
    },
    "add-node": add,
    status: alone("status", async () => ({
      nodes: [...cluster.members].map(statusOf),
      faults: await faults.list(),
    })),
    list: alone("list", async () => ({
      verbs: Object.keys(verbs),
      faults: faultHelp() as unknown as Json,
    })),
  };

  return {
    act: async (verb, args, given) => {
      const values = withListsAsText(given);
      const act = Object.hasOwn(verbs, verb) ? lookup(verbs, verb) : undefined;
      // A verb of nodes with a duration is the fault of the same name.
      if (act !== undefined && values["for"] === undefined) return act(args, values);
      const kinds = faultHelp().map(({ kind }): string => kind);
      if (kinds.includes(verb)) return faults.begin(verb, args, values);
      const known = [...new Set([...Object.keys(verbs), ...kinds])];
      const [near] = similar(verb, known);
      throw new UnknownVerbError(
        near === undefined
          ? `unknown fault [${verb}]: expected one of [${known.join(", ")}]`
          : `unknown fault [${verb}] -> did you mean [${near}]?`,
      );
    },
    end: () => {
      faults.forget();
      world.end();
    },
  };
}

/** Verb without arguments. */
function alone(verb: string, act: () => Promise<JsonObject>): Act {
  return async (args, values) => {
    const [given] = [...args, ...Object.keys(values)];
    if (given !== undefined) throw new UsageError(`[${verb}] takes no [${given}]`);
    return act();
  };
}

const ofNodes: ReadonlySet<string> = new Set([
  "node",
  "sender",
  "receiver",
  "isolate",
  "from",
  "to",
]);

/** Values with JSON lists converted to the comma-separated text of a path. */
function withListsAsText(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      ofNodes.has(name) && Array.isArray(value) ? value.join(",") : value,
    ]),
  );
}

function statusOf([number, { plan, status, pid }]: readonly [number, ManagedNode]): JsonObject {
  return { name: plan.name, number, status, http: httpUrl(plan), pid };
}

/** Live world of the cluster, with the parts of a plan that faults use. */
function worldOf(cluster: RunningCluster): LiveWorld {
  const nodes = [...cluster.members.values()];
  const roster = createRoster({
    clusters: [
      {
        name: String(nodes[0]?.plan.settings["cluster.name"] ?? "orrery"),
        nodes: nodes.map(planned),
        settings: {},
      },
    ],
    faults: [],
    timeline: [],
  });
  const transport = nodes[0]?.plan.transport ?? "grpc";
  return createLiveWorld({
    name: transport,
    seed: String(process.pid),
    // A request must not wait for a matching node, but fail at once.
    patienceMs: 0,
    roster,
    nodes: new Map(nodes.map((node) => [node.plan.name, node])),
    newNode: async ({ name }) => {
      for (const member of cluster.members.values()) if (member.plan.name === name) return member;
      throw new UsageError(`there is no node [${name}]`);
    },
    onRemoved: cluster.remove,
    record: () => undefined,
    watchers: createWatchers(),
    repositories: () => [...new Set(nodes.flatMap(({ plan }) => plan.settings["path.repo"] ?? []))],
    onTrouble: (error) => void process.stderr.write(`orrery: ${String(error)}\n`),
  });
}

function zoneOf(zone: string | readonly string[] | undefined): { readonly zone?: string } {
  return typeof zone === "string" ? { zone } : {};
}

interface Adding extends ClusterControlOptions {
  readonly world: LiveWorld;
}

/** Nodes are added one after the other: each must find those added before it. */
function createAdding({ cluster, makeAddedNode, world }: Adding): Act {
  const add: Act = async (args, values) => {
    const [wanted = {}] = withArguments("add-node", args, values);
    const fault = readFaultRequest("add-node", wanted, world);
    if (fault.kind !== "add-node") throw new UsageError("[add-node] was asked for");
    const { number, member } = await makeAddedNode(cluster, fault);
    const { name } = member.plan;
    cluster.add(number, member);
    try {
      await world.add(world.clusterOf(world.nodes()[0] ?? ""), planned(member));
      await cluster.startNode(number);
    } catch (error) {
      // A node that cannot start, or is rejected by the cluster, is removed again.
      if (!(error instanceof NotJoinedError)) await world.remove(name);
      throw error;
    }
    return { ...done, targets: [name], nodes: [statusOf([number, member])] };
  };
  let last: Promise<unknown> = Promise.resolve();
  return (args, values) => {
    const added = last.then(() => add(args, values));
    last = added.catch(() => undefined);
    return added;
  };
}

function planned({ plan }: ManagedNode): NodePlan {
  const { name, settings } = plan;
  return { name, roles: rolesOf(plan), settings: {}, ...zoneOf(settings["node.attr.zone"]) };
}

interface FaultContext {
  readonly world: LiveWorld;
  /** Name of the node with this number; a name is returned unchanged. */
  readonly named: (text: string) => string;
}

function createFaults({ world, named }: FaultContext) {
  const active = new Map<string, ActiveFault>();
  let last = 0;

  const end = async (id: string): Promise<void> => {
    const fault = active.get(id);
    if (fault === undefined) throw new UsageError(`no fault [${id}] is on`);
    active.delete(id);
    clearTimeout(fault.timer);
    await fault.injected.end();
  };

  const keep = (kind: string, values: JsonObject, injected: Injected): JsonObject => {
    last += 1;
    const id = `${kind}-${last}`;
    const forMs = lengthOf(values);
    const timer = forMs === undefined ? undefined : setTimeout(() => void end(id), forMs);
    active.set(id, { id, kind, values, injected, timer });
    return { ...done, id, targets: injected.targets };
  };

  return {
    begin: async (kind: string, args: readonly string[], given: JsonObject) => {
      const { for: lasting, ...values } = given;
      const isInstant = faultHelp().find((row) => row.kind === kind)?.isInstant === true;
      if (isInstant && lasting !== undefined)
        throw new UsageError(`[${kind}] is over at once: it takes no [for]`);
      lengthOf(given);
      const time: JsonObject = lasting === undefined ? {} : { for: lasting };
      if (kind === "partition") {
        const { injected, groups } = await partition({ world, named }, args, values);
        return keep(kind, { ...groups, ...time }, injected);
      }
      const wanted = withArguments(kind, args, values, named);
      const requests = wanted.map((one) => readFaultRequest(kind, one, world));
      const begun: Injected[] = [];
      for (const request of requests) begun.push(await inject(request, world));
      const injected = together(begun);
      const hits = isInstant ? await injected.hits() : 1;
      if (injected.targets.length === 0 || hits === 0) {
        await injected.end();
        throw nothingToHarm(kind);
      }
      if (isInstant) {
        await injected.end();
        return { ...done, targets: injected.targets, hits };
      }
      const [first = {}] = wanted;
      return keep(kind, { ...first, ...time }, injected);
    },
    heal: async (id: string | undefined) => {
      if (id !== undefined) return end(id);
      for (const one of [...active.keys()]) await end(one);
      return world.heal();
    },
    list: () =>
      Promise.all(
        [...active.values()].map(async ({ id, kind, values, injected }): Promise<JsonObject> => {
          const { targets } = injected;
          return { id, kind, ...values, targets, hits: await injected.hits() };
        }),
      ),
    forget: () => {
      for (const { timer } of active.values()) clearTimeout(timer);
    },
  };
}

function nothingToHarm(kind: string): UsageError {
  return new UsageError(`[${kind}] found nothing to harm: there is nothing it means at the moment`);
}

function together(all: readonly Injected[]): Injected {
  return {
    targets: [...new Set(all.flatMap(({ targets }) => targets))],
    hits: async () => {
      const hits = await Promise.all(all.map((one) => one.hits()));
      return hits.reduce((sum, each) => sum + each, 0);
    },
    end: async () => {
      await Promise.all(all.map((one) => one.end()));
    },
  };
}

/**
 * Fault from arguments: words after the kind are the values of its keys in their order. A list of nodes makes several
 * faults, started and ended together.
 */
function withArguments(
  kind: string,
  args: readonly string[],
  given: JsonObject,
  named: (text: string) => string = (same) => same,
): readonly JsonObject[] {
  const keys = faultHelp().find((row) => row.kind === kind)?.keys ?? [];
  if (args.length > keys.length) throw new UsageError(`[${kind}] takes no [${args.at(-1)}]`);
  const words = Object.fromEntries(args.map((word, i) => [keys[i]?.name ?? "", word]));
  const values: Record<string, Json | undefined> = { ...given, ...words };
  let all: readonly JsonObject[] = [values];
  for (const { name, value } of keys) {
    const nodes = lookup(values, name);
    if (value !== "node" || (typeof nodes !== "string" && typeof nodes !== "number")) continue;
    const each = String(nodes).split(",");
    all = all.flatMap((one) => each.map((node) => ({ ...one, [name]: named(node.trim()) })));
  }
  return all;
}

/** Partition between two groups of nodes, or between one group and all other nodes. */
async function partition(
  { world, named }: FaultContext,
  args: readonly string[],
  values: JsonObject,
) {
  const groupOf = async (text: string): Promise<readonly string[]> => {
    const names = text.split(",").map((node) => named(node.trim()));
    const groups = await Promise.all(names.map((node) => world.select(node)));
    return [...new Set(groups.flat())];
  };
  const { isolate, from = isolate, to, one_way: oneWay = false, ...unknown } = values;
  checkKeys(unknown, ["from", "to", "one_way", "for"]);
  const [first = from, second = to] = args;
  if (typeof first !== "string" && typeof first !== "number")
    throw new UsageError("[partition] needs the nodes on one side, such as [node-1]");
  const inside = await groupOf(String(first));
  const outside =
    typeof second === "string" || typeof second === "number"
      ? await groupOf(String(second))
      : world.nodes().filter((node) => !inside.includes(node));
  const common = inside.find((node) => outside.includes(node));
  if (common !== undefined) throw new UsageError(`[${common}] cannot be on both sides`);
  if (inside.length === 0 || outside.length === 0) throw nothingToHarm("partition");
  if (!["true", "false"].includes(String(oneWay)))
    throw new UsageError(`[one_way] must be true or false, not [${String(oneWay)}]`);
  const both = String(oneWay) === "false";
  const applied = await world.applyRule({
    kind: "cut",
    links: { from: inside, to: outside, both },
  });
  const injected: Injected = {
    targets: [...inside, both ? "<->" : "->", ...outside],
    hits: applied.hits,
    end: applied.end,
  };
  return { injected, groups: { from: inside, to: outside, ...(both ? {} : { one_way: true }) } };
}

function checkKeys(values: JsonObject, known: readonly string[]): void {
  const name = Object.keys(values).find((key) => !known.includes(key));
  if (name !== undefined)
    throw new UsageError(`unknown key [${name}]: expected one of [${known.join(", ")}]`);
}

/** Limit of a duration: a timer of Node takes no more than 2^31 ms. */
const LONGEST_MS = 24 * 24 * 3_600_000;

function lengthOf({ for: given }: JsonObject): number | undefined {
  if (given === undefined) return undefined;
  const forMs = typeof given === "string" ? parseDuration(given) : undefined;
  if (forMs === undefined || forMs < 0)
    throw new UsageError("[for] must be a time value such as [5s]");
  if (forMs > LONGEST_MS) throw new UsageError("[for] is at most [24d]");
  return forMs;
}
