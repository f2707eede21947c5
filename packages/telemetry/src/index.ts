/** Export of a node's spans and metrics by the SDK of OpenTelemetry. */
export { openTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry.ts";
export type { Figure, FigureSample } from "./metrics.ts";
