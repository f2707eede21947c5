/**
 * Changes of the cluster state that cross-cluster replication makes. A task that speaks for a run of an index task or a
 * shard task names its allocation: one that was overtaken changes nothing.
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

export const followerBlock: ClusterBlock = {
  id: 1000,
  description: "index read-only(cross-cluster-replication)",
  levels: ["write", "metadata_write"],
  status: "FORBIDDEN",
  isRetryable: false,
  disableStatePersistence: false,
  allowsReleasingResources: false,
};

export interface Bodies {
  "replication/start": Pick<
    Following,
    "follower" | "leaderAlias" | "leaderIndex" | "leaderUuid" | "settings"
  >;
  /** Once the index task knows what the leader index is like. */
  "replication/create": Pick<Following, "follower" | "allocation"> & {
    readonly create: CreateIndex;
  };
  "replication/move": Pick<Following, "follower" | "allocation"> & { readonly to: IndexTaskState };
  "replication/shard": Pick<Following, "follower"> & ShardTask;
  /** Of a client without an allocation. */
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
  "replication/shard": noteShard,
  "replication/pause": pause,
  "replication/fail": (state, { follower, reason, allocation }) =>
    isOvertaken(state, follower, allocation)
      ? unchanged
      : change(state, follower, (one) => ({ ...idle(one), state: "FAILED", reason })),
  "replication/resume": resume,
  "replication/detach": detach,
  "replication/release": release,
  "replication/settings": (state, { follower, settings }) =>
    change(state, follower, (one) => ({ ...one, settings: merged(one.settings, settings) })),
  "replication/add-rule": addRule,
  "replication/remove-rule": removeRule,
  "replication/assign": (state) => settled(state, state),
};

/** Sound because tasks are made by `replicationTask` alone, which pairs each name with its body. */
export const reducers = typed as unknown as Readonly<Record<string, PluginReducer>>;

export function replicationTask<Name extends ReplicationTask>(
  name: Name,
  body: Bodies[Name],
): { readonly kind: "plugin-task"; readonly name: Name; readonly body: JsonObject } {
  return { kind: "plugin-task", name, body: body as unknown as JsonObject };
}

export const INITIATED = "User initiated";

function settled(before: ClusterState, after: ClusterState): Outcome {
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
  return settled(state, withFollowing(state, follower, following));
}

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
  return settled(state, restoring);
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
  return settled(state, to === "INIT_FOLLOW" ? blocked(moved, follower) : moved);
}

function noteShard(state: ClusterState, body: Bodies["replication/shard"]): Outcome {
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
    if (isOvertaken(state, follower, allocation)) return unchanged;
  } else if (following !== undefined) {
    const problem = pauseProblem(following);
    if (problem !== undefined) return rejected(problem);
  }
  return change(state, follower, (one) => ({ ...idle(one), state: "PAUSED", reason }));
}

/** Why a client cannot pause it now. */
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
    ...idle(one),
    state: "RUNNING",
    task: "INIT",
    reason: INITIATED,
  }));
}

/** Why a client cannot resume it now. */
export function resumeProblem({ follower, state }: Following): Problem | undefined {
  if (state === "PAUSED") return undefined;
  return alreadyExists(`Replication on Index ${follower} is already running`);
}

/** The run of an index task with this allocation has nothing to say any more. */
function isOvertaken(state: ClusterState, follower: string, allocation: number): boolean {
  return followingOf(state, follower)?.allocation !== allocation;
}

/** From here on primaries take nothing of the leader any more; clients still write nothing. */
function detach(state: ClusterState, { follower }: Bodies["replication/detach"]): Outcome {
  const following = followingOf(state, follower);
  const detached =
    following === undefined
      ? state
      : withFollowing(state, follower, { ...idle(following), state: "STOPPING" });
  const metadata = detached.metadata.indices.get(follower);
  if (metadata?.settings[LEADER_INDEX_SETTING] === undefined) return settled(state, detached);
  const { [LEADER_INDEX_SETTING]: _, ...settings } = metadata.settings;
  const versions = {
    settingsVersion: metadata.settingsVersion + 1,
    version: metadata.version + 1,
  };
  return settled(state, withIndex(detached, { ...metadata, ...versions, settings }));
}

function release(state: ClusterState, { follower }: Bodies["replication/release"]): Outcome {
  const held = state.blocks.indices.get(follower) ?? [];
  const kept = held.filter(({ id }) => id !== followerBlock.id);
  const unblocked =
    kept.length === held.length
      ? state
      : { ...state, blocks: withIndexBlocks(state.blocks, follower, kept) };
  const isKnown = followingOf(state, follower) !== undefined;
  return settled(state, isKnown ? withFollowing(unblocked, follower, undefined) : unblocked);
}

function addRule(state: ClusterState, rule: Bodies["replication/add-rule"]): Outcome {
  const section = sectionOf(state);
  const known = section.rules.find((other) => isSameRule(other, rule));
  // The task goes on with what it was told when it began; the next run of it reads the new rule.
  const next: AutoFollowRule = { allocation: 0, ...known, ...rule };
  const rules =
    known === undefined
      ? [...section.rules, next]
      : section.rules.map((other) => (other === known ? next : other));
  return settled(state, withSection(state, { ...section, rules }));
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
  return next === following ? unchanged : settled(state, withFollowing(state, follower, next));
}

/** Without its tasks. */
function idle(one: Following): Following {
  const { nodeId: _, ...following } = one;
  return { ...following, task: "COMPLETED", shards: [], allocation: 0 };
}

function blocked(state: ClusterState, follower: string): ClusterState {
  const held = state.blocks.indices.get(follower) ?? [];
  if (held.some(({ id }) => id === followerBlock.id)) return state;
  return { ...state, blocks: withIndexBlocks(state.blocks, follower, [...held, followerBlock]) };
}

function merged(before: SettingsChange, settings: SettingsChange): SettingsChange {
  return { ...before, ...settings };
}

function alreadyExists(reason: string): Problem {
  return { type: "resource_already_exists_exception", reason, status: 400 };
}

function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}
