/** Checkers of the plugin, for programs that judge runs; nodes and shard workers do not load them. */
import type { Checker } from "@orrery/scenario/checker";
import { followerEqualsLeader } from "./checkers/follower-equals-leader.ts";
import { leasesHoldOnEveryCopy } from "./checkers/leases-hold-on-every-copy.ts";

/** The checkers, for `composeCheckers`. */
export const crossClusterReplicationCheckers: readonly Checker[] = [
  followerEqualsLeader,
  leasesHoldOnEveryCopy,
];
