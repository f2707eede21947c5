/**
 * Gate in front of the events of a node, or of one of its threads: open, slow, or closed during a pause.
 *
 * Contract: actions keep their order. While the gate is open no event is scheduled, drawn or counted, so that a run
 * without such faults is unchanged.
 */
import type { EventQueue } from "./event-queue.ts";

export interface Gate {
  /** True if an action that arrives now runs at once. */
  readonly isOpen: boolean;
  /** True while a pause is active. */
  readonly isPaused: boolean;
  /** Runs the action now, or when the gate opens and all actions before it have run. */
  pass(action: () => void): void;
  /** Closes the gate until the rule's `end` is called. */
  pause(): AppliedGateRule;
  /** Delays each action by `delayMs` until the rule's `end` is called. */
  slow(delayMs: number): AppliedGateRule;
  /**
   * Ends each turn of long work at its next look at the clock, and delays the next turn by `restMs`, until the rule's
   * `end` is called.
   */
  shortTurns(restMs: number): AppliedGateRule;
  /** True if turns are to end early; asked by long work each time it looks at the clock. */
  areTurnsShort(): boolean;
  /** Time between two short turns during which other work runs; 0 if turns are not short. */
  readonly restMs: number;
  /** Discards waiting actions and pauses, because the process has ended; other rules remain. */
  clear(): void;
}

/** Gate as seen by its users, without the rules that close it. */
export type Passage = Pick<Gate, "isOpen" | "isPaused" | "pass" | "areTurnsShort" | "restMs">;

/** Applied rule of a gate. A hit is a delayed action; of `shortTurns`, a look of long work at the clock. */
export interface AppliedGateRule {
  hits(): number;
  end(): void;
}

interface Brake {
  readonly kind: "pause" | "slow";
  readonly delayMs: number;
  hits: number;
}

/** Minimum interval between two actions of a node: events of the same time would be shuffled. */
const APART_MS = 0.001;

/** Gate that is open until a rule closes or slows it. */
export function createGate(queue: EventQueue): Gate {
  const brakes = new Set<Brake>();
  const interruptions = new Set<{ readonly restMs: number; hits: number }>();
  let waiting: (() => void)[] = [];
  let isBusy = false;
  let isOpen = true;

  const isPaused = (): boolean => [...brakes].some(({ kind }) => kind === "pause");

  const next = (): void => {
    if (isBusy || waiting.length === 0 || isPaused()) return;
    isBusy = true;
    const delayMs = [...brakes].reduce((sum, brake) => sum + brake.delayMs, 0);
    queue.schedule(Math.max(APART_MS, delayMs), () => {
      isBusy = false;
      if (isPaused()) return;
      const action = waiting.shift();
      action?.();
      if (waiting.length > 0) next();
      else isOpen = brakes.size === 0;
    });
  };

  const brake = (kind: Brake["kind"], delayMs: number): AppliedGateRule => {
    const own: Brake = { kind, delayMs, hits: 0 };
    brakes.add(own);
    isOpen = false;
    return {
      hits: () => own.hits,
      end: () => {
        if (!brakes.delete(own)) return;
        isOpen = brakes.size === 0 && waiting.length === 0;
        next();
      },
    };
  };

  return {
    get isOpen() {
      return isOpen;
    },
    get isPaused() {
      return isPaused();
    },
    pass: (action) => {
      if (isOpen) {
        action();
        return;
      }
      for (const one of brakes) one.hits += 1;
      waiting.push(action);
      next();
    },
    pause: () => brake("pause", 0),
    slow: (delayMs) => brake("slow", delayMs),
    shortTurns: (restMs) => {
      const own = { restMs, hits: 0 };
      interruptions.add(own);
      return { hits: () => own.hits, end: () => void interruptions.delete(own) };
    },
    areTurnsShort: () => {
      for (const one of interruptions) one.hits += 1;
      return interruptions.size > 0;
    },
    get restMs() {
      let longest = 0;
      for (const one of interruptions) longest = Math.max(longest, one.restMs);
      return longest;
    },
    clear: () => {
      waiting = [];
      for (const one of brakes) if (one.kind === "pause") brakes.delete(one);
      isOpen = brakes.size === 0;
    },
  };
}

/** Composition of two gates, such as a thread's behind its node's: an action passes both. */
export function behind(outer: Passage, inner: Passage): Passage {
  return {
    get isOpen() {
      return outer.isOpen && inner.isOpen;
    },
    get isPaused() {
      return outer.isPaused || inner.isPaused;
    },
    pass: (action) => outer.pass(() => inner.pass(action)),
    areTurnsShort: () => outer.areTurnsShort() || inner.areTurnsShort(),
    get restMs() {
      return Math.max(outer.restMs, inner.restMs);
    },
  };
}
