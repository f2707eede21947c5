/** Allocation of copies that may exist on disk, before the balancer: primaries, then replicas (`GatewayAllocator`). */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { hasInactive } from "../routing-nodes.ts";
import { ignoreCopy, initializeCopy } from "../moves.ts";
import { byPriority } from "../priority.ts";
import { statusOf, type UnassignedDecision } from "../unassigned-decision.ts";
import { decideExistingPrimary } from "./primary.ts";
import { cancelWorseRecoveries, decideExistingReplica } from "./replica.ts";

/**
 * Assigns unassigned copies that exist on disks: primaries before replicas, since a replica needs an active primary to
 * be compared with.
 */
export function allocateExisting(allocation: Allocation): void {
  for (const copy of byPriorityOrder(allocation, true)) {
    execute(allocation, copy, decideExistingPrimary(allocation, copy));
  }
  if (hasInactive(allocation.routing, false)) cancelWorseRecoveries(allocation);
  for (const copy of byPriorityOrder(allocation, false)) {
    execute(allocation, copy, decideExistingReplica(allocation, copy));
  }
}

/**
 * The decision about an unassigned copy that may exist on a disk, for an explanation; `undefined` when the balancer
 * decides instead.
 */
export function decideExisting(
  allocation: Allocation,
  copy: ShardRouting,
): UnassignedDecision | undefined {
  const decide = copy.primary ? decideExistingPrimary : decideExistingReplica;
  return decide(allocation, copy);
}

function byPriorityOrder({ routing }: Allocation, primaries: boolean): readonly ShardRouting[] {
  return [...routing.unassigned]
    .filter((copy) => copy.primary === primaries && mayExist(copy))
    .toSorted(byPriority(routing.state));
}

/** New copies are left to the balancer without a look at the disks; a round may have thousands. */
function mayExist({ primary, recoverySource, unassignedInfo }: ShardRouting): boolean {
  return primary
    ? recoverySource?.type !== "EMPTY_STORE"
    : unassignedInfo?.reason !== "INDEX_CREATED";
}

function execute(
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
