/**
 * The exporters of a node: a file (`orrery.telemetry.file`), or a collector at `orrery.telemetry.endpoint`, at
 * `OTEL_EXPORTER_OTLP_ENDPOINT` and its friends, or at the default of OpenTelemetry. The SDK reads these variables itself.
 */
import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { illegalArgument, lookup, wordsOf } from "@orrery/stdx";
import { fileExporters } from "./file-exporters.ts";

export type Settings = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Makes exporters of one destination. */
export interface Exporters {
  spans(): SpanExporter;
  metrics(): PushMetricExporter;
}

/** Hears how each export ended: `undefined` is success. */
export type Tell = (problem: string | undefined) => void;

/** @throws OperationError The protocol or the endpoint is none, or the file cannot be written. */
export async function exportersOf(settings: Settings, tell: Tell): Promise<Exporters> {
  const file = String(settings["orrery.telemetry.file"] ?? "");
  const made = file === "" ? await collectorExporters(settings) : fileExporters(file);
  return {
    spans: () => telling(made.spans(), tell),
    metrics: () => telling(made.metrics(), tell),
  };
}

/** The same exporter, of which `tell` hears each result. */
function telling<Exporter extends SpanExporter | PushMetricExporter>(
  exporter: Exporter,
  tell: Tell,
): Exporter {
  const send = exporter.export.bind(exporter) as (
    items: unknown,
    done: (result: ExportResult) => void,
  ) => void;
  exporter.export = (items: unknown, done: (result: ExportResult) => void): void =>
    send(items, (result) => {
      tell(result.code === ExportResultCode.SUCCESS ? undefined : wordsOf(result.error));
      // The SDK's own handler of errors would print each of them.
      done({ code: ExportResultCode.SUCCESS });
    });
  return exporter;
}

const PROTOCOL = "OTEL_EXPORTER_OTLP_PROTOCOL";

async function collectorExporters(settings: Settings): Promise<Exporters> {
  const protocolOf = (signal: string): Promise<ExporterClasses> => {
    const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`;
    const variable = lookup(process.env, own) === undefined ? PROTOCOL : own;
    return classesOf(variable, lookup(process.env, variable) ?? "http/protobuf");
  };
  const [traces, metrics] = await Promise.all([protocolOf("TRACES"), protocolOf("METRICS")]);
  const endpoint = endpointOf(settings);
  const at = (path: string) => (endpoint === undefined ? {} : { url: `${endpoint}${path}` });
  return {
    spans: () => new traces.Spans(at("/v1/traces")),
    metrics: () => new metrics.Metrics(at("/v1/metrics")),
  };
}

interface ExporterClasses {
  readonly Spans: new (options: { readonly url?: string }) => SpanExporter;
  readonly Metrics: new (options: { readonly url?: string }) => PushMetricExporter;
}

async function classesOf(variable: string, protocol: string): Promise<ExporterClasses> {
  if (protocol === "http/protobuf") {
    const [{ OTLPTraceExporter: Spans }, { OTLPMetricExporter: Metrics }] = await Promise.all([
      import("@opentelemetry/exporter-trace-otlp-proto"),
      import("@opentelemetry/exporter-metrics-otlp-proto"),
    ]);
    return { Spans, Metrics };
  }
  if (protocol === "http/json") {
    const [{ OTLPTraceExporter: Spans }, { OTLPMetricExporter: Metrics }] = await Promise.all([
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/exporter-metrics-otlp-http"),
    ]);
    return { Spans, Metrics };
  }
  throw illegalArgument(`[${variable}] must be [http/protobuf] or [http/json], not [${protocol}]`);
}

/** Without a slash at its end, as paths follow. */
function endpointOf(settings: Settings): string | undefined {
  const given = String(settings["orrery.telemetry.endpoint"] ?? "");
  if (given === "") return undefined;
  const isHttp = /^https?:$/.test(URL.parse(given)?.protocol ?? "");
  if (!isHttp)
    throw illegalArgument(
      `[orrery.telemetry.endpoint] must be a URL such as [http://localhost:4318], not [${given}]`,
    );
  return given.replace(/\/+$/, "");
}
