/** Figures of a node as gauges, which the SDK's reader collects at each interval. */
import { ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type GaugeMetricData,
  type PushMetricExporter,
} from "@opentelemetry/sdk-metrics";
import { hrTime, scope } from "./scope.ts";

/** One value of a figure, with the attributes that tell it from the others. */
export interface FigureSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly FigureSample[];
}

export interface MeasureOptions {
  readonly resource: Resource;
  readonly exporter: PushMetricExporter;
  readonly intervalMs: number;
  readonly collect: () => Promise<readonly Figure[]>;
}

/** Begins the exports; the result sends the last one and ends them. */
export function measureFigures(options: MeasureOptions): () => Promise<void> {
  const { resource, exporter, intervalMs } = options;
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervalMs,
    // The SDK refuses a time-out above the interval.
    exportTimeoutMillis: Math.min(intervalMs, 30_000),
    metricProducers: [{ collect: () => collected(options) }],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return () => provider.shutdown();
}

async function collected({ resource, collect }: MeasureOptions) {
  try {
    const figures = await collect();
    const endTime = hrTime(Date.now());
    const metrics = figures.map(({ name, help, samples }): GaugeMetricData => ({
      descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.GAUGE,
      dataPoints: samples.map(({ labels, value }) => ({
        ...{ attributes: labels, value, endTime },
        startTime: endTime,
      })),
    }));
    return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
  } catch (error) {
    return { resourceMetrics: { resource, scopeMetrics: [] }, errors: [error] };
  }
}

const UNITS = { _bytes: "By", _seconds: "s", _percent: "%", _bool: "1" } as const;

/** The unit that the end of a name says; empty for counts. */
function unitOf(name: string): string {
  const [, unit = ""] = Object.entries(UNITS).find(([end]) => name.endsWith(end)) ?? [];
  return unit;
}
