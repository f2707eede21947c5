/** Test whether a port of this machine is free. */
import { createServer } from "node:net";
import { loopback } from "./listening/node-addresses.ts";

/** True if the port is free on all of these addresses. */
export async function isFree(
  port: number,
  hosts: readonly string[] = [loopback],
): Promise<boolean> {
  for (const host of hosts) if (!(await isFreeOn(port, host))) return false;
  return true;
}

function isFreeOn(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
