/** Format of instants in states and explanations: `2026-11-20T22:33:02.149Z`, UTC. */
import { formatDate } from "./resolve/format-date.ts";

/** Text of an instant in milliseconds since 1970. */
export function formatInstant(ms: number): string {
  return formatDate(Math.floor(ms), "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
}
