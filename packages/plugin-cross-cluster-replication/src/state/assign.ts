/**
 * Assignment of tasks to nodes. The task of an index or a rule runs on the node with the fewest tasks; that of a
 * shard on the node of the follower's primary. Pure, so every node computes the same result. Source:
 * `PersistentTasksClusterService`, and the plugin's executors.
 */
import { activePrimary, isDataNode, type ClusterState } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import {
  sectionOf,
  withSection,
  type Assignment,
  type Following,
  type ReplicationSection,
  type ShardTask,
} from "./section.ts";

/** The state with all tasks assigned; the same object when nothing changes. */
export function assignTasks(state: ClusterState): ClusterState {
  const before = sectionOf(state);
  let { lastAllocation } = before;
  const load = loadOf(state, before);

  // Each move gets a new allocation number, which makes reports of the previous run recognizable as outdated.
  const move = <Task extends Assignment>(task: Task, nodeId: string | undefined): Task => {
    if (task.nodeId === nodeId) return task;
    lastAllocation += 1;
    const { nodeId: _, ...rest } = task;
    const moved = { ...rest, allocation: lastAllocation } as Task;
    return nodeId === undefined ? moved : { ...moved, nodeId };
  };

  const place = <Task extends Assignment>(task: Task): Task => {
    if (task.nodeId !== undefined && load.has(task.nodeId)) return task;
    const [least] = [...load].toSorted((a, b) => a[1] - b[1]);
    if (least !== undefined) load.set(least[0], least[1] + 1);
    return move(task, least?.[0]);
  };

  const placeShard = (follower: string, task: ShardTask): ShardTask => {
    // A shard without an active primary has no node, so its task waits until there is one.
    const nodeId = activePrimary(state, follower, task.shard)?.nodeId;
    const moved = move(task, nodeId);
    return moved === task || task.state === "FAILED" ? moved : { ...moved, state: "INIT" };
  };

  const followings = mapped(before.followings, (one): Following => {
    if (one.state !== "RUNNING") return one;
    const placed = place(one);
    const shards = mapped(one.shards, (task) => placeShard(one.follower, task));
    return shards === one.shards ? placed : { ...placed, shards };
  });
  const rules = mapped(before.rules, place);
  if (followings === before.followings && rules === before.rules) return state;
  return withSection(state, { followings, rules, lastAllocation });
}

/** Number of tasks of each node that may run tasks (data nodes with the role `remote_cluster_client`). */
function loadOf(state: ClusterState, section: ReplicationSection): Map<string, number> {
  const nodes = [...state.nodes.values()].filter(
    (node) => isDataNode(node) && node.roles.includes("remote_cluster_client"),
  );
  const load = new Map<string, number>(nodes.map(({ id }): [NodeId, number] => [id, 0]));
  const running = section.followings.filter((one) => one.state === "RUNNING");
  const tasks: readonly Assignment[] = [
    ...running,
    ...running.flatMap(({ shards }) => shards),
    ...section.rules,
  ];
  for (const { nodeId = "" } of tasks) {
    const count = load.get(nodeId);
    if (count !== undefined) load.set(nodeId, count + 1);
  }
  return load;
}

/** The mapped list; the same object when no item changed. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const next = items.map(change);
  return next.every((item, i) => item === items[i]) ? items : next;
}
