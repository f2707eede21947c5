/** The decommissioned zone, an awareness attribute with a value, and the status of its decommission (`DecommissionAttributeMetadata`). */
import { javaText, isJsonObject, lookup } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import type { ClusterState, DiscoveryNode } from "./types.ts";

/** The product's `DecommissionStatus`, in the order of a decommission; `failed` may follow each of the others. */
export type DecommissionStatus = "init" | "draining" | "in_progress" | "successful" | "failed";

/** The decommission of a cluster; there is at most one. */
export interface Decommission {
  readonly attribute: string;
  readonly value: string;
  readonly status: DecommissionStatus;
  /** Id of the request that began it, by which retries on another elected cluster manager recognise it. */
  readonly requestId: string;
}

const SECTION = "decommissionedAttribute";

/** The decommission in the state; undefined without one. */
export function decommissionOf(state: ClusterState): Decommission | undefined {
  const section = customOf(state, SECTION);
  if (!isJsonObject(section)) return undefined;
  const { awareness, status, requestID } = section;
  const [entry] = isJsonObject(awareness) ? Object.entries(awareness) : [];
  if (entry === undefined) return undefined;
  return {
    attribute: entry[0],
    value: javaText(entry[1]),
    status: status as DecommissionStatus,
    requestId: javaText(requestID),
  };
}

/** The state with the decommission replaced; `undefined` removes it. */
export function withDecommission(
  state: ClusterState,
  decommission: Decommission | undefined,
): ClusterState {
  if (decommission === undefined) return withCustom(state, SECTION, undefined);
  const { attribute, value, status, requestId } = decommission;
  return withCustom(state, SECTION, {
    awareness: { [attribute]: value },
    status,
    requestID: requestId,
  });
}

type Zone = Pick<Decommission, "attribute" | "value">;

/** The zone in the product's words (`DecommissionAttribute.toString`). */
export function describeZone({ attribute, value }: Zone): string {
  return `DecommissionAttribute{attributeName='${attribute}', attributeValue='${value}'}`;
}

/** Whether the node has the zone's value of the attribute. */
export function isInZone(node: DiscoveryNode, { attribute, value }: Zone): boolean {
  return lookup(node.attributes, attribute) === value;
}

/** Whether the node may not join: its zone drains, is being removed, or was removed. False before the drain and after a failure. */
export function isDecommissioned(state: ClusterState, node: DiscoveryNode): boolean {
  const decommission = decommissionOf(state);
  if (decommission === undefined || !isInZone(node, decommission)) return false;
  return decommission.status !== "init" && decommission.status !== "failed";
}
