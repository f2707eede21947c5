/**
 * Auto-follow: starts replication of leader indices that match a pattern, as they appear. A failed start is retried
 * after `retry_poll_interval`. Source: `AutoFollowTask`.
 */
import { matchesGlob } from "@orrery/stdx";
import { problemIn } from "../problems.ts";
import { autoFollowSettings, seenOn } from "../settings.ts";
import { followingOf, type AutoFollowRule } from "../state/section.ts";
import { LEADER_INDEX_SETTING } from "../names.ts";
import { startFollowing } from "./start.ts";
import type { TaskRun } from "./task-run.ts";

/**
 * Counters of one auto-follow rule, for statistics. Each run of the rule's task on a node (`TaskRun`) begins with new
 * ones.
 */
export interface RuleProgress {
  started: number;
  failedStarts: number;
  failedLeaderCalls: number;
  /** Monotonic time of the last failed start, by leader index. */
  readonly failed: Map<string, number>;
  /** Wall-clock time of the last poll of the leader cluster; 0: never. */
  lastRunAtMs: number;
}

/** Counters of a rule that has not run yet. */
export function newRuleProgress(): RuleProgress {
  return { started: 0, failedStarts: 0, failedLeaderCalls: 0, failed: new Map(), lastRunAtMs: 0 };
}

/** Runs a rule: polls the leader cluster, and starts replication of matching indices, until the run is cancelled. */
export async function autoFollow(
  run: TaskRun,
  rule: AutoFollowRule,
  progress: RuleProgress,
): Promise<void> {
  const { cluster } = run.node;
  while (!run.cancellation.isCancelled) {
    progress.lastRunAtMs = cluster.clock.nowMs();
    await pollLeader(run, rule, progress);
    await run.sleep(autoFollowSettings(seenOn(cluster)).pollMs);
  }
}

async function pollLeader(
  run: TaskRun,
  rule: AutoFollowRule,
  progress: RuleProgress,
): Promise<void> {
  const { cluster } = run.node;
  let found: readonly string[];
  try {
    const { metadata } = await cluster.remotes.state(rule.leaderAlias, [rule.pattern]);
    found = [...metadata.indices.values()].flatMap(({ name, state, settings, isSystem }) => {
      const isFollowable = state === "open" && !isSystem && !name.startsWith(".");
      const isFollower = settings[LEADER_INDEX_SETTING] !== undefined;
      return isFollowable && !isFollower && matchesGlob(rule.pattern, name) ? [name] : [];
    });
  } catch (error) {
    const { reason } = problemIn(error);
    progress.failedLeaderCalls += 1;
    cluster.log("warn", `auto-follow [${rule.name}] cannot ask [${rule.leaderAlias}]: ${reason}`);
    return;
  }
  progress.failedStarts = 0;
  const { retryMs, parallelStarts } = autoFollowSettings(seenOn(cluster));
  const nowMs = cluster.clock.monotonicMs();
  const waiting = found.filter((leader) => {
    const follower = followerNameOf(rule, leader);
    const state = cluster.state();
    if (state.metadata.indices.has(follower) || followingOf(state, follower) !== undefined)
      return false;
    const failedAt = progress.failed.get(leader);
    return failedAt === undefined || nowMs - failedAt >= retryMs;
  });
  let next = 0;
  const startNext = async (): Promise<void> => {
    for (;;) {
      const leader = waiting[next];
      if (leader === undefined || run.cancellation.isCancelled) return;
      next += 1;
      await startOne(run, rule, progress, leader);
    }
  };
  await Promise.all(Array.from({ length: parallelStarts }, startNext));
}

async function startOne(
  run: TaskRun,
  rule: AutoFollowRule,
  progress: RuleProgress,
  leaderIndex: string,
): Promise<void> {
  const { leaderAlias, settings } = rule;
  const { cluster } = run.node;
  try {
    const follower = followerNameOf(rule, leaderIndex);
    await startFollowing(cluster, { follower, leaderAlias, leaderIndex, settings });
    progress.started += 1;
    progress.failed.delete(leaderIndex);
  } catch (error) {
    const { reason } = problemIn(error);
    progress.failedStarts += 1;
    progress.failed.set(leaderIndex, cluster.clock.monotonicMs());
    cluster.log("warn", `auto-follow [${rule.name}] cannot start [${leaderIndex}]: ${reason}`);
  }
}

/** Placeholder for the name of the leader index, in the `followerPattern` of a rule. */
export const LEADER_PLACEHOLDER = "{{leader_index}}";

function followerNameOf({ followerPattern }: AutoFollowRule, leader: string): string {
  return followerPattern === undefined
    ? leader
    : followerPattern.replaceAll(LEADER_PLACEHOLDER, leader);
}
