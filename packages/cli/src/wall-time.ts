/** The time of events that several processes tell of. */

/** Milliseconds, with their fractions; all processes of a machine tell the same. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}
