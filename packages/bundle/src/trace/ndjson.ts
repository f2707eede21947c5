/** NDJSON: one JSON object for each event, its sequence number followed by the recorded fields. */
import type { TraceFormat } from "./format.ts";

export const ndjson: TraceFormat = function* ndjson(events) {
  for (const { seq, json } of events) yield `{"seq":${seq},${json.slice(1)}\n`;
};
