/** One line an event, for people and `grep`. */
import { describeEvent } from "./describe.ts";
import type { TraceFormat } from "./format.ts";

export const text: TraceFormat = function* text(events) {
  for (const { seq, event } of events) {
    const at = event.at_ms.toFixed(3).padStart(12);
    const where = event.node.padEnd(10);
    yield `${String(seq).padStart(7)} ${at} ms  ${where}  ${event.kind.padEnd(22)}  ${describeEvent(event)}\n`;
  }
};
