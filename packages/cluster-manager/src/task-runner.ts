/**
 * Runs what waits for the elected cluster manager, serially, on the last state it proposed: one round, one log entry, one
 * version. Exists for one term of being elected.
 *
 * INV-COORD-6: an answer, good or bad, is given only when the state it rests on is committed and applied here. What is
 * in flight when the term ends is answered "lost": it may yet be committed, and whoever retries names it by its id.
 */
import type { StoreFetch } from "@orrery/allocation";
import { applyEntry, type ClusterState, type Rules } from "@orrery/cluster-state";
import type { CancelTimer, Clock } from "@orrery/ports";
import {
  appendAll,
  assert,
  AssertionError,
  defined,
  OperationError,
  type JsonObject,
} from "@orrery/stdx";
import { encodeProposal } from "./applied-log.ts";
import { decide, type Decision, type RoundInputs, type Verdict, type Work } from "./decide.ts";
import { notCommitted, notElected, queueTimeout } from "./problems.ts";
import { createTaskQueue, type Queued } from "./task-queue.ts";
import type { PendingTask, TaskPriority } from "./types.ts";

/** Entries proposed and not yet applied. */
const inFlightMost = 8;

export interface TaskRunnerOptions {
  readonly clock: Clock;
  readonly term: number;
  /** The state at the first entry of the term. */
  readonly state: ClusterState;
  readonly rules: Rules;
  /** False: not taken now; `run` is called again later. */
  readonly propose: (data: Uint8Array) => boolean;
  readonly roundInputs: () => RoundInputs;
  /** What the allocator asks for after a round. */
  readonly placed: (needs: readonly StoreFetch[], nextDelayMs: number | undefined) => void;
  readonly proposed: (state: ClusterState) => void;
}

export interface NewWork {
  readonly work: Work;
  readonly priority: TaskPriority;
  readonly source: string;
  readonly batch: string | undefined;
  /** How long it may wait in the queue; without: for ever. */
  readonly timeoutMs?: number;
}

export interface Answer {
  /** Log index and version of the state it rests on. */
  readonly index: number;
  readonly version: number;
  readonly state: ClusterState;
  readonly explanations: readonly JsonObject[];
}

export interface TaskRunner {
  readonly term: number;
  /** The last proposed state. */
  readonly state: ClusterState;
  /** Rejects with the reducer's problem, what it threw, a queue timeout, or that the term ended. */
  enqueue(work: NewWork): Promise<Answer>;
  /** The same for several at once, so that a group is taken together. */
  enqueueAll(works: readonly NewWork[]): readonly Promise<Answer>[];
  run(): void;
  /** An entry of this term was applied, which made this state. */
  applied(
    entry: { readonly index: number; readonly hasProposal: boolean },
    state: ClusterState,
  ): void;
  pendingTasks(): readonly PendingTask[];
  end(): void;
}

interface Item extends Queued {
  readonly work: Work;
  readonly cancelTimeout: CancelTimer;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** An item, and what it will be told once the state it rests on is applied. */
interface Judged {
  readonly item: Item;
  readonly verdict: Verdict;
}

interface Round {
  readonly state: ClusterState;
  readonly judged: Judged[];
}

/** The states of a term, from the applied one to the last one proposed. */
interface Rounds {
  /** Proposed and not yet applied, in their order. */
  inFlight: readonly Round[];
  /** The last proposed state. */
  current: ClusterState;
  appliedIndex: number;
  appliedState: ClusterState;
}

export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
  const { clock, term } = options;
  const queue = createTaskQueue<Item>();
  const rounds: Rounds = {
    inFlight: [],
    current: options.state,
    appliedIndex: 0,
    appliedState: options.state,
  };
  let inserted = 0;
  let isRunning = false;
  let isEnded = false;

  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    try {
      for (let next = queue.peek(); next !== undefined && !isEnded; next = queue.peek()) {
        if (!mayRun(rounds, next)) break;
        const items = queue.take();
        if (!runRound(options, rounds, items)) {
          queue.putBack(items);
          break;
        }
      }
    } finally {
      isRunning = false;
    }
  };

  const push = ({ work, priority, source, batch, timeoutMs }: NewWork): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isEnded) {
        reject(notElected("node is no longer cluster-manager"));
        return;
      }
      inserted += 1;
      const item: Item = {
        insertOrder: inserted,
        priority,
        source,
        batch,
        queuedAtMs: clock.monotonicMs(),
        work,
        resolve,
        reject,
        cancelTimeout:
          timeoutMs === undefined || timeoutMs < 0
            ? () => {}
            : clock.setTimer(timeoutMs, () => {
                if (queue.remove(item)) reject(queueTimeout(source, timeoutMs));
              }),
      };
      queue.push(item);
    });

  return {
    term,
    get state() {
      return rounds.current;
    },
    run,
    enqueue(work) {
      const answer = push(work);
      run();
      return answer;
    },
    enqueueAll(works) {
      const answers = works.map(push);
      run();
      return answers;
    },
    applied: (entry, state) => settleApplied(rounds, entry, state),
    pendingTasks: () => [
      ...rounds.inFlight.flatMap(({ judged }) => judged.map(({ item }) => show(clock, item, true))),
      ...queue.items().map((item) => show(clock, item, false)),
    ],
    end() {
      isEnded = true;
      const lost = rounds.inFlight.flatMap(({ judged }) => judged.map(({ item }) => item));
      rounds.inFlight = [];
      for (const item of lost) {
        item.cancelTimeout();
        item.reject(notCommitted(item.source));
      }
      for (const item of queue.items()) {
        item.cancelTimeout();
        queue.remove(item);
        item.reject(notElected(`no longer cluster-manager. source: [${item.source}]`));
      }
    },
  };
}

/** A group that grows while it waits is worth waiting for: all of it shares a version and a reroute. */
function mayRun({ inFlight }: Rounds, { batch }: Item): boolean {
  return batch === undefined ? inFlight.length < inFlightMost : inFlight.length === 0;
}

/** False when Raft did not take it. */
function runRound(options: TaskRunnerOptions, rounds: Rounds, items: readonly Item[]): boolean {
  const decision = judge(options, rounds.current, items);
  if (decision === undefined) return true;
  const judged = items.map((item, i) => ({
    item,
    verdict: defined(decision.verdicts[i], "a verdict"),
  }));
  if (decision.entry !== undefined) {
    const { term, rules } = options;
    const position = { term, index: rounds.appliedIndex + rounds.inFlight.length + 1 };
    const before = rounds.current;
    const state = applyEntry(before, decision.entry, position, rules);
    const round: Round = { state, judged };
    // Before it is proposed: a cluster of one may apply it within the call.
    rounds.inFlight = [...rounds.inFlight, round];
    rounds.current = state;
    if (!options.propose(encodeProposal(decision.entry, decision.taskIds))) {
      rounds.inFlight = rounds.inFlight.filter((other) => other !== round);
      rounds.current = before;
      return false;
    }
    options.proposed(state);
  } else {
    const last = rounds.inFlight.at(-1);
    if (last !== undefined) appendAll(last.judged, judged);
    else judged.forEach((one) => settle(one, rounds.appliedIndex, rounds.appliedState));
  }
  options.placed(decision.needs, decision.nextDelayMs);
  return true;
}

/**
 * What cannot be judged is told why, and nothing waits behind it. A claim that does not hold is nobody's answer alone:
 * it goes on up.
 */
function judge(
  { roundInputs, rules }: TaskRunnerOptions,
  current: ClusterState,
  items: readonly Item[],
): Decision | undefined {
  try {
    const works = items.map(({ work }) => work);
    return decide(current, works, roundInputs(), rules);
  } catch (error) {
    for (const item of items) {
      item.cancelTimeout();
      item.reject(error);
    }
    if (error instanceof AssertionError) throw error;
    return undefined;
  }
}

function settleApplied(
  rounds: Rounds,
  entry: { readonly index: number; readonly hasProposal: boolean },
  state: ClusterState,
): void {
  rounds.appliedIndex = entry.index;
  rounds.appliedState = state;
  if (!entry.hasProposal) return;
  const [first, ...others] = rounds.inFlight;
  const round = defined(first, "the round of an applied entry");
  rounds.inFlight = others;
  assert(round.state.version === state.version, "what was proposed is not what was applied");
  if (others.length === 0) rounds.current = state;
  for (const one of round.judged) settle(one, entry.index, state);
}

function settle({ item, verdict }: Judged, index: number, state: ClusterState): void {
  item.cancelTimeout();
  if (verdict.kind === "rejected") {
    item.reject(new OperationError(verdict.problem));
    return;
  }
  const shown = verdict.state ?? state;
  const { explanations = [] } = verdict;
  item.resolve({ index, version: state.version, state: shown, explanations });
}

function show(clock: Clock, item: Item, executing: boolean): PendingTask {
  return {
    insertOrder: item.insertOrder,
    priority: item.priority,
    source: item.source,
    executing,
    timeInQueueMs: Math.floor(clock.monotonicMs() - item.queuedAtMs),
  };
}
