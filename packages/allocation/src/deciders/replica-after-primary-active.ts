/**
 * `replica_after_primary_active`: a replica needs an active primary to recover from
 * (`ReplicaAfterPrimaryActiveAllocationDecider`).
 */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { activePrimaryOf } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "replica_after_primary_active";

export const replicaAfterPrimaryActive: Decider = {
  canAllocate: (copy, _, allocation) => decide(copy, allocation),
  canAllocateAnywhere: decide,
};

function decide(copy: ShardRouting, { routing }: Allocation): Verdict {
  if (copy.primary) return yes(LABEL, () => "shard is primary and can be allocated");
  return activePrimaryOf(routing, copy.index, copy.shard) === undefined
    ? no(LABEL, () => "primary shard for this replica is not yet active")
    : yes(LABEL, () => "primary shard for this replica is already active");
}
