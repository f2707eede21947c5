/** Warning of a cluster that other machines reach. */
import type { NodePlan } from "../cluster-plan.ts";
import { boundAddresses, isExposed, loopbackAddresses } from "./node-addresses.ts";

/** The warning, in a sentence; `undefined` if only this machine reaches the cluster. */
export function exposureOf(
  plan: Pick<NodePlan, "addresses" | "httpPort" | "transport">,
): string | undefined {
  const { http, transport } = plan.addresses ?? loopbackAddresses;
  if (isExposed(http)) {
    const at = boundAddresses(http, plan.httpPort).join(", ");
    return `warning: without security, everyone who reaches [${at}] can read and change all data`;
  }
  if (plan.transport === "memory" || !isExposed(transport)) return undefined;
  return "warning: other machines reach the transport ports, and what nodes send to each other is not encrypted";
}
