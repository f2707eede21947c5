/** Trace format: converts events in order into pieces of text. */
import type { RecordedEvent, RunRecord } from "../types.ts";

/** Event with its sequence number in the run. */
export interface TracedEvent {
  readonly seq: number;
  readonly event: RecordedEvent;
  /** Event as the recorder wrote it, one line of JSON. */
  readonly json: string;
}

export type TraceFormatName =
  | "text"
  | "ndjson"
  | "mermaid"
  | "shiviz"
  | "perfetto"
  | "otlp"
  | "otlp-metrics";

/** Prints events of a run in one format, in pieces. In a format of lines, each piece ends with a line break. */
export type TraceFormat = (events: Iterable<TracedEvent>, run: RunRecord) => Iterable<string>;
