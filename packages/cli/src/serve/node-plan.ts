/**
 * Plan of one node of a cluster on several machines, or in containers: everything comes from its settings, as in the
 * product. Defaults that differ from those of `orrery up`: ports 9200 and 9300, and the machine's name as the node's.
 */
import { readdirSync } from "node:fs";
import { availableParallelism, hostname } from "node:os";
import { settingProblem, settingsProblem, type NodeConfig } from "@orrery/node";
import { lookup, OperationError } from "@orrery/stdx";
import { refuseNodeName, type NodePlan } from "../cluster-plan.ts";
import { readPlanOfAny } from "../data-folder.ts";
import { resolveAddresses } from "../listening/node-addresses.ts";
import { planPorts } from "../listening/ports.ts";
import { product } from "../product.ts";
import type { TransportKind } from "../transports.ts";
import { UsageError } from "../usage.ts";

type Settings = NodeConfig["settings"];

interface NodePlanOptions {
  readonly settings: Settings;
  readonly transport: TransportKind;
  /** Folder of the node and of the cluster's secret. */
  readonly data: string;
}

const DEFAULT_PORTS: Settings = { "http.port": "9200-9300", "transport.port": "9300-9400" };

/** Plans the node. Throws `UsageError` if its settings contradict each other, or its data folder. */
export async function planServedNode(options: NodePlanOptions): Promise<NodePlan> {
  const { settings, transport, data } = options;
  const name = nameIn(data, text(settings, "node.name"));
  const addresses = await resolveAddresses(settings);
  const ports = await planPorts({
    ...{ nodes: 1, transport, httpPort: undefined, addresses },
    settings: { ...DEFAULT_PORTS, ...settings },
  });
  const seeds = list(settings, "discovery.seed_hosts").map((seed) => withPort(seed, settings));
  return {
    ...{ name, transport, addresses, transportPort: undefined, ...ports },
    settings: {
      ...settings,
      ...(seeds.length === 0 ? {} : { "discovery.seed_hosts": seeds }),
    },
  };
}

/** True if the node is to find others, with which it must have a common secret. */
export function seeksOthers(settings: Settings): boolean {
  if (text(settings, "discovery.type") === "single-node") return false;
  const managers = ["cluster_manager", "master"].flatMap((role) =>
    list(settings, `cluster.initial_${role}_nodes`),
  );
  return managers.length > 1 || list(settings, "discovery.seed_hosts").length > 0;
}

/** Settings that the product's plugins have and this program does not know: they are accepted without effect. */
export function settingsOfMissingPlugins(settings: Settings): readonly string[] {
  const processors = availableParallelism();
  return Object.keys(settings).filter((key) => {
    if (!/^(plugins|knn|opendistro\w*|compatibility)\./.test(key)) return false;
    const problem = settingProblem(product, key, settings, processors);
    return problem?.reason?.startsWith("unknown setting") === true;
  });
}

/** Settings of the node, without those of missing plugins. Throws `OperationError` if one of them is invalid. */
export function knownSettings(settings: Settings): Settings {
  const missing = settingsOfMissingPlugins(settings);
  const known = Object.fromEntries(
    Object.entries(settings).filter(([key]) => !missing.includes(key)),
  );
  const problem = settingsProblem(product, known, availableParallelism());
  if (problem !== undefined) throw new OperationError(problem);
  return known;
}

/**
 * Name of the node in the data folder. A node without a name of its own keeps that of its first start: in a container
 * the machine's name is a new one after each replacement.
 */
function nameIn(data: string, given: string | undefined): string {
  if (given !== undefined) refuseNodeName(given);
  const owners = ownersOf(data);
  const [owner] = owners;
  if (owner === undefined) return given ?? hostname();
  if (given === undefined && owners.length === 1) return owner;
  if (given !== undefined && owners.includes(given)) return given;
  if (given === undefined)
    throw new UsageError(
      `the data folder [${data}] has several nodes: [node.name] must be one of [${owners.join(", ")}]`,
    );
  throw new UsageError(
    `the data folder [${data}] is of node [${owners.join(", ")}], not of [${given}]: set [node.name=${owner}], or another [path.data]`,
  );
}

function ownersOf(data: string): readonly string[] {
  const folders = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    try {
      return [readPlanOfAny(data, name).plan.name];
    } catch (error) {
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
}

/** Address of a seed; without a port it has the first transport port, as in the product. */
function withPort(seed: string, settings: Settings): string {
  const isIpv6 = seed.includes("::") || seed.split(":").length > 2;
  if (isIpv6 ? /^\[.*\]:\d+$/.test(seed) : /:\d+$/.test(seed)) return seed;
  const host = isIpv6 && !seed.startsWith("[") ? `[${seed}]` : seed;
  const [port = ""] = /^\d+/.exec(text(settings, "transport.port") ?? "") ?? ["9300"];
  return `${host}:${port}`;
}

function text(settings: Settings, key: string): string | undefined {
  const value = lookup(settings, key);
  const joined = typeof value === "object" ? value.join(",") : value;
  return joined === "" ? undefined : joined;
}

function list(settings: Settings, key: string): readonly string[] {
  const value = lookup(settings, key) ?? [];
  const parts = typeof value === "string" ? value.split(",") : value;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
