/** Table of trace formats by name. A new name does not compile without its row. */
import type { Bundle } from "../reader.ts";
import type { EventFilter } from "../filter.ts";
import type { TraceFormat, TraceFormatName, TracedEvent } from "./format.ts";
import { readEvent } from "../stored-event.ts";
import { mermaid } from "./mermaid.ts";
import { ndjson } from "./ndjson.ts";
import { otlpMetrics } from "./otlp-metrics.ts";
import { otlp } from "./otlp.ts";
import { perfetto } from "./perfetto.ts";
import { shiviz } from "./shiviz.ts";
import { text } from "./text.ts";

const formats: { readonly [Name in TraceFormatName]: TraceFormat } = {
  text,
  ndjson,
  mermaid,
  shiviz,
  perfetto,
  otlp,
  "otlp-metrics": otlpMetrics,
};

export const traceFormats = Object.keys(formats) as readonly TraceFormatName[];

/** Prints the events that match the filter in the format, piece by piece. */
export function printTrace(
  bundle: Bundle,
  format: TraceFormatName,
  filter: EventFilter,
): Iterable<string> {
  const isFiltered = Object.keys(filter).length > 0;
  return formats[format](tracedEvents(bundle, filter), {
    isFiltered,
    run: bundle.run,
    focusMs: filter.fromMs === undefined && filter.toMs === undefined ? focusOf(bundle) : undefined,
  });
}

/** Time at which it becomes interesting: the first fault, else the first finding. */
function focusOf(bundle: Bundle): number | undefined {
  const [fault] = bundle.faults();
  return fault?.fromMs ?? bundle.findings[0]?.atMs;
}

/** Events that match a filter, decoded. Throws `OperationError` at an event of a kind or shape that no run records. */
export function* tracedEvents(bundle: Bundle, filter: EventFilter): Generator<TracedEvent> {
  for (const stored of bundle.events(filter))
    yield { ...stored, event: readEvent(bundle.path, stored) };
}
