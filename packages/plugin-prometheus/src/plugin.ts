/** The plugin as a row of a product, with the names of OpenSearch's plugin. */
import type { Plugin } from "@orrery/node";
import { metrics } from "./operation.ts";
import { clusterSettings } from "./settings.ts";

/** The Prometheus exporter, for `composeProduct`. */
export const prometheusExporter: Plugin = {
  name: "prometheus-exporter",
  description: "Prometheus exporter plugin for OpenSearch",
  classname: "org.opensearch.plugin.prometheus.PrometheusExporterPlugin",
  clusterSettings,
  operations: [metrics],
};
