/**
 * Cluster state update tasks of cross-cluster replication and their reducers. A task submitted by a run carries the
 * run's allocation number; a task of an outdated run changes nothing.
 */
import {
  applyTask,
  rejected,
  unchanged,
  updated,
  withIndex,
  withIndexBlocks,
  type ClusterBlock,
  type ClusterState,
  type CreateIndex,
  type Outcome,
  type PluginReducer,
  type SettingsChange,
  type Rules,
} from "@orrery/cluster-state";
import type { JsonObject, Problem } from "@orrery/stdx";
import { LEADER_INDEX_SETTING } from "../names.ts";
import { illegalState } from "../problems.ts";
import { followerSettings } from "../settings.ts";
import { assignTasks } from "./assign.ts";
import {
  followingOf,
  sectionOf,
  withFollowing,
  withSection,
  type AutoFollowRule,
  type Following,
  type IndexTaskState,
  type ShardTask,
} from "./section.ts";

/** The block on writes and metadata changes of a follower index. */
export const followerBlock: ClusterBlock = {
  id: 1000,
  description: "index read-only(cross-cluster-replication)",
  levels: ["write", "metadata_write"],
  status: "FORBIDDEN",
  isRetryable: false,
  disableStatePersistence: false,
  allowsReleasingResources: false,
};

/** Bodies of the cluster state update tasks, by task name. */
export interface Bodies {
  "replication/start": Pick<
    Following,
    "follower" | "leaderAlias" | "leaderIndex" | "leaderUuid" | "settings"
  >;
  /** Creates the follower index, once the index task has read the leader's metadata. */
  "replication/create": Pick<Following, "follower" | "allocation"> & {
    readonly create: CreateIndex;
  };
  "replication/move": Pick<Following, "follower" | "allocation"> & { readonly to: IndexTaskState };
  "replication/shard": Pick<Following, "follower"> & ShardTask;
  /** Without an allocation the pause is a client's. */
  "replication/pause": Pick<Following, "follower" | "reason"> &
    Partial<Pick<Following, "allocation">>;
  "replication/fail": Pick<Following, "follower" | "reason" | "allocation">;
  "replication/resume": Pick<Following, "follower">;
  "replication/detach": Pick<Following, "follower">;
  "replication/release": Pick<Following, "follower">;
  "replication/settings": Pick<Following, "follower" | "settings">;
  "replication/add-rule": Omit<AutoFollowRule, "nodeId" | "allocation">;
  "replication/remove-rule": Pick<AutoFollowRule, "name" | "leaderAlias">;
  "replication/assign": Readonly<Record<string, never>>;
}

/** Name of a cluster state update task of the plugin. */
export type ReplicationTask = keyof Bodies;

type Reducers = {
  readonly [Name in ReplicationTask]: (
    state: ClusterState,
    body: Bodies[Name],
    rules: Rules,
  ) => Outcome;
};

const typed: Reducers = {
  "replication/start": start,
  "replication/create": create,
  "replication/move": move,
  "replication/shard": updateShard,
  "replication/pause": pause,
  "replication/fail": (state, { follower, reason, allocation }) =>
    isOutdatedRun(state, follower, allocation)
      ? unchanged
      : change(state, follower, (one) => ({ ...withoutTasks(one), state: "FAILED", reason })),
  "replication/resume": resume,
  "replication/detach": detach,
  "replication/release": release,
  "replication/settings": (state, { follower, settings }) =>
    change(state, follower, (one) => ({
      ...one,
      settings: mergedSettings(one.settings, settings),
    })),
  "replication/add-rule": addRule,
  "replication/remove-rule": removeRule,
  "replication/assign": (state) => withAssignedTasks(state, state),
};

/**
 * Reducers of the plugin's tasks, by name. The cast is sound because only `replicationTask` makes such tasks, and pairs
 * each name with its body.
 */
export const reducers = typed as unknown as Readonly<Record<string, PluginReducer>>;

/** A cluster state update task of the plugin, to be submitted. */
export function replicationTask<Name extends ReplicationTask>(
  name: Name,
  body: Bodies[Name],
): { readonly kind: "plugin-task"; readonly name: Name; readonly body: JsonObject } {
  return { kind: "plugin-task", name, body: body as unknown as JsonObject };
}

/** Reason of a replication that a client has started or resumed. */
export const INITIATED = "User initiated";

function withAssignedTasks(before: ClusterState, after: ClusterState): Outcome {
  const state = assignTasks(after);
  return state === before ? unchanged : updated(state);
}

function start(state: ClusterState, body: Bodies["replication/start"]): Outcome {
  const { follower } = body;
  if (followerSettings(state).isStartBlocked) return rejected(startBlocked);
  if (followingOf(state, follower) !== undefined || state.metadata.indices.has(follower)) {
    return rejected(
      illegal(`Cant use same index again for replication. Delete the index:${follower}`),
    );
  }
  const following: Following = {
    ...body,
    state: "RUNNING",
    reason: INITIATED,
    task: "INIT",
    shards: [],
    allocation: 0,
  };
  return withAssignedTasks(state, withFollowing(state, follower, following));
}

/**
 * The problem with which a start of replication is rejected while `plugins.replication.follower.block.start` is true.
 */
export const startBlocked: Problem = {
  type: "status_exception",
  reason: "[FORBIDDEN] Replication START block is set",
  status: 403,
};

function create(state: ClusterState, body: Bodies["replication/create"], rules: Rules): Outcome {
  const { follower, allocation } = body;
  const following = followingOf(state, follower);
  if (following?.allocation !== allocation || following.task !== "INIT") return unchanged;
  const outcome = applyTask(state, body.create, rules);
  if (outcome.kind !== "updated") return outcome;
  const restoring = withFollowing(blocked(outcome.state, follower), follower, {
    ...following,
    task: "RESTORING",
  });
  return withAssignedTasks(state, restoring);
}

function move(state: ClusterState, body: Bodies["replication/move"]): Outcome {
  const { follower, allocation, to } = body;
  const following = followingOf(state, follower);
  if (following?.allocation !== allocation || following.task === to) return unchanged;
  const count = state.metadata.indices.get(follower)?.numberOfShards ?? 0;
  const shards =
    to === "INIT_FOLLOW"
      ? Array.from({ length: count }, (_, shard): ShardTask => ({
          shard,
          state: "INIT",
          allocation: 0,
        }))
      : following.shards;
  const moved = withFollowing(state, follower, { ...following, task: to, shards });
  return withAssignedTasks(state, to === "INIT_FOLLOW" ? blocked(moved, follower) : moved);
}

function updateShard(state: ClusterState, body: Bodies["replication/shard"]): Outcome {
  const { follower, shard, allocation } = body;
  return change(state, follower, (one) => {
    const task = one.shards.find((other) => other.shard === shard);
    if (task?.allocation !== allocation || task.state === body.state) return one;
    const { nodeId } = task;
    const { state: reached, error } = body;
    const next: ShardTask = {
      shard,
      allocation,
      state: reached,
      ...(nodeId === undefined ? {} : { nodeId }),
      ...(error === undefined ? {} : { error }),
    };
    return { ...one, shards: one.shards.map((other) => (other === task ? next : other)) };
  });
}

function pause(state: ClusterState, body: Bodies["replication/pause"]): Outcome {
  const { follower, reason, allocation } = body;
  const following = followingOf(state, follower);
  if (allocation !== undefined) {
    if (isOutdatedRun(state, follower, allocation)) return unchanged;
  } else if (following !== undefined) {
    const problem = pauseProblem(following);
    if (problem !== undefined) return rejected(problem);
  }
  return change(state, follower, (one) => ({ ...withoutTasks(one), state: "PAUSED", reason }));
}

/** Why a client cannot pause the replication; `undefined`: it can. */
function pauseProblem({ follower, state, task }: Following): Problem | undefined {
  if (state === "PAUSED") return alreadyExists(`Index ${follower} is already paused`);
  if (state !== "RUNNING") return illegalState(`Cannot pause when in ${state} state`).problem;
  if (task !== "RESTORING") return undefined;
  const reason = `Index is in restore phase currently for index: ${follower}. You can pause after restore completes.`;
  return { type: "exception", reason, status: 500 };
}

function resume(state: ClusterState, { follower }: Bodies["replication/resume"]): Outcome {
  const following = followingOf(state, follower);
  const problem = following === undefined ? undefined : resumeProblem(following);
  if (problem !== undefined) return rejected(problem);
  return change(state, follower, (one) => ({
    ...withoutTasks(one),
    state: "RUNNING",
    task: "INIT",
    reason: INITIATED,
  }));
}

/** Why a client cannot resume the replication; `undefined`: it can. */
export function resumeProblem({ follower, state }: Following): Problem | undefined {
  if (state === "PAUSED") return undefined;
  return alreadyExists(`Replication on Index ${follower} is already running`);
}

/** Whether the run with this allocation number has been replaced, so that its reports are outdated. */
function isOutdatedRun(state: ClusterState, follower: string, allocation: number): boolean {
  return followingOf(state, follower)?.allocation !== allocation;
}

/**
 * First step of a stop: removes the marker setting, after which primaries apply no operation of the leader. The block
 * remains, so clients cannot write yet.
 */
function detach(state: ClusterState, { follower }: Bodies["replication/detach"]): Outcome {
  const following = followingOf(state, follower);
  const detached =
    following === undefined
      ? state
      : withFollowing(state, follower, { ...withoutTasks(following), state: "STOPPING" });
  const metadata = detached.metadata.indices.get(follower);
  if (metadata?.settings[LEADER_INDEX_SETTING] === undefined)
    return withAssignedTasks(state, detached);
  const { [LEADER_INDEX_SETTING]: _, ...settings } = metadata.settings;
  const versions = {
    settingsVersion: metadata.settingsVersion + 1,
    version: metadata.version + 1,
  };
  return withAssignedTasks(state, withIndex(detached, { ...metadata, ...versions, settings }));
}

/** Second step of a stop: removes the block, which admits clients, and the replication. */
function release(state: ClusterState, { follower }: Bodies["replication/release"]): Outcome {
  const held = state.blocks.indices.get(follower) ?? [];
  const kept = held.filter(({ id }) => id !== followerBlock.id);
  const unblocked =
    kept.length === held.length
      ? state
      : { ...state, blocks: withIndexBlocks(state.blocks, follower, kept) };
  const isKnown = followingOf(state, follower) !== undefined;
  return withAssignedTasks(
    state,
    isKnown ? withFollowing(unblocked, follower, undefined) : unblocked,
  );
}

function addRule(state: ClusterState, rule: Bodies["replication/add-rule"]): Outcome {
  const section = sectionOf(state);
  const known = section.rules.find((other) => isSameRule(other, rule));
  // The rule's running task keeps the definition it started with; its next run reads the new one.
  const next: AutoFollowRule = { allocation: 0, ...known, ...rule };
  const rules =
    known === undefined
      ? [...section.rules, next]
      : section.rules.map((other) => (other === known ? next : other));
  return withAssignedTasks(state, withSection(state, { ...section, rules }));
}

function removeRule(state: ClusterState, rule: Bodies["replication/remove-rule"]): Outcome {
  const section = sectionOf(state);
  const rules = section.rules.filter((other) => !isSameRule(other, rule));
  if (rules.length === section.rules.length) return unchanged;
  return updated(withSection(state, { ...section, rules }));
}

function isSameRule(
  a: Bodies["replication/remove-rule"],
  b: Bodies["replication/remove-rule"],
): boolean {
  return a.name === b.name && a.leaderAlias === b.leaderAlias;
}

function change(
  state: ClusterState,
  follower: string,
  make: (following: Following) => Following,
): Outcome {
  const following = followingOf(state, follower);
  if (following === undefined) {
    return rejected(illegal(`No replication in progress for index:${follower}`));
  }
  const next = make(following);
  return next === following
    ? unchanged
    : withAssignedTasks(state, withFollowing(state, follower, next));
}

/** The replication without its tasks. */
function withoutTasks(one: Following): Following {
  const { nodeId: _, ...following } = one;
  return { ...following, task: "COMPLETED", shards: [], allocation: 0 };
}

function blocked(state: ClusterState, follower: string): ClusterState {
  const held = state.blocks.indices.get(follower) ?? [];
  if (held.some(({ id }) => id === followerBlock.id)) return state;
  return { ...state, blocks: withIndexBlocks(state.blocks, follower, [...held, followerBlock]) };
}

function mergedSettings(before: SettingsChange, settings: SettingsChange): SettingsChange {
  return { ...before, ...settings };
}

function alreadyExists(reason: string): Problem {
  return { type: "resource_already_exists_exception", reason, status: 400 };
}

function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}
