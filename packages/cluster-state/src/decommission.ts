/** The awareness attribute's value that is being taken out of the cluster, and how far that is. Source: `DecommissionAttributeMetadata`. */
import { javaText, isJsonObject, lookup } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import type { ClusterState, DiscoveryNode } from "./types.ts";

export type DecommissionStatus = "init" | "draining" | "in_progress" | "successful" | "failed";

/** At most one in a cluster. */
export interface Decommission {
  readonly attribute: string;
  readonly value: string;
  readonly status: DecommissionStatus;
  /** Of the request that began it; it survives a change of the elected cluster manager. */
  readonly requestId: string;
}

const SECTION = "decommissionedAttribute";

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

/** As the product prints it. */
export function describeZone({ attribute, value }: Zone): string {
  return `DecommissionAttribute{attributeName='${attribute}', attributeValue='${value}'}`;
}

export function isInZone(node: DiscoveryNode, { attribute, value }: Zone): boolean {
  return lookup(node.attributes, attribute) === value;
}

/** From draining on the zone's nodes are not to come back, unless it failed. */
export function isDecommissioned(state: ClusterState, node: DiscoveryNode): boolean {
  const decommission = decommissionOf(state);
  if (decommission === undefined || !isInZone(node, decommission)) return false;
  return decommission.status !== "init" && decommission.status !== "failed";
}
