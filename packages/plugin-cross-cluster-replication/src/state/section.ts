/** What the cluster state holds of cross-cluster replication: what is followed, by which tasks, and the rules of auto-follow. */
import {
  customOf,
  withCustom,
  type ClusterState,
  type SettingsChange,
} from "@orrery/cluster-state";
import type { Json } from "@orrery/stdx";

/** `STOPPING` is between the two steps of a stop. */
export type OverallState = "RUNNING" | "PAUSED" | "FAILED" | "STOPPING";

/** Of the task that drives one follower index. */
export type IndexTaskState =
  | "INIT"
  | "RESTORING"
  | "INIT_FOLLOW"
  | "FOLLOWING"
  | "MONITORING"
  | "COMPLETED";

/** Where a task runs. A new assignment has a new number, so that an older run of it is told from this one. */
export interface Assignment {
  readonly nodeId?: string;
  readonly allocation: number;
}

export interface ShardTask extends Assignment {
  readonly shard: number;
  readonly state: "INIT" | "FOLLOWING" | "FAILED";
  /** As the reason of an automatic pause shows it. */
  readonly error?: string;
}

export interface Following extends Assignment {
  readonly follower: string;
  readonly leaderAlias: string;
  readonly leaderIndex: string;
  readonly leaderUuid: string;
  readonly state: OverallState;
  readonly reason: string;
  readonly task: IndexTaskState;
  /** In place of the leader's. */
  readonly settings: SettingsChange;
  readonly shards: readonly ShardTask[];
}

export interface AutoFollowRule extends Assignment {
  readonly name: string;
  readonly leaderAlias: string;
  readonly pattern: string;
  readonly followerPattern?: string;
  readonly settings: SettingsChange;
}

export interface ReplicationSection {
  readonly followings: readonly Following[];
  readonly rules: readonly AutoFollowRule[];
  readonly lastAllocation: number;
}

const SECTION = "replication_metadata";
const nothing: ReplicationSection = { followings: [], rules: [], lastAllocation: 0 };

export function sectionOf(state: ClusterState): ReplicationSection {
  return (customOf(state, SECTION) as unknown as ReplicationSection | undefined) ?? nothing;
}

export function withSection(state: ClusterState, section: ReplicationSection): ClusterState {
  return withCustom(state, SECTION, section as unknown as Json);
}

export function followingOf(state: ClusterState, follower: string): Following | undefined {
  return sectionOf(state).followings.find((one) => one.follower === follower);
}

/** `undefined` takes it out. */
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
