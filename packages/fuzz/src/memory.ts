/** Resident memory that processes may hold when all is over, beside what they held before. */
import type { Finding } from "./target.ts";

const FACTOR = 1.5;
/** Garbage that a collector may leave for later; the summary tells the whole. */
const SLACK_BYTES_OF_NODE = 200 * 1024 * 1024;

export function mostBytes(beforeBytes: number, nodes: number): number {
  return beforeBytes * FACTOR + nodes * SLACK_BYTES_OF_NODE;
}

export function memoryFinding(
  beforeBytes: number,
  heldBytes: number,
  nodes: number,
): Finding | undefined {
  if (heldBytes <= mostBytes(beforeBytes, nodes)) return undefined;
  return {
    cause: "memory: resident",
    detail: `${megabytes(heldBytes)} MB, before ${megabytes(beforeBytes)} MB`,
  };
}

/** Whether the figure of the requirement is met, with no slack: a measurement waits for it. */
export function isBack(beforeBytes: number, heldBytes: number): boolean {
  return heldBytes <= beforeBytes * FACTOR;
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
