/**
 * What a target of the fuzzer is: how its cases are made, run, judged and made smaller.
 *
 * A case is plain JSON data and a function of the given `Random` alone, so that seed and number lead to it, and so that it
 * fits into a replay line. A session is one world (a simulation, a cluster of processes, a folder) that runs case after
 * case; what one case leaves there is what the next one finds. A session lives in a thread of its own: a case that never
 * yields, ends the thread or fills its heap is a finding of the loop, not of the session.
 *
 * To add a target: a file in `targets/`, its name in `TargetName`, its row in `targets/table.ts`.
 */
import type { WorldName } from "@orrery/scenario";
import type { Json, Random } from "@orrery/stdx";

export type NodeCount = 1 | 3;

export interface SessionOptions {
  /** `sim`: in virtual time; `memory`: all nodes in one process; the others: processes, over this transport. */
  readonly world: WorldName;
  readonly nodes: NodeCount;
  /** Of everything that a session draws by itself, such as the order of events in a simulation. */
  readonly seed: number;
  /** The first of 100 ports that a session of processes may bind, and of 100 more after the next 100. */
  readonly port: number;
  /** Where the product runs, to compare with: its data is lost. Absent: nowhere. */
  readonly oracle?: string;
  /** How many cases are under way beside each other, where the world is processes; 1: one after the other, each judged alone. */
  readonly inFlight?: number;
}

export interface Finding {
  /** The same for findings that one change of the product would end; a word for its class in front: `500: …`, `js-text: …`. */
  readonly cause: string;
  /** What was seen, in one line. */
  readonly detail: string;
}

export interface Outcome {
  readonly finding?: Finding;
  /** The world is no longer one that other cases should run in: the session is opened anew. */
  readonly isSpent?: boolean;
}

export interface Session<Case> {
  /** Rejects only if the fuzzer itself is wrong. */
  run(given: Case): Promise<Outcome>;
  /** Starts cases beside those that are under way; resolves as soon as there is room for more. Only where the world is processes. */
  runTogether?(given: readonly Case[]): Promise<TogetherOutcome>;
  /** Waits for all that is under way, and measures what is left. */
  settle?(): Promise<TogetherOutcome>;
  close(): Promise<void>;
}

/** A finding of cases that ran beside each other. */
export interface Suspicion {
  readonly finding: Finding;
  /** Positions, in the order in which the session was given its cases, of those that may have caused it; one: it did. */
  readonly suspects: readonly number[];
  /** The position of the first case since the world was made, or made anew. */
  readonly since: number;
}

export interface TogetherOutcome {
  readonly suspicions: readonly Suspicion[];
  readonly isSpent: boolean;
  readonly measured?: Measured;
}

/** Of one session; of many: the worst of each. */
export interface Measured {
  /** Resident memory of all nodes before the first case, and after a quiet time behind the last. */
  readonly memory: { readonly beforeBytes: number; readonly afterBytes: number };
  readonly slowestHealthMs: number;
}

export interface TargetSpec<Case> {
  /** The default is the first. */
  readonly worlds: readonly [WorldName, ...WorldName[]];
  /** A session is closed after so many: a case that needs those before it has no more to carry. */
  readonly casesPerSession: number;
  /** The same where cases run beside each other; the session makes its world anew as often as it must. */
  readonly casesTogether?: number;
  /** Processor time of one case; default five seconds. */
  readonly hangMs?: number;
  generate(random: Random, options: SessionOptions): Case;
  open(options: SessionOptions): Promise<Session<Case>>;
  /** Smaller cases that may show the same, the smallest first; they end. */
  shrink(given: Case): Iterable<Case>;
  /** In one line, for people. */
  describe(given: Case): string;
  /** A few words that cases of one kind share: what a hang or a crash is told apart by. */
  family(given: Case): string;
}

/** A target whose cases are checked and forgotten, as the table holds it. */
export type Target = TargetSpec<Json>;

export function defineTarget<Case>(spec: TargetSpec<Case>): Target {
  // Sound because the loop gives a target only cases that it made itself, or that stood in its own replay line.
  return spec as unknown as Target;
}
