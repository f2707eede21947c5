/** Spans of the port as those of the SDK, in its batch processor. */
import { SpanKind, SpanStatusCode, TraceFlags, type SpanContext } from "@opentelemetry/api";
import { TraceState } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { Span, SpanSink } from "@orrery/ports";
import { lookup, parseDuration } from "@orrery/stdx";
import type { Settings } from "./exporters.ts";
import { hrTime, scope } from "./scope.ts";

export interface SpanExportOptions {
  readonly resource: Resource;
  readonly exporter: SpanExporter;
  readonly settings: Settings;
}

/** Sink of a node's spans; records none before `configure` enables it. */
export function createSpanExport({ resource, exporter, settings }: SpanExportOptions): {
  readonly sink: SpanSink;
  close(): Promise<void>;
} {
  const of = (name: string): string | undefined => {
    const given = lookup(settings, `telemetry.otel.tracer.exporter.${name}`);
    return typeof given === "string" ? given : undefined;
  };
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: parseDuration(of("delay") ?? "2s") ?? 2000,
    maxQueueSize: Number(of("max_queue_size") ?? 2048),
    maxExportBatchSize: Number(of("batch_size") ?? 512),
  });
  let isEnabled = false;
  let sampler = new TraceIdRatioBasedSampler(0);
  let probability = 0;
  return {
    sink: {
      get isEnabled() {
        return isEnabled;
      },
      configure(to) {
        isEnabled = to.isEnabled;
        if (to.probability === probability) return;
        ({ probability } = to);
        sampler = new TraceIdRatioBasedSampler(probability);
      },
      isSampled: (traceId) =>
        sampler.shouldSample(undefined, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED,
      record: (span) => {
        // Spans of shard workers may arrive after tracing was switched off.
        if (isEnabled) processor.onEnd(readable(span, resource));
      },
    },
    close: () => processor.shutdown(),
  };
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

function readable(span: Span, resource: Resource): ReadableSpan {
  const { traceId, parentSpanId, failure } = span;
  const place: SpanContext = {
    traceId,
    spanId: span.spanId,
    traceFlags: TraceFlags.SAMPLED,
    ...(span.traceState === "" ? {} : { traceState: new TraceState(span.traceState) }),
  };
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => place,
    ...(parentSpanId === ""
      ? {}
      : { parentSpanContext: { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED } }),
    startTime: hrTime(span.startMs),
    endTime: hrTime(span.endMs),
    duration: hrTime(span.endMs - span.startMs),
    status:
      failure === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: failure },
    attributes: span.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}
