/** Ports of the nodes of a cluster: those of the first node are set, those of the others follow. */
import { PORTS_APART, type ClusterPlan } from "../cluster-plan.ts";
import { isFree } from "../free-port.ts";
import { UsageError } from "../usage.ts";
import { freeHttpPort } from "./free-ports.ts";
import type { LayerAddresses, NodeAddresses } from "./node-addresses.ts";
import { listenSettingsOf } from "./settings.ts";

const DEFAULT_HTTP_PORT = 9200;
const LAST_PORT = 65_535;

interface PortsOptions extends Pick<ClusterPlan, "nodes" | "transport" | "settings"> {
  /** HTTP port of the command line, which counts more than the setting; 0: any free ports. */
  readonly httpPort: number | undefined;
  readonly addresses: NodeAddresses;
}

/** Ports of the first node. Throws `UsageError` for ports that cannot be those of all nodes. */
export async function planPorts(
  options: PortsOptions,
): Promise<Pick<ClusterPlan, "httpPort" | "transportPort" | "publishPorts">> {
  const { nodes, transport, settings, addresses } = options;
  const http = listenSettingsOf(settings, "http");
  const between = listenSettingsOf(settings, "transport");
  const httpPort =
    (options.httpPort === 0 ? await freeHttpPort(nodes, addresses) : options.httpPort) ??
    (await firstPort("http.port", http.port, nodes, addresses.http)) ??
    DEFAULT_HTTP_PORT;
  refuseBeyondLast("HTTP", httpPort, nodes);
  const publishPorts = {
    ...(http.publishPort === undefined ? {} : { http: http.publishPort }),
    ...(between.publishPort === undefined ? {} : { transport: between.publishPort }),
  };
  for (const [layer, port] of Object.entries(publishPorts))
    refuseBeyondLast(`published ${layer}`, port, nodes);
  if (transport === "memory") return { httpPort, publishPorts };
  const chosen = await firstPort("transport.port", between.port, nodes, addresses.transport);
  const transportPort = chosen ?? httpPort + PORTS_APART;
  refuseBeyondLast("transport", transportPort, nodes);
  if (Math.abs(httpPort - transportPort) < nodes)
    throw new UsageError(
      `the HTTP ports ${portsFrom(httpPort, nodes)} and the transport ports ${portsFrom(transportPort, nodes)} overlap`,
    );
  return { httpPort, transportPort, publishPorts };
}

/** The set port; of a range, the first with enough free ports from it on. */
async function firstPort(
  key: string,
  given: string | undefined,
  nodes: number,
  { bind }: LayerAddresses,
): Promise<number | undefined> {
  if (given === undefined) return undefined;
  const ranges = given.split(",").map((part) => rangeOf(key, given, part.trim()));
  for (const { low, high } of ranges) {
    if (low === high && ranges.length === 1) return low;
    for (let port = low; port + nodes - 1 <= high; port += 1) {
      if (await areFree(port, nodes, bind)) return port;
    }
  }
  throw new UsageError(`[${key}] is [${given}]: no ${nodes} ports in a row are free there`);
}

async function areFree(port: number, nodes: number, hosts: readonly string[]): Promise<boolean> {
  for (let at = 0; at < nodes; at += 1) if (!(await isFree(port + at, hosts))) return false;
  return true;
}

function rangeOf(
  key: string,
  given: string,
  text: string,
): { readonly low: number; readonly high: number } {
  const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const [low, high] = [Number(first), Number(last)];
  if (low >= 1 && low <= high && high <= LAST_PORT) return { low, high };
  throw new UsageError(
    `[${key}] must be a port from 1 to ${LAST_PORT}, or a range such as [9200-9300], not [${given}]`,
  );
}

function refuseBeyondLast(what: string, first: number, nodes: number): void {
  if (first >= 1 && first + nodes - 1 <= LAST_PORT) return;
  throw new UsageError(
    `the ${what} ports ${portsFrom(first, nodes)} are not all from 1 to ${LAST_PORT}`,
  );
}

function portsFrom(first: number, nodes: number): string {
  return nodes === 1 ? `[${first}]` : `[${first}-${first + nodes - 1}]`;
}
