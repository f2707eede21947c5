/** Plan of `orrery up`: from its configuration, and from the cluster that the data folder has. */
import { availableParallelism } from "node:os";
import { rememberedCluster, zoneSequence, type RememberedCluster } from "./cluster-folder.ts";
import { refuseNodeName, type ClusterPlan } from "./cluster-plan.ts";
import { commandLine, type Configuration } from "./configuration/configuration.ts";
import { dataPathOf, listIn, numberIn, optionsInForce } from "./configuration/in-force.ts";
import { ineffectiveSettings } from "./ineffective-settings.ts";
import { exposureOf } from "./listening/exposure.ts";
import { resolveAddresses } from "./listening/node-addresses.ts";
import { planPorts } from "./listening/ports.ts";
import { isTransportKind } from "./transports.ts";
import { sentencesOf, UsageError } from "./usage.ts";

export interface UpPlan {
  readonly cluster: ClusterPlan;
  /** Path of the data folder; `undefined`: a temporary one. */
  readonly data: string | undefined;
  readonly controlPort: number | undefined;
  /** Number of processes that the nodes share; `undefined`: each has its own. */
  readonly processes: number | undefined;
  readonly remembered: RememberedCluster | undefined;
}

/**
 * Plan of a start, with the addresses and ports that node settings give. Throws `UsageError` for an unknown or invalid
 * setting; says on standard error which settings have no effect, and whether
 * other machines reach the cluster.
 */
export async function planUp(configuration: Configuration): Promise<UpPlan> {
  await refuseUnknownSettings(configuration.settings);
  const settings = valuesOf(configuration.settings);
  const name = settings["node.name"];
  if (name !== undefined) refuseNodeName(String(name));
  const data = dataPathOf(configuration);
  const remembered = data === undefined ? undefined : rememberedCluster(data);
  const inForce = optionsInForce(configuration, remembered);
  const given = inForce.get("transport")?.value;
  const transport = isTransportKind(given) ? given : "grpc";
  const nodes = numberIn(inForce, "nodes") ?? 0;
  const addresses = await resolveAddresses(settings);
  // A port that only the default gives counts less than the node setting.
  const httpPort = configuration.options.has("http-port")
    ? numberIn(inForce, "http-port")
    : undefined;
  const ports = await planPorts({ nodes, transport, settings, httpPort, addresses });
  const zones = listIn(inForce, "zones");
  const cluster = { nodes, transport, zones, settings, addresses, ...ports };
  const isPortGiven = httpPort !== undefined;
  const ineffective = await ineffectiveSettings(cluster, { isPortGiven });
  if (ineffective.length > 0)
    process.stderr.write(`orrery: accepted without effect: ${ineffective.join(", ")}\n`);
  const warning = exposureOf(cluster);
  if (warning !== undefined) process.stderr.write(`orrery: ${warning}\n`);
  const controlPort = numberIn(inForce, "control");
  const processes = numberIn(inForce, "processes");
  if (processes !== undefined && transport === "memory")
    throw new UsageError("[--processes] is for grpc and websocket: memory has one process");
  if (processes !== undefined && controlPort !== undefined)
    throw new UsageError(
      "[--processes] and [--control] exclude each other: faults need a process for each node",
    );
  return { cluster, data, controlPort, processes, remembered };
}

/** Sentences about differences between a restart and what the data folder remembers. */
export function changesOf({ cluster, remembered, data }: UpPlan): readonly string[] {
  if (remembered === undefined) return [];
  const before = zoneSequence(remembered);
  const numbers = Array.from({ length: remembered.nodes }, (_, i) => i);
  const zoneAt = (zones: readonly string[], i: number): string => zones[i % zones.length] ?? "";
  const isRezoned = numbers.some((i) => zoneAt(before, i) !== zoneAt(cluster.zones, i));
  const left = numbers.slice(cluster.nodes).map((i) => `node-${i + 1}`);
  const listed = (zones: readonly string[]): string => `[${zones.join(", ")}]`;
  return [
    ...(isRezoned
      ? [`the zones of [${data}] change from ${listed(before)} to ${listed(cluster.zones)}`]
      : []),
    ...(left.length === 0
      ? []
      : [`[${data}] holds ${remembered.nodes} nodes: ${left.join(", ")} will not be started`]),
  ];
}

type GivenSettings = Configuration["settings"];

function valuesOf(settings: GivenSettings): ClusterPlan["settings"] {
  return Object.fromEntries([...settings].map(([key, { value }]) => [key, value]));
}

/** Validates node settings before the start, with a line for each that is invalid; plugins are loaded for this only if needed. */
async function refuseUnknownSettings(given: GivenSettings): Promise<void> {
  if (given.size === 0) return;
  const settings = valuesOf(given);
  const { coreProduct, settingProblem, settingsProblem } = await import("@orrery/node");
  const processors = availableParallelism();
  if (settingsProblem(coreProduct, settings, processors) === undefined) return;
  const { product } = await import("./product.ts");
  const complaints = [...given].flatMap(([key, { value, from }]) => {
    const problem = settingProblem(product, key, settings, processors);
    if (problem === undefined) return [];
    const [reason = ""] = sentencesOf(problem);
    if (from !== commandLine)
      return [`${from}: ${reason.includes(key) ? "" : `[${key}]: `}${reason}`];
    return reason.includes(key) ? [reason] : [`[-E ${key}=${String(value)}]: ${reason}`];
  });
  if (complaints.length > 0) throw new UsageError(complaints.join("\n"));
  const together = settingsProblem(product, settings, processors);
  if (together !== undefined) throw new UsageError(sentencesOf(together).join("\n"));
}
