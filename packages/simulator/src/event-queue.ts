/**
 * Event queue of the simulation: events in the order of virtual time, then of a seeded tie-break, then of scheduling.
 *
 * Time advances from event to event. After each event the microtask queue is drained, so that every promise that can
 * continue has continued before the next event: the order of promises is a property of the run, not of the machine.
 */
import { createHeap, type Random } from "@orrery/stdx";
import type { Promises } from "./machine/machine.ts";
import { thisMachine } from "./machine/this-machine.ts";
import { inLaterTurn } from "./traps.ts";

export interface EventQueue {
  /** Virtual milliseconds since the start of the run. */
  readonly nowMs: number;
  /**
   * Schedules `action` in `delayMs`; returns the function that cancels it. Events of the same time and `tieBreak` run
   * in the order of scheduling; without `tieBreak` one is drawn.
   */
  schedule(delayMs: number, action: () => void, tieBreak?: number): () => void;
  /**
   * Runs the events due up to and including `untilMs`, or until `isDone`, called before each, returns true; time is then
   * `untilMs`, or that of the last event. Rejects with the error that an event throws.
   */
  run(untilMs: number, isDone?: () => boolean): Promise<void>;
  readonly executed: number;
  /** Number of events that are scheduled and not cancelled. */
  readonly waiting: number;
}

interface Scheduled {
  readonly atMs: number;
  readonly tieBreak: number;
  readonly order: number;
  action: (() => void) | undefined;
}

/** Tie-breaks are drawn from 0 to this. */
export const TIE_BREAKS = 0xffff;

/**
 * Number of events between two turns of the real event loop. Counting events, not time, makes errors that show in such
 * a turn appear at the same event in every run.
 */
const MACHINE_TURN_EVERY = 1024;

/** Limit of events at one virtual time: beyond it the program loops, waiting for something that only time brings. */
const MOST_EVENTS_AT_ONE_TIME = 2_000_000;

/** Number of cancelled events in the heap below which removing them is not worthwhile. */
const CANCELLED_LEAST = 64;

const ofThisMachine: Promises = { ...thisMachine.promises, later: inLaterTurn };

/** Queue at time 0. `random` draws the tie-breaks; `promises` drains the microtask queue after each event. */
export function createEventQueue(random: Random, promises: Promises = ofThisMachine): EventQueue {
  const heap = createHeap<Scheduled>(isBefore);
  let nowMs = 0;
  let order = 0;
  let executed = 0;
  /** Number of events executed when virtual time last advanced. */
  let executedBefore = 0;
  /** Number of cancelled events in the heap. */
  let cancelled = 0;

  const cancel = (event: Scheduled): void => {
    if (event.action === undefined) return;
    event.action = undefined;
    cancelled += 1;
    // Most timers are cancelled; the long time-outs among them would fill the heap.
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
      // An executed event can no longer be cancelled.
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

  /** Runs one event; false if the run is to end. */
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
