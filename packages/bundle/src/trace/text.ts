/** Plain text, one line for each event, for readers and `grep`. */
import { printable } from "./printable.ts";
import type { RecordedEvent } from "../types.ts";
import { describeEvent } from "./describe.ts";
import type { TraceFormat } from "./format.ts";

export const text: TraceFormat = function* text(events) {
  for (const { seq, event } of events) yield `${String(seq).padStart(7)} ${lineOf(event)}\n`;
};

/** Line of an event without its sequence number: time, node, description. */
export function lineOf(event: RecordedEvent): string {
  const at = event.at_ms.toFixed(3).padStart(12);
  const where = event.node.padEnd(10);
  return printable(`${at} ms  ${where}  ${event.kind.padEnd(22)}  ${describeEvent(event)}`);
}
