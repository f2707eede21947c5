/** What processes may hold when all is over, beside what they held before. */
import type { Finding } from "./target.ts";

const FACTOR = 1.5;

export function mostBytes(beforeBytes: number): number {
  return beforeBytes * FACTOR;
}

export function memoryFinding(beforeBytes: number, heldBytes: number): Finding | undefined {
  if (heldBytes <= mostBytes(beforeBytes)) return undefined;
  return {
    cause: "memory: resident",
    detail: `${megabytes(heldBytes)} MB, before ${megabytes(beforeBytes)} MB`,
  };
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
