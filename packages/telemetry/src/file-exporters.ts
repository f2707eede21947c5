/** Exporters to a file: each export is one line, the OTLP request as JSON, as the file exporter of OpenTelemetry's collector writes it. */
import { appendFile } from "node:fs/promises";
import { closeSync, openSync } from "node:fs";
import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { JsonMetricsSerializer, JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { AggregationTemporality, type PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { illegalArgument } from "@orrery/stdx";
import type { Exporters } from "./exporters.ts";

type Done = (result: ExportResult) => void;

/** @throws OperationError The file cannot be written. */
export function fileExporters(path: string): Exporters {
  try {
    closeSync(openSync(path, "a"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw illegalArgument(`cannot write [orrery.telemetry.file]: ${why}`);
  }
  return {
    spans: () => createSpanFile(path),
    metrics: () => createMetricFile(path),
  };
}

function createSpanFile(path: string): SpanExporter {
  const file = createLineFile(path);
  return {
    export: (spans, done) => file.append(JsonTraceSerializer.serializeRequest(spans), done),
    forceFlush: () => file.written(),
    shutdown: () => file.written(),
  };
}

function createMetricFile(path: string): PushMetricExporter {
  const file = createLineFile(path);
  return {
    export: (metrics, done) => file.append(JsonMetricsSerializer.serializeRequest(metrics), done),
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
    forceFlush: () => file.written(),
    shutdown: () => file.written(),
  };
}

/** Lines of a file, one write each: nodes of several processes may share the file. */
function createLineFile(path: string) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(json: Uint8Array | undefined, done: Done): void {
      if (json === undefined) return done({ code: ExportResultCode.SUCCESS });
      const line = Buffer.concat([json, Buffer.from("\n")]);
      last = appendFile(path, line).then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error: Error) => done({ code: ExportResultCode.FAILED, error }),
      );
    },
    written: async (): Promise<void> => void (await last),
  };
}
