/**
 * Runs the tasks that the cluster state assigns to this node, and cancels those that it no longer does. The elected
 * cluster manager makes the assignments (`assign-tasks.ts`).
 */
import type { ClusterState } from "@orrery/cluster-state";
import type { PluginInstance, PluginNode } from "@orrery/node";
import { problemIn } from "../problems.ts";
import { sectionOf, type Following } from "../state/section.ts";
import { autoFollow, newRuleProgress, type RuleProgress } from "./auto-follow.ts";
import { driveIndex } from "./index-task.ts";
import { followShard, newProgress, type ShardProgress } from "./shard-task.ts";
import { createRun, type TaskRun } from "./task-run.ts";

/** Runs the tasks of one node, and reports them for statistics. */
export interface Runner extends PluginInstance {
  applied(state: ClusterState): void;
  stop(): void;
  /** Running shard tasks, in order of their start. */
  shards(): readonly RunningShard[];
  rules(): readonly RunningRule[];
}

/** A running shard task and its counters. */
export interface RunningShard {
  readonly follower: string;
  readonly shard: number;
  readonly progress: ShardProgress;
}

/** A running rule and its counters. */
export interface RunningRule {
  readonly name: string;
  readonly pattern: string;
  readonly leaderAlias: string;
  readonly progress: RuleProgress;
}

interface Running {
  readonly cancel: () => void;
  readonly shard?: RunningShard;
  readonly rule?: RunningRule;
}

interface Wanted {
  /** Identifies the task together with its assignment: a new assignment starts a new run. */
  readonly key: string;
  readonly start: (run: TaskRun) => Omit<Running, "cancel"> & { readonly ends: Promise<void> };
}

/** A runner without tasks; `applied` starts and cancels them. */
export function createRunner(node: PluginNode): Runner {
  const { cluster } = node;
  const nodeId = cluster.localNode.id;
  const running = new Map<string, Running>();
  let isStopped = false;

  const start = ({ key, start: begin }: Wanted): void => {
    const { run, source } = createRun(node);
    const { ends, ...about } = begin(run);
    const entry: Running = { ...about, cancel: () => source.cancel("task is not assigned here") };
    running.set(key, entry);
    void ends.catch((error: unknown) => {
      // An error that the run did not handle ends it; the task is run again at its next assignment.
      cluster.log("error", `replication task [${key}]: ${problemIn(error).reason}`);
    });
  };

  return {
    applied: (state) => {
      if (isStopped) return;
      const wanted = wantedOn(nodeId, state);
      const keys = new Set(wanted.map(({ key }) => key));
      for (const [key, entry] of [...running]) {
        if (keys.has(key)) continue;
        running.delete(key);
        entry.cancel();
      }
      for (const one of wanted) if (!running.has(one.key)) start(one);
    },
    stop: () => {
      isStopped = true;
      for (const { cancel } of running.values()) cancel();
      running.clear();
    },
    shards: () =>
      [...running.values()].flatMap(({ shard }) => (shard === undefined ? [] : [shard])),
    rules: () => [...running.values()].flatMap(({ rule }) => (rule === undefined ? [] : [rule])),
  };
}

function wantedOn(nodeId: string, state: ClusterState): readonly Wanted[] {
  const { followings, rules } = sectionOf(state);
  const runnable = followings.filter((one) => one.state === "RUNNING");
  return [
    ...runnable.flatMap((one) => (one.nodeId === nodeId ? [indexTask(one)] : [])),
    ...runnable.flatMap((one) =>
      one.shards.flatMap((task) =>
        task.nodeId === nodeId && task.state !== "FAILED" ? [shardTask(one, task)] : [],
      ),
    ),
    ...rules.flatMap((rule): Wanted[] => {
      if (rule.nodeId !== nodeId) return [];
      const { name, pattern, leaderAlias, allocation } = rule;
      const key = `rule/${leaderAlias}/${name}/${allocation}`;
      return [
        {
          key,
          start: (run) => {
            const progress = newRuleProgress();
            const about: RunningRule = { name, pattern, leaderAlias, progress };
            return { rule: about, ends: autoFollow(run, rule, progress) };
          },
        },
      ];
    }),
  ];
}

function indexTask({ follower, allocation }: Following): Wanted {
  return {
    key: `index/${follower}/${allocation}`,
    start: (run) => ({ ends: driveIndex({ run, follower, allocation }) }),
  };
}

function shardTask(following: Following, task: Following["shards"][number]): Wanted {
  const { follower } = following;
  const { shard, allocation } = task;
  return {
    key: `shard/${follower}/${shard}/${allocation}`,
    start: (run) => {
      const progress = newProgress();
      const ends = followShard({ run, following, task, progress });
      return { shard: { follower, shard, progress }, ends };
    },
  };
}
