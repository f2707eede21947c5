/**
 * `node_version`: a copy is never recovered to a node that is older than its source (`NodeVersionAllocationDecider`).
 */
import { compareVersions, type ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { activePrimaryOf, type RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "node_version";

export const nodeVersion: Decider = {
  canAllocate(copy, target, allocation) {
    if (copy.primary) {
      if (copy.nodeId !== undefined) return relocatePrimary(copy, target, allocation);
      return yes(LABEL, () => "the primary shard is new or already existed on the node");
    }
    const primary = activePrimaryOf(allocation.routing, copy.index, copy.shard);
    if (primary === undefined) return yes(LABEL, () => "no active primary shard yet");
    return allocateReplica(versionOn(allocation, primary), target);
  },
};

function versionOn({ state }: Allocation, { nodeId }: ShardRouting): string {
  return (nodeId === undefined ? undefined : state.nodes.get(nodeId)?.version) ?? "0.0.0";
}

function relocatePrimary(
  copy: ShardRouting,
  { node: { version } }: RoutingNode,
  allocation: Allocation,
): Verdict {
  const source = versionOn(allocation, copy);
  if (compareVersions(version, source) >= 0) {
    return yes(
      LABEL,
      () =>
        `can relocate primary shard from a node with version [${source}] to a node with equal-or-newer version [${version}]`,
    );
  }
  return no(
    LABEL,
    () =>
      `cannot relocate primary shard from a node with version [${source}] to a node with older version [${version}]`,
  );
}

function allocateReplica(primary: string, { node: { version } }: RoutingNode): Verdict {
  if (compareVersions(version, primary) >= 0) {
    return yes(
      LABEL,
      () =>
        `can allocate replica shard to a node with version [${version}] since this is equal-or-newer than the primary version [${primary}]`,
    );
  }
  return no(
    LABEL,
    () =>
      `cannot allocate replica shard to a node with version [${version}] since this is older than the primary version [${primary}]`,
  );
}
