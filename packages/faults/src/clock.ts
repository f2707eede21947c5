/**
 * Clock port with faults: rules offset the wall clock, delay timers, and hold the timers of a
 * paused node until it resumes. The monotonic clock is never changed.
 */
import type { Clock, Trace } from "@orrery/ports";
import type { FaultState } from "./fault-state.ts";

export interface ClockFaultsOptions {
  readonly self: string;
  readonly state: FaultState;
  /** Receives `timer-fired` for each timer that fires. */
  readonly trace?: Trace | undefined;
}

export function withClockFaults(clock: Clock, { self, state, trace }: ClockFaultsOptions): Clock {
  const waiting: (() => void)[] = [];
  /**
   * Monotonic time at which each skew rule was first read, by rule id: drift accumulates from
   * there.
   */
  const drifting = new Map<string, number>();

  const isPaused = (): boolean => {
    const [hit] = state.at("pause", self);
    if (hit !== undefined) state.tookEffect(hit.id);
    return hit !== undefined;
  };

  state.onChange(() => {
    if (waiting.length === 0 || state.at("pause", self).length > 0) return;
    for (const fire of waiting.splice(0)) fire();
  });

  const offsetMs = (): number => {
    let offset = 0;
    for (const { id, offsetMs: byMs, driftPerMillion } of state.at("clock-skew", self)) {
      const nowMs = clock.monotonicMs();
      const sinceMs = drifting.get(id) ?? nowMs;
      drifting.set(id, sinceMs);
      offset += byMs + ((nowMs - sinceMs) * driftPerMillion) / 1_000_000;
      state.tookEffect(id);
    }
    for (const { id, offsetMs: byMs, periodMs } of state.at("clock-strobe", self)) {
      if (clock.monotonicMs() % periodMs < periodMs / 2) continue;
      offset += byMs;
      state.tookEffect(id);
    }
    for (const { id, offsetMs: byMs } of state.at("clock-jump", self)) {
      offset += byMs;
      state.tookEffect(id);
    }
    return Math.round(offset);
  };

  const latenessMs = (): number => {
    let late = 0;
    for (const { id, delayMs } of state.at("slow", self)) {
      state.tookEffect(id);
      late += delayMs;
    }
    return late;
  };

  return {
    nowMs: () => clock.nowMs() + (state.isCalm ? 0 : offsetMs()),
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (delayMs, callback) => {
      let isCancelled = false;
      const fire = (): void => {
        if (isCancelled) return;
        if (!state.isCalm && isPaused()) {
          waiting.push(fire);
          return;
        }
        trace?.({ kind: "timer-fired", delayMs });
        callback();
      };
      const cancel = clock.setTimer(delayMs + (state.isCalm ? 0 : latenessMs()), fire);
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
}
