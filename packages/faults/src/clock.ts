/**
 * The Clock port with faults: a wall clock that shows another time, time that passes at another rate, timers that are late or
 * wait until a paused node goes on.
 */
import type { Clock } from "@orrery/ports";
import type { FaultState } from "./fault-state.ts";
import { isAt } from "./match.ts";

export interface ClockFaultsOptions {
  readonly self: string;
  readonly state: FaultState;
}

export function withClockFaults(clock: Clock, { self, state }: ClockFaultsOptions): Clock {
  /** Where this clock and the true one stood when the rate changed last. */
  let shownMs = 0;
  let trueMs = 0;
  let rate = 1;
  const waiting: (() => void)[] = [];

  const monotonicMs = (): number =>
    trueMs === 0 ? clock.monotonicMs() : shownMs + (clock.monotonicMs() - trueMs) * rate;

  const isPaused = (): boolean => {
    const hit = state.of("pause").find(({ nodes }) => isAt(nodes, self));
    if (hit !== undefined) state.tookEffect(hit.id);
    return hit !== undefined;
  };

  state.onChange(() => {
    const drifts = state.of("clock-drift").filter(({ nodes }) => isAt(nodes, self));
    const next = drifts.reduce((product, { ratePerMille }) => (product * ratePerMille) / 1000, 1);
    if (next !== rate) {
      for (const { id } of drifts) state.tookEffect(id);
      [shownMs, trueMs] = [monotonicMs(), clock.monotonicMs()];
      rate = next;
    }
    if (waiting.length === 0 || isPaused()) return;
    for (const fire of waiting.splice(0)) fire();
  });

  const latenessMs = (): number => {
    let late = 0;
    for (const { id, nodes, delayMs } of state.of("slow")) {
      if (!isAt(nodes, self)) continue;
      state.tookEffect(id);
      late += delayMs;
    }
    return late;
  };

  return {
    nowMs: () => {
      let offsetMs = 0;
      for (const fault of state.of("clock-skew")) {
        if (!isAt(fault.nodes, self)) continue;
        state.tookEffect(fault.id);
        offsetMs += fault.offsetMs;
      }
      return clock.nowMs() + offsetMs;
    },
    monotonicMs,
    setTimer: (delayMs, callback) => {
      const dueMs = monotonicMs() + Math.max(0, delayMs);
      let isCancelled = false;
      let cancel: () => void = () => undefined;
      const fire = (): void => {
        if (isCancelled) return;
        if (isPaused()) {
          waiting.push(fire);
          return;
        }
        const leftMs = rate === 1 ? 0 : dueMs - monotonicMs();
        // The rate has changed since it was set.
        if (leftMs > SLACK_MS) arm(leftMs);
        else callback();
      };
      const arm = (leftMs: number): void => {
        cancel = clock.setTimer(leftMs / rate, fire);
      };
      arm(Math.max(0, delayMs) + (state.isCalm ? 0 : latenessMs()));
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
}

/** Clocks are read in fractions of a millisecond, timers set in whole ones. */
const SLACK_MS = 1;
