/** Verdict of a run in one line. */
import type { TimedVerdict } from "./recorded-run.ts";

export function verdictLine(verdict: TimedVerdict): string {
  const { scenario, seed, hash, events, wall_ms: wallMs } = verdict;
  const isReal = verdict.world !== "sim";
  const took = `${(verdict.virtual_ms / 1000).toFixed(1)} s ${isReal ? "real" : "virtual"} in ${wallMs} ms`;
  const how = isReal ? `in the world ${verdict.world}` : `hash ${hash}`;
  return `${scenario} seed ${seed}: ${verdict.verdict}, ${events} events, ${took}, ${how}`;
}
