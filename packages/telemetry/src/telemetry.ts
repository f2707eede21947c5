/** Spans and metrics of one node, from its settings to its exporters. */
import type { Log, SpanSink } from "@orrery/ports";
import { parseDuration } from "@orrery/stdx";
import { exportersOf, type Settings } from "./exporters.ts";
import { measureFigures, type Figure } from "./metrics.ts";
import { resourceOf } from "./resource.ts";
import { createSpanExport } from "./spans.ts";

export interface TelemetryOptions {
  readonly nodeName: string;
  readonly clusterName: string;
  /** The node's settings, which decide what is exported: `telemetry.*`, `orrery.telemetry.*`. */
  readonly settings: Settings;
  readonly log: Log;
}

export interface Telemetry {
  /** The node's spans; `undefined` when its settings ask for none. */
  readonly spans: SpanSink | undefined;
  /** Exports the figures of the node at each interval, if its settings ask for it. */
  measure(collect: () => Promise<readonly Figure[]>): void;
  /** Sends what is left, for a short time at most. */
  close(): Promise<void>;
}

/** Time that a stopping node waits for its collector. */
const CLOSE_MS = 250;

/**
 * Opens the exporters of a node.
 * @throws OperationError The protocol or the endpoint is none, or the file cannot be written.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { settings } = options;
  const tell = createTeller(options.log);
  const exporters = await exportersOf(settings, tell);
  const resource = resourceOf(options);
  const hasSpans = settings["telemetry.feature.tracer.enabled"] === "true";
  const hasMetrics = settings["telemetry.feature.metrics.enabled"] === "true";
  const spans = hasSpans
    ? createSpanExport({ resource, exporter: exporters.spans(), settings })
    : undefined;
  let endMetrics = (): Promise<void> => Promise.resolve();
  return {
    spans: spans?.sink,
    measure(collect) {
      if (!hasMetrics) return;
      const given = String(settings["telemetry.otel.metrics.publish.interval"] ?? "60s");
      const intervalMs = Math.max(1, parseDuration(given) ?? 60_000);
      endMetrics = measureFigures({ resource, exporter: exporters.metrics(), intervalMs, collect });
    },
    close: () => inTime(Promise.allSettled([spans?.close(), endMetrics()])),
  };
}

/** Failed exports follow one another while a collector is away: one line tells of them, and one of their end. */
function createTeller(log: Log): (problem: string | undefined) => void {
  let isFailing = false;
  return (problem) => {
    if (isFailing === (problem !== undefined)) return;
    isFailing = problem !== undefined;
    if (isFailing) log("warn", `cannot export traces or metrics, and drops them: ${problem}`);
    else log("info", "exports traces and metrics again");
  };
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
