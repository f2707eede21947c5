/**
 * The loop: makes cases, runs them session by session, and tells each cause of findings once, reduced.
 *
 * Case `k` of a target is a function of seed, target and `k` alone. Sessions take turns between the given numbers of nodes.
 */
import { createRandom, type Json } from "@orrery/stdx";
import type { Cell } from "./cell.ts";
import { named, reduce } from "./reduce.ts";
import { replayLine } from "./replay-line.ts";
import type { Finding, NodeCount, SessionOptions, Target } from "./target.ts";
import type { TargetName } from "./targets/table.ts";

export interface LoopOptions {
  readonly name: TargetName;
  readonly target: Target;
  readonly cell: Cell;
  readonly seed: number;
  readonly nodes: readonly NodeCount[];
  readonly session: Omit<SessionOptions, "nodes" | "seed">;
  /** Whichever ends first; reducing counts. */
  readonly mostCases: number;
  readonly mostMs: number;
  /** Time outside of cases, for the budget alone. */
  readonly nowMs: () => number;
  readonly report: (event: LoopEvent) => void;
}

export interface ToldFinding extends Finding {
  readonly replay: string;
  /** The last case, for people. */
  readonly about: string;
  readonly isReproduced: boolean;
  /** The number of the case in this run that showed it first. */
  readonly case: number;
}

export type LoopEvent =
  | { readonly kind: "progress"; readonly totals: Totals }
  | { readonly kind: "finding"; readonly finding: ToldFinding };

export interface Totals {
  readonly cases: number;
  readonly sessions: number;
  readonly findings: number;
  readonly seconds: number;
}

const PROGRESS_EVERY_MS = 10_000;
const REDUCE = { mostTries: 300, mostMs: 30_000 };

export async function fuzz(options: LoopOptions): Promise<Totals> {
  const { name, target, cell, seed, nowMs } = options;
  const startedMs = nowMs();
  const seen = new Set<string>();
  let cases = 0;
  let sessions = 0;
  let toldMs = startedMs;
  const totals = (): Totals => ({
    cases,
    sessions,
    findings: seen.size,
    seconds: Math.round((nowMs() - startedMs) / 100) / 10,
  });
  const isOver = (): boolean => cases >= options.mostCases || nowMs() - startedMs >= options.mostMs;

  const tell = async (
    found: Finding,
    history: readonly Json[],
    session: SessionOptions,
  ): Promise<void> => {
    const at = cases - 1;
    seen.add(found.cause);
    const {
      finding,
      cases: few,
      isReproduced,
    } = await reduce({ target, cell, session, nowMs, ...REDUCE }, history, found);
    const replay = replayLine(name, session, few);
    const about = target.describe(few.at(-1) ?? null);
    options.report({
      kind: "finding",
      finding: { ...finding, replay, about, isReproduced, case: at },
    });
  };

  const runSession = async (session: SessionOptions): Promise<void> => {
    const history: Json[] = [];
    const atOpening = await cell.open(session);
    if (atOpening !== undefined)
      throw new Error(`a session of ${name} does not open: ${atOpening.detail}`);
    while (history.length < target.casesPerSession && !isOver()) {
      const given = target.generate(createRandom(`${seed}:${name}:${cases}`), session);
      history.push(given);
      cases += 1;
      const { finding, isSpent } = await cell.run(given);
      if (nowMs() - toldMs > PROGRESS_EVERY_MS) {
        toldMs = nowMs();
        options.report({ kind: "progress", totals: totals() });
      }
      const found = finding && named(target, finding, given);
      if (found !== undefined && !seen.has(found.cause)) return tell(found, history, session);
      if (isSpent === true) return undefined;
    }
  };

  while (!isOver()) {
    const nodes = options.nodes[sessions % options.nodes.length] ?? 1;
    sessions += 1;
    await runSession({ ...options.session, nodes, seed });
  }
  await cell.close();
  return totals();
}
