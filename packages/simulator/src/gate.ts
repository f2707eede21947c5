/**
 * The gate before everything that happens on a node, or on one of its threads: open, slow, or closed while it is paused.
 *
 * Contract: what passes keeps its order. Nothing is scheduled, drawn or counted while the gate is open.
 */
import type { EventQueue } from "./event-queue.ts";

export interface Gate {
  /** What comes now may happen at once. */
  readonly isOpen: boolean;
  /** The gate is closed until a pause has ended. */
  readonly isPaused: boolean;
  /** Happens now, or once the node gets to it. */
  pass(action: () => void): void;
  /** Nothing happens until it is ended. */
  pause(): GateHarm;
  /** Everything takes so much longer until it is ended. */
  slow(delayMs: number): GateHarm;
  /** Turns of what has passed end at their next look at the clock, and the next turn comes so much later, until it is ended. */
  shortTurns(restMs: number): GateHarm;
  /** Asked at each look. */
  areTurnsShort(): boolean;
  /** How long others go on between two short turns; 0 where turns are not short. */
  readonly restMs: number;
  /** The process is gone, and with it what waits here and every pause. */
  clear(): void;
}

/** A gate as those see it who wait at it. */
export type Passage = Pick<Gate, "isOpen" | "isPaused" | "pass" | "areTurnsShort" | "restMs">;

export interface GateHarm {
  hits(): number;
  end(): void;
}

interface Brake {
  readonly kind: "pause" | "slow";
  readonly delayMs: number;
  hits: number;
}

/** Keeps two events of one node apart: equal times are shuffled. */
const APART_MS = 0.001;

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

  const brake = (kind: Brake["kind"], delayMs: number): GateHarm => {
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

/** One gate behind another: a thread's behind its node's. */
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
