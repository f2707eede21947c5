/** Copies that may exist on disk are placed before the balancer sees them: primaries, then replicas. Source: `GatewayAllocator`. */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { hasInactive } from "../routing-nodes.ts";
import { ignoreCopy, initializeCopy } from "../moves.ts";
import { byPriority } from "../priority.ts";
import { statusOf, type UnassignedDecision } from "../unassigned-decision.ts";
import { decideExistingPrimary } from "./primary.ts";
import { cancelWorseRecoveries, decideExistingReplica } from "./replica.ts";

export function allocateExisting(allocation: Allocation): void {
  for (const copy of inOrder(allocation, true)) {
    carryOut(allocation, copy, decideExistingPrimary(allocation, copy));
  }
  if (hasInactive(allocation.routing, false)) cancelWorseRecoveries(allocation);
  for (const copy of inOrder(allocation, false)) {
    carryOut(allocation, copy, decideExistingReplica(allocation, copy));
  }
}

export function decideExisting(
  allocation: Allocation,
  copy: ShardRouting,
): UnassignedDecision | undefined {
  const decide = copy.primary ? decideExistingPrimary : decideExistingReplica;
  return decide(allocation, copy);
}

function inOrder({ routing }: Allocation, primaries: boolean): readonly ShardRouting[] {
  return [...routing.unassigned]
    .filter((copy) => copy.primary === primaries && mayExist(copy))
    .toSorted(byPriority(routing.state));
}

/** Others are the balancer's, and a round may have thousands of them. */
function mayExist({ primary, recoverySource, unassignedInfo }: ShardRouting): boolean {
  return primary
    ? recoverySource?.type !== "EMPTY_STORE"
    : unassignedInfo?.reason !== "INDEX_CREATED";
}

function carryOut(
  allocation: Allocation,
  copy: ShardRouting,
  made: UnassignedDecision | undefined,
): void {
  if (made === undefined) return;
  if (made.decision === "yes" && made.node !== undefined) {
    initializeCopy(allocation, copy, made.node.node.id, made.existingId);
  } else {
    ignoreCopy(allocation, copy, statusOf(made.decision));
  }
}
