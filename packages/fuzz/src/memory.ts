/** Limit of the resident memory that processes may hold at the end, relative to the memory before. */
import type { Finding } from "./target.ts";

const FACTOR = 1.5;
/** Slack for garbage that is not collected yet; the summary has the exact figures. */
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

/**
 * True if memory has fallen back to the allowed multiple of its first measurement, without the slack that a finding
 * allows. A measurement waits for this.
 */
export function isBack(beforeBytes: number, heldBytes: number): boolean {
  return heldBytes <= beforeBytes * FACTOR;
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
