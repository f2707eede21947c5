/** Settings that a cluster accepts and that have no effect on it. */
import type { ClusterPlan } from "./cluster-plan.ts";

export interface SettingOptions {
  /** The HTTP port was given as an option, which counts more than the setting. */
  readonly isPortGiven: boolean;
}

/** The keys, in order; those that have an effect on other clusters with the reason in parentheses. */
export async function ineffectiveSettings(
  plan: Pick<ClusterPlan, "nodes" | "transport" | "settings">,
  options: SettingOptions,
): Promise<readonly string[]> {
  const keys = Object.keys(plan.settings);
  if (keys.length === 0) return [];
  const { coreProduct, settingHasEffect } = await import("@orrery/node");
  const isOfPlugin = keys.some((key) => settingHasEffect(coreProduct, key) === undefined);
  // Plugins are loaded only if needed.
  const product = isOfPlugin ? (await import("./product.ts")).product : coreProduct;
  return keys.toSorted().flatMap((key) => {
    const why = reasonHere(key, plan, options);
    if (why !== undefined) return [`${key} (${why})`];
    return settingHasEffect(product, key) === false ? [key] : [];
  });
}

function reasonHere(
  key: string,
  { nodes, transport }: Pick<ClusterPlan, "nodes" | "transport">,
  { isPortGiven }: SettingOptions,
): string | undefined {
  if (key === "http.port" && isPortGiven) return "[--http-port] is given";
  if (key === "node.name" && nodes > 1) return `the nodes are named node-1 to node-${nodes}`;
  if (transport === "memory" && settingsOfSockets.has(key))
    return "nodes in one process have no transport port";
  return undefined;
}

const settingsOfSockets: ReadonlySet<string> = new Set([
  "transport.bind_host",
  "transport.port",
  "transport.publish_port",
  "transport.tcp.port",
]);
