/**
 * Target of the fuzzer: generation, execution, judgement and shrinking of its cases.
 *
 * A case is plain JSON data and a function of the given `Random` alone, so that seed and number determine it, and it
 * fits into a replay line. A session is one world (a simulation, a cluster of processes, a folder) that runs
 * consecutive cases; each case finds the state that the previous ones left. A session runs in its own thread: a case
 * that never yields, ends the thread or exhausts its heap is a finding of the loop.
 *
 * A new target is a file in `targets/`, a name in `TargetName`, and a row in `targets/table.ts`.
 */
import type { WorldName } from "@orrery/scenario";
import type { Json, Random } from "@orrery/stdx";

export type NodeCount = 1 | 3;

export interface SessionOptions {
  /** `sim`: in virtual time; `memory`: all nodes in one process; others: processes over this transport. */
  readonly world: WorldName;
  readonly nodes: NodeCount;
  /** Seed of everything that a session draws itself, such as the order of events in a simulation. */
  readonly seed: number;
  /** First of 100 ports that a session of processes may bind, and of 100 more after the next 100. */
  readonly port: number;
  /** Address of the product to compare with, whose data is removed; `undefined`: none. */
  readonly oracle?: string;
  /** Number of concurrent cases in worlds of processes; 1: one after the other, each judged alone. */
  readonly inFlight?: number;
}

export interface Finding {
  /** Key of findings with the same cause, prefixed by its class: `500: …`, `js-text: …`. */
  readonly cause: string;
  /** Observation, in one line. */
  readonly detail: string;
}

export interface Outcome {
  readonly finding?: Finding;
  /** The world cannot run further cases: the session is opened anew. */
  readonly isSpent?: boolean;
}

export interface Session<Case> {
  /** Runs a case; rejects only for a bug of the fuzzer. */
  run(given: Case): Promise<Outcome>;
  /** Starts cases besides the pending ones; resolves when more can be started. Only in worlds of processes. */
  runTogether?(given: readonly Case[]): Promise<TogetherOutcome>;
  /** Waits for all pending cases, and measures the remains. */
  settle?(): Promise<TogetherOutcome>;
  close(): Promise<void>;
}

/** Finding from a group of concurrent cases, of which one or several may have caused it. */
export interface Suspicion {
  readonly finding: Finding;
  /** Positions of the cases that may have caused it, in the order in which they were given; a single one caused it. */
  readonly suspects: readonly number[];
  /** Position of the first case since the world was created or renewed. */
  readonly since: number;
}

export interface TogetherOutcome {
  readonly suspicions: readonly Suspicion[];
  readonly isSpent: boolean;
  readonly measured?: Measured;
}

/** Measurements of a session, or the worst of several. */
export interface Measured {
  /** Resident memory of all nodes before the first case, and after a quiet time behind the last. */
  readonly memory: { readonly beforeBytes: number; readonly afterBytes: number };
  readonly slowestHealthMs: number;
}

export interface TargetSpec<Case> {
  /** Supported worlds; the first is the default. */
  readonly worlds: readonly [WorldName, ...WorldName[]];
  /** Number of cases after which a session is closed, which bounds the history of a finding. */
  readonly casesPerSession: number;
  /** Number of concurrent cases after which a session is closed. The session renews its world as often as necessary. */
  readonly casesTogether?: number;
  /** Processor time of one case; default five seconds. */
  readonly hangMs?: number;
  generate(random: Random, options: SessionOptions): Case;
  open(options: SessionOptions): Promise<Session<Case>>;
  /** Smaller cases that may show the same finding, the smallest first; the iteration is finite. */
  shrink(given: Case): Iterable<Case>;
  /** Description in one line. */
  describe(given: Case): string;
  /** Words shared by cases of one kind, which distinguish hangs and crashes. */
  family(given: Case): string;
}

/** Target with erased case type, as the table holds it. */
export type Target = TargetSpec<Json>;

export function defineTarget<Case>(spec: TargetSpec<Case>): Target {
  // Sound, because the loop passes a target only cases that it generated, or that its own replay line contained.
  return spec as unknown as Target;
}
