/** A way to print a trace: takes events in order, gives text piece by piece. */
import type { RecordedEvent } from "../types.ts";

export interface TracedEvent {
  readonly seq: number;
  readonly event: RecordedEvent;
  /** The line as it was recorded. */
  readonly json: string;
}

export type TraceFormatName = "text" | "ndjson" | "mermaid" | "shiviz" | "perfetto";

/** Pieces end with a line break where the format has lines. */
export type TraceFormat = (events: Iterable<TracedEvent>) => Iterable<string>;
