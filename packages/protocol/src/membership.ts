/** Membership messages: discovery, joins, and the checks nodes make of each other; and nodes as they travel. */
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

export function encodeNode(node: DiscoveryNode): WireJson {
  return wireJson(node);
}

/** Throws `OperationError` for what is no node: whoever sent it may have sent anything. */
export function decodeNode(message: JsonValue | null): DiscoveryNode {
  return readNode(readWireJson(message));
}

/** The same of one that lay in something else. */
export function readNode(told: unknown): DiscoveryNode {
  const problem = nodeProblem(told);
  if (problem !== undefined) throw new OperationError(problem);
  return told as DiscoveryNode;
}
