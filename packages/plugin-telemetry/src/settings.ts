/** Settings of traces and metrics. Source: `TelemetrySettings`, `OTelTelemetrySettings`; `orrery.telemetry.*` are this program's. */
import {
  booleanSetting,
  doubleSetting,
  durationSetting,
  intSetting,
  pluginSetting,
  settingTable,
  textSetting,
  type ClusterState,
  type NodeSettingRow,
} from "@orrery/cluster-state";

const ENABLED = "telemetry.tracer.enabled";
const PROBABILITY = "telemetry.tracer.sampler.probability";
const EXPORTER = "telemetry.otel.tracer.exporter";

/** Range of the times of timers: Node has 31 bits for their milliseconds, and takes any other time as one millisecond. */
const TIMER = { min: "1ms", max: "24d" };

export const clusterSettings: readonly NodeSettingRow[] = [
  { name: "telemetry.feature.tracer.enabled", type: booleanSetting(false), hasEffect: true },
  { name: "telemetry.feature.metrics.enabled", type: booleanSetting(false), hasEffect: true },
  { name: ENABLED, type: booleanSetting(false), isDynamic: true, hasEffect: true },
  {
    name: PROBABILITY,
    type: doubleSetting("0.01", { min: "0.0", max: "1.0" }),
    isDynamic: true,
    hasEffect: true,
  },
  {
    name: "telemetry.otel.metrics.publish.interval",
    type: durationSetting("60s", TIMER),
    hasEffect: true,
  },
  { name: `${EXPORTER}.delay`, type: durationSetting("2s", TIMER), hasEffect: true },
  { name: `${EXPORTER}.max_queue_size`, type: intSetting(2048, { min: 1 }), hasEffect: true },
  { name: `${EXPORTER}.batch_size`, type: intSetting(512, { min: 1 }), hasEffect: true },
  { name: "orrery.telemetry.endpoint", type: textSetting(""), hasEffect: true },
  { name: "orrery.telemetry.file", type: textSetting(""), hasEffect: true },
];

const table = settingTable(clusterSettings, "cluster");

/** The settings of spans that are in force in a state. */
export function spanSettings(state: ClusterState): { isEnabled: boolean; probability: number } {
  return {
    isEnabled: pluginSetting(table, state, ENABLED) === true,
    probability: Number(pluginSetting(table, state, PROBABILITY)),
  };
}
