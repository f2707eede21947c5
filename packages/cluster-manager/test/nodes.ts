/** Nodes for tests of functions over plain data. */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";

export function node(name: string, rest: Partial<DiscoveryNode> = {}): DiscoveryNode {
  return {
    id: `${name}-id` as NodeId,
    name,
    ephemeralId: `${name}-process`,
    hostName: "127.0.0.1",
    hostAddress: "127.0.0.1",
    transportAddress: `${name}:9300`,
    httpAddress: `${name}:9200`,
    roles: ["cluster_manager", "data"],
    attributes: {},
    version: "3.8.0",
    ...rest,
  };
}
