/** The plugin as a row of a product, with the names of OpenSearch's plugin. */
import type { Plugin } from "@orrery/node";
import { clusterSettings, spanSettings } from "./settings.ts";

/** The settings of traces and metrics, for `composeProduct`. */
export const telemetry: Plugin = {
  name: "telemetry-otel",
  description: "Opentelemetry based telemetry implementation.",
  classname: "org.opensearch.telemetry.OTelTelemetryPlugin",
  clusterSettings,
  start: ({ cluster }) => {
    const { spans } = cluster;
    if (spans === undefined) return {};
    const follow = (): void =>
      spans.configure(spanSettings(cluster.withOwnSettings(cluster.state())));
    follow();
    return { applied: follow };
  },
};
