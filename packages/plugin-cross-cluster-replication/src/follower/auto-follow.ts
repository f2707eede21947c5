/**
 * Follows indices of another cluster whose names match a pattern, as they appear there. What could not be started is tried again
 * much later. Source: `AutoFollowTask`.
 */
import { matchesGlob } from "@orrery/stdx";
import { problemIn } from "../problems.ts";
import { autoFollowSettings, seenOn } from "../settings.ts";
import { followingOf, type AutoFollowRule } from "../state/section.ts";
import { LEADER_INDEX_SETTING } from "../names.ts";
import { startFollowing } from "./start.ts";
import type { TaskRun } from "./task-run.ts";

export interface RuleProgress {
  started: number;
  failedStarts: number;
  failedLeaderCalls: number;
  /** When each failed, by name, monotonic. */
  readonly failed: Map<string, number>;
  lastRunAtMs: number;
}

export function newRuleProgress(): RuleProgress {
  return { started: 0, failedStarts: 0, failedLeaderCalls: 0, failed: new Map(), lastRunAtMs: 0 };
}

export async function autoFollow(
  run: TaskRun,
  rule: AutoFollowRule,
  progress: RuleProgress,
): Promise<void> {
  const { cluster } = run.node;
  while (!run.cancellation.isCancelled) {
    progress.lastRunAtMs = cluster.clock.nowMs();
    await look(run, rule, progress);
    await run.sleep(autoFollowSettings(seenOn(cluster)).pollMs);
  }
}

async function look(run: TaskRun, rule: AutoFollowRule, progress: RuleProgress): Promise<void> {
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
  const startRest = async (): Promise<void> => {
    for (;;) {
      const leader = waiting[next];
      if (leader === undefined || run.cancellation.isCancelled) return;
      next += 1;
      await startOne(run, rule, progress, leader);
    }
  };
  await Promise.all(Array.from({ length: parallelStarts }, startRest));
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

export const LEADER_PLACEHOLDER = "{{leader_index}}";

function followerNameOf({ followerPattern }: AutoFollowRule, leader: string): string {
  return followerPattern === undefined
    ? leader
    : followerPattern.replaceAll(LEADER_PLACEHOLDER, leader);
}
