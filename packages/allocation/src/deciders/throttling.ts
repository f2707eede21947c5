/**
 * `throttling`: limits of concurrent recoveries of a node: incoming, outgoing, and, separately, primaries that need
 * no peer (`ThrottlingAllocationDecider`).
 */
import {
  clusterSetting,
  type ClusterSettingValues,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, throttle, yes, type Verdict } from "../decision.ts";
import {
  activePrimaryOf,
  incomingRecoveries,
  initialPrimaries,
  outgoingRecoveries,
  type RoutingNode,
} from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "throttling";
const PREFIX = "cluster.routing.allocation";
const PRIMARIES = `${PREFIX}.node_initial_primaries_recoveries`;
const REPLICAS = `${PREFIX}.node_initial_replicas_recoveries`;
const INCOMING = `${PREFIX}.node_concurrent_incoming_recoveries`;
const OUTGOING = `${PREFIX}.node_concurrent_outgoing_recoveries`;
const BOTH = `${PREFIX}.node_concurrent_recoveries`;

export const throttling: Decider = {
  canAllocate(copy, node, allocation) {
    if (copy.primary && copy.state === "UNASSIGNED") return initialPrimary(node, allocation);
    const isInitial =
      copy.state === "UNASSIGNED" && copy.unassignedInfo?.reason === "INDEX_CREATED";
    return peerRecovery(copy, node, allocation, isInitial ? initialLimits : otherLimits);
  },
  canMoveAway,
  canTakeAny,
};

interface Limits {
  readonly kind: "initial" | "other";
  readonly incoming: keyof ClusterSettingValues;
  readonly outgoing: keyof ClusterSettingValues;
  readonly hint: string;
}

const initialLimits: Limits = { kind: "initial", incoming: REPLICAS, outgoing: REPLICAS, hint: "" };
const otherLimits: Limits = {
  kind: "other",
  incoming: INCOMING,
  outgoing: OUTGOING,
  hint: ` (can also be set via [${BOTH}])`,
};

function initialPrimary({ node }: RoutingNode, { routing, state }: Allocation): Verdict {
  const most = clusterSetting(state, PRIMARIES);
  const busy = initialPrimaries(routing, node.id);
  if (busy < most) return yes(LABEL, () => `below primary recovery limit of [${most}]`);
  return throttle(
    LABEL,
    () =>
      `reached the limit of ongoing initial primary recoveries [${busy}], cluster setting [${PRIMARIES}=${most}]`,
  );
}

function peerRecovery(
  copy: ShardRouting,
  { node }: RoutingNode,
  { routing, state }: Allocation,
  { kind, incoming, outgoing, hint }: Limits,
): Verdict {
  const mostIn = Number(clusterSetting(state, incoming));
  const arriving = incomingRecoveries(routing, node.id, kind);
  if (arriving >= mostIn) {
    return throttle(
      LABEL,
      () =>
        `reached the limit of incoming shard recoveries [${arriving}], cluster setting [${incoming}=${mostIn}]${hint}`,
    );
  }
  const source = activePrimaryOf(routing, copy.index, copy.shard)?.nodeId;
  if (source === undefined) {
    return no(LABEL, () => "primary shard for this replica is not yet active");
  }
  const mostOut = Number(clusterSetting(state, outgoing));
  const leaving = outgoingRecoveries(routing, source, kind);
  if (leaving >= mostOut) {
    return throttle(
      LABEL,
      () =>
        `reached the limit of outgoing shard recoveries [${leaving}] on the node [${source}] which holds the primary, cluster setting [${outgoing}=${mostOut}]${hint}`,
    );
  }
  return yes(
    LABEL,
    () =>
      `below shard recovery limit of outgoing: [${leaving} < ${mostOut}] incoming: [${arriving} < ${mostIn}]`,
  );
}

function canMoveAway(copy: ShardRouting, { routing, state }: Allocation): Verdict {
  const most = clusterSetting(state, OUTGOING);
  const source = activePrimaryOf(routing, copy.index, copy.shard)?.nodeId;
  const leaving = source === undefined ? 0 : outgoingRecoveries(routing, source, "other");
  if (leaving >= most) {
    return throttle(
      LABEL,
      () =>
        `too many outgoing shards are currently recovering [${leaving}], limit: [${most}] cluster setting [${OUTGOING}=${most}]`,
    );
  }
  return yes(LABEL, () => `below shard recovery limit of outgoing: [${leaving} < ${most}]`);
}

function canTakeAny({ node }: RoutingNode, { routing, state }: Allocation): Verdict {
  const most = clusterSetting(state, INCOMING);
  const arriving = incomingRecoveries(routing, node.id, "other");
  if (arriving >= most) {
    return throttle(
      LABEL,
      () =>
        `too many incoming shards are currently recovering [${arriving}], limit: [${most}] cluster setting [${INCOMING}=${most}]`,
    );
  }
  return yes(LABEL, () => `below shard recovery limit of incoming: [${arriving} < ${most}]`);
}
