/** Whom and what a fault is meant for. */
import type { Random } from "@orrery/stdx";
import type { Between } from "./fault.ts";

export function isAt(nodes: readonly string[], name: string): boolean {
  return nodes.includes(name) || nodes.includes("*");
}

export function isBetween(
  { from, to, oneWay }: Between,
  sender: string,
  receiver: string,
): boolean {
  if (isAt(from, sender) && isAt(to, receiver)) return true;
  return oneWay !== true && isAt(from, receiver) && isAt(to, sender);
}

/** `*` in the pattern stands for any text; no pattern matches all. */
export function isMatch(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Whether it happens this time. */
export function happens(perMille: number | undefined, random: Random): boolean {
  return perMille === undefined || (perMille > 0 && random.int(1, 1000) <= perMille);
}
