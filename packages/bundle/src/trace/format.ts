/** Trace format: converts events in order into pieces of text. */
import type { RecordedEvent, RunRecord, StoredEvent } from "../types.ts";

/** Event with its sequence number in the run. */
export interface TracedEvent extends StoredEvent {
  readonly event: RecordedEvent;
}

export type TraceFormatName =
  | "text"
  | "ndjson"
  | "mermaid"
  | "shiviz"
  | "perfetto"
  | "otlp"
  | "otlp-metrics";

export interface TraceOptions {
  /** Time around which a format that shows only a part of the events shows them; default: from the first event on. */
  readonly focusMs: number | undefined;
  /** Events were selected by time, node, shard or action: all of them are wanted. */
  readonly isFiltered: boolean;
  readonly run: RunRecord;
}

/** Prints events of a run in one format, in pieces. In a format of lines, each piece ends with a line break. */
export type TraceFormat = (
  events: Iterable<TracedEvent>,
  options: TraceOptions,
) => Iterable<string>;
