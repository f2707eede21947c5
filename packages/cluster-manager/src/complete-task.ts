/**
 * Completion of submitted tasks with the elected cluster manager's own node settings. Reducers run on every node and
 * must not read node settings, which differ between nodes (INV-COORD-3); the values they need travel in the task. Pure.
 */
import type { Settings, Task } from "@orrery/cluster-state";

const awarenessPrefix = "cluster.routing.allocation.awareness.";
const exclusionsKey = "cluster.max_voting_config_exclusions";
const tombstonesKey = "cluster.indices.tombstones.size";

/** The task with the settings that its reducer reads; most kinds need none and are returned as they are. */
export function completeTask(task: Task, ofNode: Settings): Task {
  switch (task.kind) {
    case "put-weighted-routing":
    case "decommission-zone":
    case "add-voting-config-exclusions":
      return { ...task, nodeSettings: zoneSettings(ofNode) };
    case "delete-index":
    case "delete-dangling-index":
    case "delete-data-streams": {
      const most = ofNode[tombstonesKey];
      return most === undefined ? task : { maxTombstones: Number(most), ...task };
    }
    default:
      return task;
  }
}

/** Settings that the reducers of weights, decommissions and voting exclusions read: awareness and the limit of exclusions. */
function zoneSettings(ofNode: Settings): Settings {
  return Object.fromEntries(
    Object.entries(ofNode).filter(
      ([key]) => key.startsWith(awarenessPrefix) || key === exclusionsKey,
    ),
  );
}
