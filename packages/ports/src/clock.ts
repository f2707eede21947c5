/** Time. Roles ask for timers here; a world decides what a millisecond is. */

export interface Clock {
  /** Wall clock, milliseconds since 1970; may jump. For dates people see. */
  nowMs(): number;
  /** Never runs backwards; milliseconds with fractions. For durations and deadlines. */
  monotonicMs(): number;
  /** Turns end as soon as this is asked: a simulation lets other work come between wherever it can. Absent elsewhere. */
  areTurnsShort?(): boolean;
  /** Calls once after `delayMs` unless cancelled before. */
  setTimer(delayMs: number, callback: () => void): CancelTimer;
}

export type CancelTimer = () => void;

/** Ends after `delayMs`. */
export function delay(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(delayMs, resolve);
  });
}
