/** Measurements of all sessions of processes: the worst value of each. */
import type { Measured } from "./target.ts";

export function worstOf(a: Measured | undefined, b: Measured | undefined): Measured | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const isWorse = growthOf(b) > growthOf(a);
  return {
    memory: isWorse ? b.memory : a.memory,
    slowestHealthMs: Math.max(a.slowestHealthMs, b.slowestHealthMs),
  };
}

function growthOf({ memory }: Measured): number {
  return memory.afterBytes / memory.beforeBytes;
}
