/**
 * What happens next: events in the order of virtual time, then a seeded tie-break, then the order they were scheduled in.
 *
 * Time jumps from event to event. After each event the microtask queue is drained, so that every promise that could go on
 * has gone on before the next event: the order of promises is part of the run, not of the machine.
 */
import { createHeap, type Random } from "@orrery/stdx";
import { turnOfTheMachine } from "./traps.ts";

export interface EventQueue {
  /** Virtual milliseconds since the start of the run. */
  readonly nowMs: number;
  /** Runs `action` after `delayMs`, unless it is cancelled before. Events of one time and `tieBreak` keep their order. */
  schedule(delayMs: number, action: () => void, tieBreak?: number): () => void;
  /** Runs events until none is left before `untilMs`, or `isDone` says so; then time is `untilMs` or where it stopped. */
  run(untilMs: number, isDone?: () => boolean): Promise<void>;
  readonly executed: number;
}

interface Scheduled {
  readonly atMs: number;
  readonly tieBreak: number;
  readonly order: number;
  action: (() => void) | undefined;
}

/** A tie-break lies between 0 and this. */
export const TIE_BREAKS = 0xffff;

/** Runs once every promise that could go on has gone on: after all microtasks, before anything of the outside world. */
type Drain = (next: () => void) => void;

/** After so many events the machine has its turn. It is counted, so that what shows then shows at the same event each time. */
const MACHINE_TURN_EVERY = 1024;

function nodeDrain(): Drain {
  let events = 0;
  let next = (): void => undefined;
  const afterMicrotasks = (): void => {
    events += 1;
    if (events % MACHINE_TURN_EVERY === 0) void turnOfTheMachine().then(next);
    else process.nextTick(next);
  };
  // Node makes a resource of its own for each `queueMicrotask`; a reaction of a promise is all that is needed.
  const settled = Promise.resolve();
  return (then) => {
    next = then;
    void settled.then(afterMicrotasks);
  };
}

export function createEventQueue(random: Random, drain: Drain = nodeDrain()): EventQueue {
  const heap = createHeap<Scheduled>(isBefore);
  let nowMs = 0;
  let order = 0;
  let executed = 0;

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
    return () => {
      event.action = undefined;
    };
  };

  const run = (untilMs: number, isDone: () => boolean = () => false): Promise<void> =>
    new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          if (isDone()) return resolve();
          const next = takeNext(heap, untilMs);
          if (next === undefined) {
            nowMs = Math.max(nowMs, untilMs);
            return resolve();
          }
          nowMs = next.atMs;
          executed += 1;
          next.action?.();
          return drain(step);
        } catch (error) {
          return reject(error);
        }
      };
      drain(step);
    });

  return {
    get nowMs() {
      return nowMs;
    },
    get executed() {
      return executed;
    },
    schedule,
    run,
  };
}

function takeNext(
  heap: ReturnType<typeof createHeap<Scheduled>>,
  untilMs: number,
): Scheduled | undefined {
  for (;;) {
    const next = heap.peek();
    if (next === undefined || next.atMs > untilMs) return undefined;
    heap.pop();
    if (next.action !== undefined) return next;
  }
}

function isBefore(a: Scheduled, b: Scheduled): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if (a.tieBreak !== b.tieBreak) return a.tieBreak < b.tieBreak;
  return a.order < b.order;
}
