/** Timers of the system for sockets, where it tells of them: Linux. */
import { existsSync, readFileSync } from "node:fs";

const TABLE = "/proc/net/tcp";

export const tellsOfTimers: boolean = existsSync(TABLE);

const ESTABLISHED = "01";
const KEEP_ALIVE = "02";

/** Whether the sockets that were accepted at an address wait for nothing but to probe their other end. */
export function areProbed(address: string): boolean {
  const port = Number(address.split(":")[1]).toString(16).toUpperCase().padStart(4, "0");
  const accepted = readFileSync(TABLE, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${port}`) === true && state === ESTABLISHED);
  // The sixth column is the kind of the timer that runs, and when it fires.
  return (
    accepted.length > 0 &&
    accepted.every(([, , , , , timer]) => timer?.startsWith(`${KEEP_ALIVE}:`))
  );
}
