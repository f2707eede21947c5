/** The instrumentation scope of all spans and metrics, and times as OpenTelemetry writes them. */
import type { HrTime } from "@opentelemetry/api";

export const scope = { name: "orrery" } as const;

/** Whole seconds and nanoseconds; a time in milliseconds has no more than microseconds of precision. */
export function hrTime(ms: number): HrTime {
  const micros = Math.round(ms * 1000);
  return [Math.floor(micros / 1e6), (micros % 1e6) * 1000];
}
