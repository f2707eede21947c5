/** Figures of the cluster in the text format of Prometheus, as OpenSearch's plugin `prometheus-exporter` names them. */
export { currentFigures } from "./collect.ts";
export { prometheusExporter } from "./plugin.ts";
