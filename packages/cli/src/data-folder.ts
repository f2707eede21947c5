/**
 * Data folder of a node, `DIR/NAME/`: its plan in `node.json`, and its stores. Only its user can open it; the
 * permissions of a folder made by an earlier version are reduced when its node starts. `DIR` itself keeps the
 * permissions that its user gave it.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isJsonObject, type Json } from "@orrery/stdx";
import type { NodePlan } from "./cluster-plan.ts";
import { addressText } from "./listening/machine-addresses.ts";
import { localAddress, loopbackAddresses } from "./listening/node-addresses.ts";
import { isTransportKind } from "./transports.ts";
import { UsageError } from "./usage.ts";

export interface DataFolder {
  readonly path: string;
  readonly isTemporary: boolean;
}

/** Opens the folder, and creates it if it is missing; without a path a temporary one, which the command removes. */
export function openDataFolder(path: string | undefined): DataFolder {
  if (path === undefined)
    return { path: mkdtempSync(join(tmpdir(), "orrery-")), isTemporary: true };
  if (path === "") throw new UsageError("[--data] names no folder");
  try {
    makeFolder(resolve(path));
    const probe = mkdtempSync(join(path, ".probe-"));
    rmSync(probe, { recursive: true });
  } catch (error) {
    throw new UsageError(
      `the data folder [${path}] cannot be written: ${(error as Error).message}`,
    );
  }
  return { path, isTemporary: false };
}

/**
 * Creates the folders one by one: the recursive form loops for ever on file systems that refuse with an unusual error
 * (`/proc`).
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The plan with the paths that every node of the product states in `_nodes`; a node without a folder states the working directory. */
export function withPaths(plan: NodePlan, folder: string): NodePlan {
  const home = resolve(folder);
  const paths = { "path.home": home, "path.logs": join(home, "logs") };
  return { ...plan, settings: { ...paths, ...plan.settings } };
}

/** Writes the plan into the node's folder, replacing that of an earlier start. */
export function writePlan(path: string, plan: NodePlan): void {
  const stored = { ...plan, addresses: undefined };
  writeFileSync(join(path, "node.json"), `${JSON.stringify(stored, undefined, 2)}\n`, {
    mode: 0o600,
  });
}

export interface KeptPlan {
  readonly plan: NodePlan;
  readonly path: string;
}

/** Reads the plan. Throws `UsageError` if the folder is missing, has no plan, or belongs to another node. */
export function readPlan(data: string, name: string): KeptPlan {
  const { plan, path } = readPlanOfAny(data, name);
  if (plan.name === name) return { plan, path };
  throw new UsageError(
    `[${join(path, "node.json")}] is of node [${plan.name}]: the folder of a node keeps its name. When [${plan.name}] is no more, [orrery node repair ${name} --data ${data} --rename] gives its folder this name`,
  );
}

/** Reads the plan of a folder that may have belonged to another node. */
export function readPlanOfAny(data: string, name: string): KeptPlan {
  const path = join(data, name);
  const missing = new UsageError(`there is no node [${name}] in the data folder [${data}]`);
  if (basename(name) !== name || ["", ".", ".."].includes(name)) throw missing;
  let text: string;
  try {
    text = readFileSync(join(path, "node.json"), "utf8");
  } catch {
    throw missing;
  }
  const plan = planIn(text);
  if (plan !== undefined) return { plan, path };
  throw new UsageError(`[${join(path, "node.json")}] is not what a node keeps of its plan`);
}

function planIn(text: string): NodePlan | undefined {
  try {
    const plan = JSON.parse(text) as Json;
    return isPlan(plan) ? (plan as unknown as NodePlan) : undefined;
  } catch {
    return undefined;
  }
}

function isPlan(plan: Json): boolean {
  if (!isJsonObject(plan)) return false;
  const { name, transport, httpPort, transportPort, publishPorts = {}, settings } = plan;
  const isPort = (port: Json | undefined): boolean =>
    Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
  const isText = (value: Json | undefined): boolean => typeof value === "string";
  return (
    isText(name) &&
    isTransportKind(transport) &&
    isPort(httpPort) &&
    (transport === "memory" || isPort(transportPort)) &&
    isJsonObject(publishPorts) &&
    Object.values(publishPorts).every(isPort) &&
    isJsonObject(settings) &&
    Object.values(settings).every(
      (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
    )
  );
}

/** URL under which the node is published. */
export function httpUrl({ addresses, httpPort, publishPorts }: NodePlan): string {
  const { name, address } = (addresses ?? loopbackAddresses).http.publish;
  return `http://${addressText(name ?? address, publishPorts?.http ?? httpPort)}`;
}

/** URL at which this machine reaches the node. */
export function localUrl({ addresses, httpPort }: NodePlan): string {
  return `http://${addressText(localAddress((addresses ?? loopbackAddresses).http), httpPort)}`;
}

/** Address under which other nodes reach the node; in memory its name. */
export function transportName(plan: Omit<NodePlan, "settings">): string {
  const { name, addresses, transportPort, publishPorts } = plan;
  if (transportPort === undefined) return name;
  const { address } = (addresses ?? loopbackAddresses).transport.publish;
  return addressText(address, publishPorts?.transport ?? transportPort);
}
