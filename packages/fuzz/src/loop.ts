/**
 * Loop of the fuzzer: generates cases, runs them session by session, and reports each cause of findings once, reduced.
 *
 * Case `k` of a target is a function of seed, target and `k` alone. Sessions alternate between the given numbers of
 * nodes.
 */
import { appendAll, createRandom, type Json } from "@orrery/stdx";
import type { Cell } from "./cell.ts";
import { reduceTogether } from "./reduce-together.ts";
import { named, reduce, type Reduced } from "./reduce.ts";
import { rangeLine, replayLine } from "./replay-line.ts";
import type { Finding, Measured, NodeCount, SessionOptions, Suspicion, Target } from "./target.ts";
import { worstOf } from "./measured.ts";
import type { TargetName } from "./targets/table.ts";

export interface LoopOptions {
  readonly name: TargetName;
  readonly target: Target;
  readonly cell: Cell;
  readonly seed: number;
  readonly nodes: readonly NodeCount[];
  readonly session: Omit<SessionOptions, "nodes" | "seed">;
  /** Number of the first case. */
  readonly from: number;
  /** Limits, including the time for reducing; the first that is reached ends the loop. */
  readonly mostCases: number;
  readonly mostMs: number;
  /** Time for the budget; cases do not use it. */
  readonly nowMs: () => number;
  readonly report: (event: LoopEvent) => void;
}

export interface FindingReport extends Finding {
  readonly replay: string;
  /** Description of the last case. */
  readonly about: string;
  readonly isReproduced: boolean;
  /** Number of the first case of this run with the finding. */
  readonly case: number;
}

export type LoopEvent =
  | { readonly kind: "progress"; readonly totals: Totals }
  | { readonly kind: "finding"; readonly finding: FindingReport };

export interface Totals {
  readonly cases: number;
  readonly sessions: number;
  readonly findings: number;
  readonly seconds: number;
  /** Measurements of worlds of processes. */
  readonly measured?: Measured;
}

/** Finding with its origin. */
interface ReportedFinding {
  readonly session: SessionOptions;
  /** Number of its last case. */
  readonly at: number;
}

const PROGRESS_EVERY_MS = 10_000;
const REDUCE = { mostTries: 300, mostMs: 30_000 };
/** Limits of reducing with processes, whose sessions take seconds to open. */
const REDUCE_PROCESSES = { mostTries: 100, mostMs: 300_000 };
/** Number of concurrent cases given to a session at a time. */
const TOGETHER = 250;

export async function fuzz(options: LoopOptions): Promise<Totals> {
  const { name, target, cell, seed, nowMs } = options;
  const startedMs = nowMs();
  const seen = new Set<string>();
  let cases = options.from;
  let measured: Measured | undefined;
  /** Starting processes takes long on a busy machine, and does not count towards the budget. */
  let openingMs = 0;
  let sessions = 0;
  let toldMs = startedMs;
  const totals = (): Totals => ({
    cases: cases - options.from,
    sessions,
    findings: seen.size,
    seconds: Math.round((nowMs() - startedMs) / 100) / 10,
    ...(measured === undefined ? {} : { measured }),
  });
  const isOver = (): boolean =>
    cases - options.from >= options.mostCases || nowMs() - startedMs - openingMs >= options.mostMs;

  const { world } = options.session;
  const bounds = world === "sim" ? REDUCE : REDUCE_PROCESSES;
  const tell = (
    { finding, cases: few, isReproduced, ...how }: Reduced,
    told: ReportedFinding,
  ): void => {
    const { session, at } = told;
    const from = { seed, from: at + 1 - few.length };
    const replay =
      replayLine(name, { ...session, inFlight: how.isTogether === true ? few.length : 1 }, few) ??
      rangeLine(name, { ...session, ...from }, few.length);
    const last = few.at(-1);
    const about = last === undefined ? "before any case" : target.describe(last);
    options.report({
      kind: "finding",
      finding: { ...finding, replay, about, isReproduced, case: at },
    });
  };

  const makeProgress = (): void => {
    if (nowMs() - toldMs <= PROGRESS_EVERY_MS) return;
    toldMs = nowMs();
    options.report({ kind: "progress", totals: totals() });
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
      makeProgress();
      const found = finding && named(target, finding, given);
      if (found !== undefined && !seen.has(found.cause)) {
        seen.add(found.cause);
        const one = { target, cell, session, nowMs, ...bounds };
        return tell(await reduce(one, history, found), { session, at: cases - 1 });
      }
      if (isSpent === true) return undefined;
    }
  };

  const runTogether = async (session: SessionOptions): Promise<void> => {
    const first = cases;
    const history: Json[] = [];
    const found: Suspicion[] = [];
    const openedMs = nowMs();
    const atOpening = await cell.open(session);
    openingMs += nowMs() - openedMs;
    if (atOpening !== undefined)
      throw new Error(`a session of ${name} does not open: ${atOpening.detail}`);
    let isSpent = false;
    while (!isSpent && history.length < (target.casesTogether ?? 0) && !isOver()) {
      const given: Json[] = [];
      while (given.length < TOGETHER && cases < options.from + options.mostCases) {
        given.push(target.generate(createRandom(`${seed}:${name}:${cases}`), session));
        cases += 1;
      }
      appendAll(history, given);
      const outcome = await cell.runTogether(given);
      appendAll(found, outcome.suspicions);
      ({ isSpent } = outcome);
      makeProgress();
    }
    const settled = await cell.settle();
    appendAll(found, settled.suspicions);
    measured = worstOf(measured, settled.measured);
    for (const { finding, suspects, since } of found) {
      const last = suspects.at(-1) ?? history.length - 1;
      const cause = named(target, finding, history[last] ?? null);
      if (seen.has(cause.cause)) continue;
      seen.add(cause.cause);
      const one = { target, cell, session: { ...session, inFlight: 1 }, nowMs, ...bounds };
      const within = {
        cases: history.slice(since, last + 1),
        suspects: suspects.map((at) => at - since),
      };
      tell(await reduceTogether(one, within, cause), { session, at: first + last });
    }
  };

  while (!isOver()) {
    const nodes = options.nodes[sessions % options.nodes.length] ?? 1;
    sessions += 1;
    const session = { ...options.session, nodes, seed };
    const isTogether =
      world !== "sim" && (session.inFlight ?? 1) > 1 && target.casesTogether !== undefined;
    await (isTogether ? runTogether(session) : runSession(session));
  }
  await cell.close();
  return totals();
}
