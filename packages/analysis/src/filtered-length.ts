/**
 * How long char filters may make a text: each of a chain may replace a character by many, and eight of them by a hundred million. The
 * product reads through its filters instead of making such a text, and takes as long.
 */
import { illegalArgument } from "@orrery/stdx";

const ALWAYS = 4 * 1024 * 1024;
const TIMES = 4;

/** In UTF-16 units, of what the chain makes of a text of `length`. */
export function mostFiltered(length: number): number {
  return Math.max(ALWAYS, TIMES * length);
}

export function refuseLonger(length: number, most: number): void {
  if (length <= most) return;
  throw illegalArgument(`char filters make more than [${most}] characters of one text`);
}
