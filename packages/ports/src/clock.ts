/** The Clock port: wall time, monotonic time and timers. In a simulation all of them are virtual. */

export interface Clock {
  /** Wall time in milliseconds since 1970; may jump. For dates that people see. */
  nowMs(): number;
  /** Milliseconds with fractions that never decrease. For durations and deadlines. */
  monotonicMs(): number;
  /** Whether turns of long work end at their next look at the clock: a fault of a simulation. Absent elsewhere. */
  areTurnsShort?(): boolean;
  /** Calls `callback` once after `delayMs`, unless cancelled before. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
}

/** Cancels a timer; no effect once it has fired. */
export type CancelTimer = () => void;

/** A promise that resolves after `delayMs`. */
export function delay(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(delayMs, resolve);
  });
}
