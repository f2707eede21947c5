/** Ports of a cluster whose user asks for any: `--http-port 0`. */
import type { ClusterPlan } from "./cluster-plan.ts";
import { isFree } from "./free-port.ts";
import { UsageError } from "./usage.ts";

/**
 * Ports of one command: HTTP ports, and the transport ports 100 above them. All lie below the range of ephemeral ports, from
 * which connections of the first nodes could take the port of a later one.
 */
const FIRST_PORT = 18_000;
const LAST_PORT = 32_000;
const BLOCK = 200;
const TRANSPORT = 100;

/** The plan, with free ports if its HTTP port is 0. Throws `UsageError` if there are none. */
export async function withFreePorts(plan: ClusterPlan): Promise<ClusterPlan> {
  if (plan.httpPort !== 0) return plan;
  const blocks = (LAST_PORT - FIRST_PORT) / BLOCK;
  for (let tried = 0; tried < blocks; tried += 1) {
    // Commands that start at the same time look in different blocks first.
    const httpPort = FIRST_PORT + ((process.pid + tried) % blocks) * BLOCK;
    const ports = Array.from({ length: plan.nodes }, (_, i) => [
      httpPort + i,
      httpPort + TRANSPORT + i,
    ]);
    const free = await Promise.all(ports.flat().map((port) => isFree(port)));
    if (free.every(Boolean)) return { ...plan, httpPort };
  }
  throw new UsageError(
    `no ports for [${plan.nodes}] nodes are free between ${FIRST_PORT} and ${LAST_PORT}`,
  );
}
