/**
 * `awareness`: copies of a shard are spread evenly over the values of an attribute, such as zones; forced values
 * count even without nodes (`AwarenessAllocationDecider`).
 */
import { lookup } from "@orrery/stdx";
import {
  awarenessAttributes,
  forcedAwareness,
  indexSetting,
  type DiscoveryNode,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { assignedCopies, indexMetadataOf, type RoutingNode } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "awareness";
const KEY = "cluster.routing.allocation.awareness.attributes";

export const awareness: Decider = {
  canAllocate: (copy, node, allocation) => decide(copy, node, allocation, true),
  canRemain: (copy, node, allocation) => decide(copy, node, allocation, false),
};

function decide(
  copy: ShardRouting,
  { node }: RoutingNode,
  allocation: Allocation,
  moves: boolean,
): Verdict {
  const { routing, state } = allocation;
  const attributes = awarenessAttributes(state);
  if (attributes.length === 0) {
    return yes(
      LABEL,
      () => `allocation awareness is not enabled, set cluster setting [${KEY}] to enable it`,
    );
  }
  const metadata = indexMetadataOf(routing, copy.index);
  if (indexSetting(metadata, "index.auto_expand_replicas").endsWith("-all")) {
    return yes(
      LABEL,
      () => "allocation awareness is ignored, this index is set to auto-expand to all",
    );
  }
  const total = metadata.numberOfReplicas + 1;
  for (const attribute of attributes) {
    const value = lookup(node.attributes, attribute);
    if (value === undefined) {
      return no(
        LABEL,
        () =>
          `node does not contain the awareness attribute [${attribute}]; required attributes cluster setting [${KEY}=${attributes.join(",")}]`,
      );
    }
    const held = copiesWithValue(copy, node, allocation, attribute, moves);
    const values = valuesOf(allocation, attribute).size;
    const most = Math.ceil(total / values);
    if (held <= most) continue;
    return no(
      LABEL,
      () =>
        `there are too many copies of the shard allocated to nodes with attribute [${attribute}], there are [${total}] total configured shard copies for this shard id and [${values}] total attribute values, expected the allocated shard count per attribute [${held}] to be less than or equal to the upper bound of the required number of shards per attribute [${most}]`,
    );
  }
  return yes(LABEL, () => "node meets all awareness attribute requirements");
}

/** Copies on nodes with the value, after the move. Relocation sources do not count. */
function copiesWithValue(
  copy: ShardRouting,
  node: DiscoveryNode,
  { routing, state }: Allocation,
  attribute: string,
  moves: boolean,
): number {
  const value = lookup(node.attributes, attribute);
  const valueOn = (nodeId: ShardRouting["nodeId"]): string | undefined =>
    nodeId === undefined ? undefined : lookup(state.nodes.get(nodeId)?.attributes, attribute);
  const staying = assignedCopies(routing, copy.index, copy.shard).filter(
    (other) => other.state !== "RELOCATING" && valueOn(other.nodeId) === value,
  ).length;
  if (!moves) return staying;
  if (copy.nodeId === undefined) return staying + 1;
  const from = copy.state === "RELOCATING" ? copy.relocatingNodeId : copy.nodeId;
  if (from === node.id) return staying;
  return (valueOn(from) === value && staying > 0 ? staying - 1 : staying) + 1;
}

/** Values of live nodes, and forced values. */
function valuesOf({ routing, state }: Allocation, attribute: string): ReadonlySet<string> {
  const live = [...routing.nodes.values()].flatMap(
    ({ node }) => lookup(node.attributes, attribute) ?? [],
  );
  const forced = forcedAwareness(state).get(attribute) ?? [];
  return new Set([...live, ...forced]);
}
