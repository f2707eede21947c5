/** Membership messages: discovery, joins, and the checks nodes make of each other; and nodes as they travel. */
import { nodeProblem, type DiscoveryNode } from "@orrery/cluster-state";
import { illegalArgument, OperationError } from "@orrery/stdx";

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

/** Throws `OperationError` for what is no node: whoever sent it may have sent anything. */
export function decodeNode(text: string): DiscoveryNode {
  return readNode(parseNode(text));
}

/** The same of one that lay in something else. */
export function readNode(told: unknown): DiscoveryNode {
  const problem = nodeProblem(told);
  if (problem !== undefined) throw new OperationError(problem);
  return told as DiscoveryNode;
}

function parseNode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw illegalArgument("malformed node: it is no JSON");
  }
}
