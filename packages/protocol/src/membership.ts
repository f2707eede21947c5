/** Membership messages (discovery, joins, checks between nodes), and the codec of nodes. */
import { nodeProblem, type DiscoveryNode } from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import type { JsonValue } from "../generated/json.js";
import { readWireJson, wireJson, type WireJson } from "./wire-json.ts";

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

/** Converts a node to the form that its message is encoded from. */
export function encodeNode(node: DiscoveryNode): WireJson {
  return wireJson(node);
}

/** Decodes a node. Throws `OperationError` for an absent or malformed message, since any peer may have sent it. */
export function decodeNode(message: JsonValue | null): DiscoveryNode {
  return readNode(readWireJson(message));
}

/** Checks that a value from another message has the shape of a node, and returns it. Throws `OperationError` if not. */
export function readNode(told: unknown): DiscoveryNode {
  const problem = nodeProblem(told);
  if (problem !== undefined) throw new OperationError(problem);
  return told as DiscoveryNode;
}
