/**
 * Wall clock of a machine: correct, or skewed, drifting and after jumps. Each rule counts the readings of a wrong time.
 */
import { wallMs } from "./clock-model.ts";

export interface WallClock {
  nowMs(): number;
  /** Adds an offset, and a drift in parts per million, until the rule's `end` is called. */
  skew(offsetMs: number, driftPerMillion: number): AppliedClockRule;
  /**
   * Alternates between the correct time and an offset, each for half of the period, until the rule's `end` is called.
   */
  strobe(offsetMs: number, periodMs: number): AppliedClockRule;
  /** Adds an offset from now on, permanently. */
  jump(offsetMs: number): AppliedClockRule;
}

/** Applied clock rule, with the number of readings of a wrong time. */
export interface AppliedClockRule {
  hits(): number;
  end(): void;
}

interface Skew {
  readonly offsetMs: number;
  readonly driftPerMillion: number;
  readonly sinceMs: number;
  /** Period in whose second half the offset applies; 0: always. */
  readonly periodMs: number;
  hits: number;
}

export function createWallClock(now: () => number): WallClock {
  const skews = new Set<Skew>();
  const add = (offsetMs: number, driftPerMillion: number, periodMs = 0): Skew => {
    const skew = { offsetMs, driftPerMillion, sinceMs: now(), periodMs, hits: 0 };
    skews.add(skew);
    return skew;
  };
  return {
    nowMs: () => {
      const nowMs = now();
      let offMs = 0;
      for (const skew of skews) {
        const { periodMs, sinceMs } = skew;
        if (periodMs > 0 && (nowMs - sinceMs) % periodMs < periodMs / 2) continue;
        skew.hits += 1;
        offMs += skew.offsetMs + ((nowMs - skew.sinceMs) * skew.driftPerMillion) / 1_000_000;
      }
      return wallMs(nowMs + offMs);
    },
    skew: (offsetMs, driftPerMillion) => {
      const skew = add(offsetMs, driftPerMillion);
      return { hits: () => skew.hits, end: () => void skews.delete(skew) };
    },
    strobe: (offsetMs, periodMs) => {
      const skew = add(offsetMs, 0, periodMs);
      return { hits: () => skew.hits, end: () => void skews.delete(skew) };
    },
    jump: (offsetMs) => {
      const skew = add(offsetMs, 0);
      return { hits: () => skew.hits, end: () => undefined };
    },
  };
}
