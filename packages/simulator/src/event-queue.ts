/**
 * What happens next: events in the order of virtual time, then a seeded tie-break, then the order they were scheduled in.
 *
 * Time jumps from event to event. After each event the microtask queue is drained, so that every promise that could go on
 * has gone on before the next event: the order of promises is part of the run, not of the machine.
 */
import { createHeap, type Random } from "@orrery/stdx";
import type { Promises } from "./machine/machine.ts";
import { thisMachine } from "./machine/this-machine.ts";
import { inLaterTurn } from "./traps.ts";

export interface EventQueue {
  /** Virtual milliseconds since the start of the run. */
  readonly nowMs: number;
  /** Runs `action` after `delayMs`, unless it is cancelled before. Events of one time and `tieBreak` keep their order. */
  schedule(delayMs: number, action: () => void, tieBreak?: number): () => void;
  /** Runs events until none is left before `untilMs`, or `isDone` says so; then time is `untilMs` or where it stopped. */
  run(untilMs: number, isDone?: () => boolean): Promise<void>;
  readonly executed: number;
  /** Events that are scheduled and not cancelled. */
  readonly waiting: number;
}

interface Scheduled {
  readonly atMs: number;
  readonly tieBreak: number;
  readonly order: number;
  action: (() => void) | undefined;
}

/** A tie-break lies between 0 and this. */
export const TIE_BREAKS = 0xffff;

/** After so many events the machine has its turn. It is counted, so that what shows then shows at the same event each time. */
const MACHINE_TURN_EVERY = 1024;

/** So many events of one time are a program that waits for something which only time brings. */
const MOST_EVENTS_AT_ONE_TIME = 2_000_000;

/** Fewer of the events that were cancelled are not worth looking for. */
const CANCELLED_LEAST = 64;

const ofThisMachine: Promises = { ...thisMachine.promises, later: inLaterTurn };

export function createEventQueue(random: Random, promises: Promises = ofThisMachine): EventQueue {
  const heap = createHeap<Scheduled>(isBefore);
  let nowMs = 0;
  let order = 0;
  let executed = 0;
  /** Events that had been executed when time moved last. */
  let executedBefore = 0;
  /** Of those in the heap. */
  let cancelled = 0;

  const cancel = (event: Scheduled): void => {
    if (event.action === undefined) return;
    event.action = undefined;
    cancelled += 1;
    // Most timers are cancelled, and those for time-outs would lie there long.
    if (cancelled <= CANCELLED_LEAST || cancelled * 2 <= heap.size) return;
    heap.keep(({ action }) => action !== undefined);
    cancelled = 0;
  };

  const takeNext = (untilMs: number): (() => void) | undefined => {
    for (;;) {
      const next = heap.peek();
      if (next === undefined || next.atMs > untilMs) return undefined;
      heap.pop();
      const { action } = next;
      if (action === undefined) {
        cancelled -= 1;
        continue;
      }
      // It can be cancelled no more.
      next.action = undefined;
      if (next.atMs !== nowMs) executedBefore = executed;
      else if (executed - executedBefore > MOST_EVENTS_AT_ONE_TIME)
        throw new Error(`virtual time stands still at ${nowMs} ms: events of that time never end`);
      nowMs = next.atMs;
      return action;
    }
  };

  const schedule = (
    delayMs: number,
    action: () => void,
    tieBreak = random.int(0, TIE_BREAKS),
  ): (() => void) => {
    order += 1;
    const event: Scheduled = {
      atMs: nowMs + Math.max(0, delayMs),
      tieBreak,
      order,
      action,
    };
    heap.push(event);
    return () => cancel(event);
  };

  /** Whether there is more to do. */
  const step = (untilMs: number, isDone: () => boolean): boolean => {
    if (isDone()) return false;
    const action = takeNext(untilMs);
    if (action === undefined) {
      nowMs = Math.max(nowMs, untilMs);
      return false;
    }
    executed += 1;
    action();
    return true;
  };

  const run = (untilMs: number, isDone: () => boolean = () => false): Promise<void> =>
    new Promise((resolve, reject) => {
      const batch = (): void => {
        try {
          for (let left = MACHINE_TURN_EVERY; left > 0; left -= 1) {
            if (!step(untilMs, isDone)) return resolve();
            if (promises.settle === undefined) break;
            promises.settle();
          }
          return promises.later(batch);
        } catch (error) {
          return reject(error);
        }
      };
      promises.later(batch);
    });

  return {
    get nowMs() {
      return nowMs;
    },
    get executed() {
      return executed;
    },
    get waiting() {
      return heap.size - cancelled;
    },
    schedule,
    run,
  };
}

function isBefore(a: Scheduled, b: Scheduled): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if (a.tieBreak !== b.tieBreak) return a.tieBreak < b.tieBreak;
  return a.order < b.order;
}
