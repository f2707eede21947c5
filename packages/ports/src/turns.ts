/**
 * Long work of a request in turns: between them the thread does other work, and learns of cancellations.
 *
 * Contract: a turn is 20 ms on a shard worker and 8 ms on the main thread. One turn of resting work is given at a
 * time; everything else that has arrived runs before the next one.
 */
import { delay, type Clock } from "./clock.ts";

/** Milliseconds for which one request of a shard worker may delay all others. */
const TURN_MS = 20;

/**
 * Length of a turn on a node's main thread, in milliseconds: shorter than `TURN_MS`, because this thread also answers
 * health requests and heartbeats.
 */
export const MAIN_TURN_MS = 8;

/** Long work as a generator: it yields when `isTurnOver` says so, and returns its result. */
export type Steps<T> = (isTurnOver: () => boolean) => Generator<undefined, T>;

/**
 * Runs work in turns. Work that ends within its first turn has its result at once, without a promise; other work
 * joins the queue of its thread.
 */
export function inTurns<T>(
  clock: Clock,
  start: Steps<T>,
  turnMs: number = TURN_MS,
): T | Promise<T> {
  let turnEndMs = clock.monotonicMs() + turnMs;
  const steps = start(() => isPast(clock, turnEndMs));
  const first = steps.next();
  if (first.done === true) return first.value;
  const continueInTurns = async (): Promise<T> => {
    const queue = turnQueueOf(clock);
    const work = queue.enter();
    for (;;) {
      await queue.nextTurn(work);
      turnEndMs = clock.monotonicMs() + turnMs;
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
  return continueInTurns();
}

/** Resting work in the queue; `number` ascends in the order of arrival. */
interface QueuedWork {
  readonly number: number;
  turns: number;
  /** The queue's count of turns at the last turn of this work. */
  lastTurn: number;
}

/** Work with fewer turns is short: it goes before all long work. */
const FEW_TURNS = 10;

/** Limit of pieces of long work that progress at the same time; the memory of the others does not grow meanwhile. */
const LONG_AT_ONCE = 4;

/**
 * The resting work of one thread. A request that ends within its first turn waits for one turn of others, not for one
 * turn of each of them.
 */
class TurnQueue {
  private readonly clock: Clock;
  private readonly waiting: { readonly work: QueuedWork; readonly begin: () => void }[] = [];
  private entered = 0;
  private given = 0;
  private isGiving = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  enter(): QueuedWork {
    this.entered += 1;
    return { number: this.entered, turns: 0, lastTurn: 0 };
  }

  nextTurn(work: QueuedWork): Promise<void> {
    return new Promise((begin) => {
      this.waiting.push({ work, begin });
      if (!this.isGiving) void this.give();
    });
  }

  private async give(): Promise<void> {
    this.isGiving = true;
    while (this.waiting.length > 0) {
      await delay(this.clock, 0);
      const next = this.chosen();
      const [taken] = this.waiting.splice(next, 1);
      if (taken === undefined) continue;
      this.given += 1;
      taken.work.turns += 1;
      taken.work.lastTurn = this.given;
      taken.begin();
    }
    this.isGiving = false;
  }

  /**
   * Index of the next work: the one with the fewest turns among short work; else, among the `LONG_AT_ONCE` pieces
   * that arrived first, the one that has waited longest.
   */
  private chosen(): number {
    const { waiting } = this;
    const numbers = waiting.map(({ work }) => work.number).toSorted((a, b) => a - b);
    const most = numbers[LONG_AT_ONCE - 1] ?? Infinity;
    let best = 0;
    let bestRank = Infinity;
    for (const [i, { work }] of waiting.entries()) {
      const rank =
        work.turns < FEW_TURNS
          ? work.turns
          : FEW_TURNS + work.lastTurn + (work.number <= most ? 0 : this.given);
      if (rank >= bestRank) continue;
      best = i;
      bestRank = rank;
    }
    return best;
  }
}

const turnQueues = new WeakMap<Clock, TurnQueue>();

function turnQueueOf(clock: Clock): TurnQueue {
  const known = turnQueues.get(clock);
  if (known !== undefined) return known;
  const queue = new TurnQueue(clock);
  turnQueues.set(clock, queue);
  return queue;
}

/** The turns of work that also waits for other promises, and so is no generator (`Steps`). */
export interface Turns {
  isOver(): boolean;
  /** Lets other work run; then the next turn begins. */
  rest(): Promise<void>;
}

/** Turns of which the first begins now. They do not wait in the queue of `inTurns`. */
export function createTurns(clock: Clock, turnMs: number = TURN_MS): Turns {
  let turnEndMs = clock.monotonicMs() + turnMs;
  return {
    isOver: () => isPast(clock, turnEndMs),
    async rest() {
      await delay(clock, 0);
      turnEndMs = clock.monotonicMs() + turnMs;
    },
  };
}

function isPast(clock: Clock, turnEndMs: number): boolean {
  return clock.monotonicMs() > turnEndMs || clock.areTurnsShort?.() === true;
}
