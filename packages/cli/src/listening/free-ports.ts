/** Ports of a cluster whose user asks for any: `--http-port 0`. */
import { PORTS_APART } from "../cluster-plan.ts";
import { isFree } from "../free-port.ts";
import { UsageError } from "../usage.ts";
import type { NodeAddresses } from "./node-addresses.ts";

/**
 * Ports of one command: HTTP ports, and the transport ports above them. All lie below the range of ephemeral ports, from
 * which connections of the first nodes could take the port of a later one.
 */
const FIRST_PORT = 18_000;
const LAST_PORT = 32_000;
const BLOCK = 200;

/** First of the free HTTP ports of `nodes` nodes, whose transport ports are free, too. Throws `UsageError` if there are none. */
export async function freeHttpPort(
  nodes: number,
  { http, transport }: NodeAddresses,
): Promise<number> {
  const blocks = (LAST_PORT - FIRST_PORT) / BLOCK;
  for (let tried = 0; tried < blocks; tried += 1) {
    // Commands that start at the same time look in different blocks first.
    const first = FIRST_PORT + ((process.pid + tried) % blocks) * BLOCK;
    const numbers = Array.from({ length: nodes }, (_, at) => first + at);
    const free = await Promise.all(
      numbers.flatMap((port) => [
        isFree(port, http.bind),
        isFree(port + PORTS_APART, transport.bind),
      ]),
    );
    if (free.every(Boolean)) return first;
  }
  throw new UsageError(
    `no ports for [${nodes}] nodes are free between ${FIRST_PORT} and ${LAST_PORT}`,
  );
}
