/**
 * The task runner of a term (`ClusterManagerService`): runs queued items serially, each round on the last *proposed* state; one
 * round is one log entry and one version.
 *
 * Rounds are pipelined: the next one does not wait until the last is committed, since that would limit changes to one
 * per round trip of consensus. The state that a round starts from may therefore never be committed, which is safe within
 * a term: its entries are committed in order or not at all.
 *
 * INV-COORD-6: every answer, a rejection too, waits until the state it rests on is committed and applied here. A
 * rejection at once could name a conflict with a change that is lost with the term. Rounds in flight when the term ends
 * are rejected as lost: they may still be committed, and a retry under the same task id finds out (INV-COORD-4).
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

/** Limit of entries that are proposed and not applied; beyond it, items wait in the queue. */
const inFlightMost = 8;

export interface TaskRunnerOptions {
  readonly clock: Clock;
  readonly term: number;
  /** The state at the first entry of the term. */
  readonly state: ClusterState;
  readonly rules: Rules;
  /** Proposes an entry to Raft; false when it does not accept one now. `run` is called again after the next change. */
  readonly propose: (data: Uint8Array) => boolean;
  /** Inputs of the allocator, read anew for each round. */
  readonly roundInputs: () => RoundInputs;
  /** Called after each round with the needs of the allocator, and the time until the next delayed copy is due. */
  readonly placed: (needs: readonly StoreFetch[], nextDelayMs: number | undefined) => void;
  /** Called for each proposed state. */
  readonly proposed: (state: ClusterState) => void;
}

/** An item to enqueue. */
export interface NewWork {
  readonly work: Work;
  readonly priority: TaskPriority;
  readonly source: string;
  readonly batch: string | undefined;
  /** Longest time in the queue; without it, and when negative, unlimited. It does not limit the commit. */
  readonly timeoutMs?: number;
}

/** Answer to an item. */
export interface Answer {
  /** Log index and version of the state on which the answer rests. */
  readonly index: number;
  readonly version: number;
  /** The state on which the answer rests; for reroute commands, dry run or not, the state that they lead to. */
  readonly state: ClusterState;
  /** One for each reroute command, when they were requested. */
  readonly explanations: readonly JsonObject[];
}

export interface TaskRunner {
  readonly term: number;
  /** The last proposed state. */
  readonly state: ClusterState;
  /** Enqueues an item. Rejects with the reducer's problem, an error of the round, a queue timeout, or the end of the term. */
  enqueue(work: NewWork): Promise<Answer>;
  /** Enqueues several items before the next round, so that those of one batch share it. */
  enqueueAll(works: readonly NewWork[]): readonly Promise<Answer>[];
  /** Runs rounds until the queue is empty or the next one has to wait. */
  run(): void;
  /** Settles the round of an applied entry; called for every entry of the term, in order. */
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

/** An item with its verdict, which is given when the state it rests on is applied. */
interface Judged {
  readonly item: Item;
  readonly verdict: Verdict;
}

/** A proposed entry: the state after it, and the items that its application settles. */
interface Round {
  readonly state: ClusterState;
  readonly judged: Judged[];
}

/** The states of a term, from the applied one to the last proposed one. */
interface Rounds {
  /** Rounds proposed and not applied, in log order. */
  inFlight: readonly Round[];
  /** The last proposed state. */
  current: ClusterState;
  appliedIndex: number;
  appliedState: ClusterState;
}

/** A runner with an empty queue, at the first entry of its term. */
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
    // Proposing may commit and apply within the call (a cluster of one), which calls back into `run`.
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
      // Two kinds of loss: items in flight may be committed by the next cluster manager, queued ones were never proposed.
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

/**
 * Whether the next round may start. A batch waits until nothing is in flight: items that arrive meanwhile join it, and
 * share its version and its reroute, the most expensive part of a round. Items without a batch are pipelined.
 */
function mayRun({ inFlight }: Rounds, { batch }: Item): boolean {
  return batch === undefined ? inFlight.length < inFlightMost : inFlight.length === 0;
}

/** Decides on the items and proposes the entry. False when Raft did not accept it: nothing has changed then. */
function runRound(options: TaskRunnerOptions, rounds: Rounds, items: readonly Item[]): boolean {
  const decision = judge(options, rounds.current, items);
  if (decision === undefined) return true;
  const judged = items.map((item, i) => ({
    item,
    verdict: defined(decision.verdicts[i], "a verdict"),
  }));
  if (decision.entry !== undefined) {
    const { term, rules } = options;
    // The index is an estimate: a configuration change that Raft appends between shifts it. Only `stateUuid` depends on
    // it, and the applied state, with the true uuid, replaces this one once nothing is in flight.
    const position = { term, index: rounds.appliedIndex + rounds.inFlight.length + 1 };
    const before = rounds.current;
    const state = applyEntry(before, decision.entry, position, rules);
    const round: Round = { state, judged };
    // In flight before it is proposed: a cluster of one applies the entry within the call, and `settleApplied` expects it.
    rounds.inFlight = [...rounds.inFlight, round];
    rounds.current = state;
    if (!options.propose(encodeProposal(decision.entry, decision.taskIds))) {
      rounds.inFlight = rounds.inFlight.filter((other) => other !== round);
      rounds.current = before;
      return false;
    }
    options.proposed(state);
  } else {
    // The verdicts rest on the last proposed state. If that is in flight they wait for it (INV-COORD-6).
    const last = rounds.inFlight.at(-1);
    if (last !== undefined) appendAll(last.judged, judged);
    else judged.forEach((one) => settle(one, rounds.appliedIndex, rounds.appliedState));
  }
  options.placed(decision.needs, decision.nextDelayMs);
  return true;
}

/**
 * The decision on a round. An error rejects all its items, so that the queue behind them is not blocked; a failed
 * assertion is a bug and is rethrown besides. Undefined after an error.
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

/** Gives the verdicts of the round that an applied entry belongs to. Entries without a proposal only advance the index. */
function settleApplied(
  rounds: Rounds,
  entry: { readonly index: number; readonly hasProposal: boolean },
  state: ClusterState,
): void {
  // Also without a proposal: `appliedIndex` is the index of answers that rest on the applied state alone.
  rounds.appliedIndex = entry.index;
  rounds.appliedState = state;
  if (!entry.hasProposal) return;
  const [first, ...others] = rounds.inFlight;
  // Every entry with a proposal that is applied during the term was proposed by this runner, in this order.
  const round = defined(first, "the round of an applied entry");
  rounds.inFlight = others;
  assert(round.state.version === state.version, "the applied state differs from the proposed one");
  if (others.length === 0) rounds.current = state;
  for (const one of round.judged) settle(one, entry.index, state);
}

/** Resolves or rejects one item with its verdict. */
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

/** An item as `_cluster/pending_tasks` lists it. */
function show(clock: Clock, item: Item, executing: boolean): PendingTask {
  return {
    insertOrder: item.insertOrder,
    priority: item.priority,
    source: item.source,
    executing,
    timeInQueueMs: Math.floor(clock.monotonicMs() - item.queuedAtMs),
  };
}
