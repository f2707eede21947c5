/** Test whether a port of this machine is free. */
import { createServer } from "node:net";
import { host } from "./cluster-plan.ts";

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
