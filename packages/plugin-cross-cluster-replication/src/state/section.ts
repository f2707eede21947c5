/** The section of the cluster state for cross-cluster replication: replicated indices with their tasks, and auto-follow rules. */
import {
  customOf,
  withCustom,
  type ClusterState,
  type SettingsChange,
} from "@orrery/cluster-state";
import type { Json } from "@orrery/stdx";

/** State of a replication; `STOPPING` lies between the two steps of a stop. */
export type OverallState = "RUNNING" | "PAUSED" | "FAILED" | "STOPPING";

/** State of the task that drives one follower index. */
export type IndexTaskState =
  | "INIT"
  | "RESTORING"
  | "INIT_FOLLOW"
  | "FOLLOWING"
  | "MONITORING"
  | "COMPLETED";

/** Node of a task. Each assignment has a new number, so that reports of an earlier run can be recognized. */
export interface Assignment {
  readonly nodeId?: string;
  readonly allocation: number;
}

/** The task that replicates one shard, and how far it is. */
export interface ShardTask extends Assignment {
  readonly shard: number;
  readonly state: "INIT" | "FOLLOWING" | "FAILED";
  /** Entry of this failure in the reason of an automatic pause. */
  readonly error?: string;
}

/** The replication of one index: follower, leader, state, and the tasks that run it. */
export interface Following extends Assignment {
  readonly follower: string;
  readonly leaderAlias: string;
  readonly leaderIndex: string;
  readonly leaderUuid: string;
  readonly state: OverallState;
  readonly reason: string;
  readonly task: IndexTaskState;
  /** Settings of the request, which override the leader's. */
  readonly settings: SettingsChange;
  readonly shards: readonly ShardTask[];
}

/** An auto-follow rule. `followerPattern` names the follower index; `undefined`: it has the leader's name. */
export interface AutoFollowRule extends Assignment {
  readonly name: string;
  readonly leaderAlias: string;
  readonly pattern: string;
  readonly followerPattern?: string;
  readonly settings: SettingsChange;
}

/** Content of the section: replications, auto-follow rules, and the last allocation number. */
export interface ReplicationSection {
  readonly followings: readonly Following[];
  readonly rules: readonly AutoFollowRule[];
  /** The highest allocation number assigned so far. */
  readonly lastAllocation: number;
}

const SECTION = "replication_metadata";
const nothing: ReplicationSection = { followings: [], rules: [], lastAllocation: 0 };

/** The section of a state; an empty one when it has none. */
export function sectionOf(state: ClusterState): ReplicationSection {
  return (customOf(state, SECTION) as unknown as ReplicationSection | undefined) ?? nothing;
}

/** The cluster state with the section replaced. */
export function withSection(state: ClusterState, section: ReplicationSection): ClusterState {
  return withCustom(state, SECTION, section as unknown as Json);
}

/** The replication of a follower index; `undefined` when it is none. */
export function followingOf(state: ClusterState, follower: string): Following | undefined {
  return sectionOf(state).followings.find((one) => one.follower === follower);
}

/** The state with a replication added, replaced, or for `undefined` removed. */
export function withFollowing(
  state: ClusterState,
  follower: string,
  next: Following | undefined,
): ClusterState {
  const section = sectionOf(state);
  const isKnown = section.followings.some((one) => one.follower === follower);
  const changed = section.followings.flatMap((one) => {
    if (one.follower !== follower) return [one];
    return next === undefined ? [] : [next];
  });
  const followings = isKnown || next === undefined ? changed : [...changed, next];
  return withSection(state, { ...section, followings });
}
