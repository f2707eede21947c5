/** One JSON object an event: its number, then the event as it was recorded. */
import type { TraceFormat } from "./format.ts";

export const ndjson: TraceFormat = function* ndjson(events) {
  for (const { seq, json } of events) yield `{"seq":${seq},${json.slice(1)}\n`;
};
