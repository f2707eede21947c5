/** Membership messages: discovery, joins, and the checks nodes make of each other; and nodes as they travel. */
import type { DiscoveryNode } from "@orrery/cluster-state";

export {
  FollowerCheckRequest,
  FollowerCheckResponse,
  JoinRequest,
  JoinResponse,
  LeaderCheckRequest,
  ManagerElected,
  PeersRequest,
  PeersResponse,
} from "../generated/membership.js";

export function encodeNode(node: DiscoveryNode): string {
  return JSON.stringify(node);
}

export function decodeNode(text: string): DiscoveryNode {
  return JSON.parse(text) as DiscoveryNode;
}
