/** Telemetry of a node of this program. Its packages are loaded only for a node whose settings ask for traces or metrics. */
import { createLog } from "@orrery/host-node";
import type { Cluster } from "@orrery/node";
import type { Telemetry } from "@orrery/telemetry";
import type { NodePlan } from "./cluster-plan.ts";

const FEATURES = ["telemetry.feature.tracer.enabled", "telemetry.feature.metrics.enabled"];

/** Opens the node's exporters; `undefined`: its settings ask for none. */
export async function openNodeTelemetry({
  name,
  settings,
}: NodePlan): Promise<Telemetry | undefined> {
  if (FEATURES.every((feature) => settings[feature] !== "true")) return undefined;
  const { openTelemetry } = await import("@orrery/telemetry");
  const clusterName = String(settings["cluster.name"] ?? "orrery");
  return openTelemetry({ nodeName: name, clusterName, settings, log: createLog(name) });
}

/** Exports the figures that the node would answer to Prometheus, under the same names. */
export async function measureNode(
  telemetry: Telemetry | undefined,
  cluster: Cluster,
): Promise<void> {
  if (telemetry === undefined) return;
  const { currentFigures } = await import("@orrery/plugin-prometheus");
  telemetry.measure(() => currentFigures(cluster));
}
