/**
 * What somebody at the controls of a running cluster may do: stop and start its nodes, begin and end faults, look.
 *
 * Faults are those of scenarios, done to a live world. A fault lasts until it is healed, or for as long as `for` says.
 */
import {
  createRoster,
  faultHelp,
  inject,
  readFaultRequest,
  type Injected,
  type Plan,
  createWatchers,
} from "@orrery/scenario";
import { parseDuration, similar, type Json, type JsonObject } from "@orrery/stdx";
import { httpUrl } from "./data-folder.ts";
import { createLiveWorld, type LiveWorld } from "./live-world.ts";
import type { ManagedNode } from "./managed-node.ts";
import type { RunningCluster } from "./running-cluster.ts";
import { UsageError } from "./usage.ts";

export interface ControlRoom {
  /** Throws `UsageError` or `OperationError` with what is wrong; `UnknownVerbError` when there is no such thing to do. */
  act(verb: string, args: readonly string[], values: JsonObject): Promise<JsonObject>;
  end(): void;
}

export class UnknownVerbError extends UsageError {}

interface ActiveFault {
  readonly id: string;
  readonly kind: string;
  readonly values: JsonObject;
  readonly injected: Injected;
  readonly timer: NodeJS.Timeout | undefined;
}

export interface ControlRoomOptions {
  readonly cluster: RunningCluster;
  readonly nodes: readonly ManagedNode[];
}

type Act = (args: readonly string[], values: JsonObject) => Promise<JsonObject>;

const done: JsonObject = { acknowledged: true };

export function createControlRoom({ cluster, nodes }: ControlRoomOptions): ControlRoom {
  const world = worldOf(nodes);
  const faults = createFaults(world);

  const numberOf = (text: string | undefined): number => {
    const byName = nodes.findIndex(({ plan }) => plan.name === text) + 1;
    if (byName > 0) return byName;
    if (text === undefined || !/^\d+$/.test(text) || nodes[Number(text) - 1] === undefined)
      throw new UsageError(`there is no node [${text ?? ""}]`);
    return Number(text);
  };
  const eachNode =
    (act: (number: number) => Promise<unknown>): Act =>
    async (args, values) => {
      const given = args[0] ?? values["node"];
      if (typeof given !== "string" && typeof given !== "number")
        throw new UsageError("which node? Name it, or give its number, such as [2]");
      const numbers = String(given).split(",").map(numberOf);
      await Promise.all(numbers.map(act));
      return done;
    };
  const faultsAt = (number: number) => nodes[number - 1]?.faults;

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
      const id = args[0] ?? values["id"];
      await faults.heal(typeof id === "string" ? id : undefined);
      return done;
    },
    status: async () => ({ nodes: nodes.map(statusOf), faults: await faults.list() }),
    list: async () => ({ verbs: Object.keys(verbs), faults: faultHelp() as unknown as Json }),
  };

  return {
    act: async (verb, args, values) => {
      const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
      // A verb of nodes with a time is the fault of that name.
      if (act !== undefined && values["for"] === undefined) return act(args, values);
      const kinds = faultHelp().map(({ kind }): string => kind);
      if (kinds.includes(verb)) return faults.begin(verb, args, values);
      const [near] = similar(verb, [...Object.keys(verbs), ...kinds]);
      throw new UnknownVerbError(
        near === undefined
          ? `unknown fault [${verb}]: expected one of [${[...Object.keys(verbs), ...kinds].join(", ")}]`
          : `unknown fault [${verb}] -> did you mean [${near}]?`,
      );
    },
    end: () => {
      faults.forget();
      world.end();
    },
  };
}

function statusOf({ plan, status, pid }: ManagedNode, i: number): JsonObject {
  return { name: plan.name, number: i + 1, status, http: httpUrl(plan), pid };
}

/** The cluster as a plan has it, as far as faults ask. */
function worldOf(nodes: readonly ManagedNode[]): LiveWorld {
  const roster = createRoster({
    clusters: [
      {
        name: String(nodes[0]?.plan.settings["cluster.name"] ?? "orrery"),
        nodes: nodes.map(({ plan: { name, settings } }) => ({
          name,
          settings: {},
          ...zoneOf(settings["node.attr.zone"]),
        })),
        settings: {},
      },
    ],
  } as unknown as Plan);
  const transport = nodes[0]?.plan.transport ?? "grpc";
  return createLiveWorld({
    name: transport,
    seed: String(process.pid),
    roster,
    nodes: new Map(nodes.map((node) => [node.plan.name, node])),
    record: () => undefined,
    watchers: createWatchers(),
    repositories: () => [...new Set(nodes.flatMap(({ plan }) => plan.settings["path.repo"] ?? []))],
    onTrouble: (error) => void process.stderr.write(`orrery: ${String(error)}\n`),
  });
}

function zoneOf(zone: string | readonly string[] | undefined): { readonly zone?: string } {
  return typeof zone === "string" ? { zone } : {};
}

function createFaults(world: LiveWorld) {
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
      lengthOf(given);
      const time: JsonObject = lasting === undefined ? {} : { for: lasting };
      if (kind === "partition") {
        const { injected, groups } = await partition(world, args, values);
        return keep(kind, { ...groups, ...time }, injected);
      }
      const named = withArguments(world, kind, args, values);
      const requests = named.map((one) => readFaultRequest(kind, one, world));
      const begun: Injected[] = [];
      for (const request of requests) begun.push(await inject(request, world));
      const injected = together(begun);
      const isInstant = faultHelp().find((row) => row.kind === kind)?.isInstant === true;
      if (injected.targets.length === 0 || (isInstant && (await injected.hits()) === 0)) {
        await injected.end();
        throw new UsageError(
          `[${kind}] found nothing to harm: there is nothing it means at the moment`,
        );
      }
      const [first = {}] = named;
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

/** Words after the kind fill its keys in their order; several nodes are several such faults, begun and ended together. */
function withArguments(
  world: LiveWorld,
  kind: string,
  args: readonly string[],
  given: JsonObject,
): readonly JsonObject[] {
  const keys = faultHelp().find((row) => row.kind === kind)?.keys ?? [];
  if (args.length > keys.length) throw new UsageError(`[${kind}] takes no [${args.at(-1)}]`);
  const words = Object.fromEntries(args.map((word, i) => [keys[i]?.name ?? "", word]));
  const values: Record<string, Json | undefined> = { ...given, ...words };
  let all: readonly JsonObject[] = [values];
  for (const { name, value } of keys) {
    const nodes = values[name];
    if (value !== "node" || (typeof nodes !== "string" && typeof nodes !== "number")) continue;
    const each = String(nodes).split(",");
    all = all.flatMap((one) => each.map((node) => ({ ...one, [name]: nodeName(world, node) })));
  }
  return all;
}

function nodeName(world: LiveWorld, text: string): string {
  return /^\d+$/.test(text) ? (world.nodes()[Number(text) - 1] ?? text) : text;
}

/** Between two groups of nodes, or between one and all others. */
async function partition(world: LiveWorld, args: readonly string[], values: JsonObject) {
  const { isolate, from = isolate, to, one_way: oneWay = false, ...unknown } = values;
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    throw new UsageError(`unknown key [${name}]: expected one of [from, to, one_way, for]`);
  const [first = from, second = to] = args;
  if (typeof first !== "string" && typeof first !== "number")
    throw new UsageError("[partition] needs the nodes on one side, such as [node-1]");
  const inside = await groupOf(world, String(first));
  const outside =
    typeof second === "string" || typeof second === "number"
      ? await groupOf(world, String(second))
      : world.nodes().filter((node) => !inside.includes(node));
  const common = inside.find((node) => outside.includes(node));
  if (common !== undefined) throw new UsageError(`[${common}] cannot be on both sides`);
  const both = oneWay !== true && oneWay !== "true";
  const harm = await world.harm({ kind: "cut", links: { from: inside, to: outside, both } });
  const injected: Injected = {
    targets: [...inside, both ? "<->" : "->", ...outside],
    hits: harm.hits,
    end: harm.end,
  };
  return { injected, groups: { from: inside, to: outside, ...(both ? {} : { one_way: true }) } };
}

async function groupOf(world: LiveWorld, text: string): Promise<readonly string[]> {
  const names = text.split(",").map((node) => nodeName(world, node.trim()));
  const groups = await Promise.all(names.map((node) => world.select(node)));
  return [...new Set(groups.flat())];
}

function lengthOf({ for: given }: JsonObject): number | undefined {
  if (given === undefined) return undefined;
  const forMs = typeof given === "string" ? parseDuration(given) : undefined;
  if (forMs === undefined || forMs < 0)
    throw new UsageError("[for] must be a time value such as [5s]");
  return forMs;
}
