/** Time of events that several processes record. */

/** Milliseconds with fractions, consistent between the processes of a machine. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}
