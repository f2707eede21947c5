/** What the elected cluster manager adds to a task that was submitted: its own settings, which reducers cannot see. Pure. */
import type { Settings, Task } from "@orrery/cluster-state";

const awarenessPrefix = "cluster.routing.allocation.awareness.";
const exclusionsKey = "cluster.max_voting_config_exclusions";
const tombstonesKey = "cluster.indices.tombstones.size";

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

/** What weights, decommissions and voting exclusions look at. */
function zoneSettings(ofNode: Settings): Settings {
  return Object.fromEntries(
    Object.entries(ofNode).filter(
      ([key]) => key.startsWith(awarenessPrefix) || key === exclusionsKey,
    ),
  );
}
