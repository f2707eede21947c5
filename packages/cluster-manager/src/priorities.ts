/** Priority, source and batch of each kind of task, as in the product's services (`ClusterManagerService`, `Priority`, `TaskBatcher`). */
import { lookup } from "@orrery/stdx";
import { describeZone, type Task } from "@orrery/cluster-state";
import type { TaskPriority } from "./types.ts";

/** Priorities from the most to the least urgent. */
export const priorityOrder: readonly TaskPriority[] = [
  "IMMEDIATE",
  "URGENT",
  "HIGH",
  "NORMAL",
  "LOW",
  "LANGUID",
];

const byKind: Readonly<Record<string, TaskPriority>> = {
  "add-voting-config-exclusions": "URGENT",
  "assign-raft-id": "URGENT",
  "become-cluster-manager": "URGENT",
  "clear-voting-config-exclusions": "URGENT",
  "close-index": "URGENT",
  "create-index": "URGENT",
  "create-data-stream": "HIGH",
  "decommission-zone": "URGENT",
  "delete-dangling-index": "NORMAL",
  "delete-data-streams": "HIGH",
  "delete-decommission-state": "URGENT",
  "delete-index": "URGENT",
  "delete-templates": "URGENT",
  "delete-weighted-routing": "URGENT",
  "finish-restore": "URGENT",
  "import-dangling-index": "NORMAL",
  "node-join": "URGENT",
  "node-left": "IMMEDIATE",
  "open-index": "URGENT",
  "put-component-template": "URGENT",
  "put-index-template": "URGENT",
  "put-legacy-template": "URGENT",
  "put-mapping": "HIGH",
  "put-weighted-routing": "URGENT",
  "reconfigure-voters": "URGENT",
  "recover-state": "NORMAL",
  "roll-over": "NORMAL",
  "update-aliases": "URGENT",
  "update-cluster-settings": "IMMEDIATE",
  "update-decommission-status": "URGENT",
  "update-index-settings": "URGENT",
};

/** Priority of a task; `NORMAL` unless the product gives it another. */
export function priorityOf(task: Task): TaskPriority {
  return lookup(byKind, task.kind) ?? "NORMAL";
}

/** Source of a task, as `_cluster/pending_tasks` shows it. */
export function sourceOf(task: Task): string {
  switch (task.kind) {
    case "create-index":
      return `create-index [${task.name}], cause [api]`;
    case "delete-index":
      return `delete-index [[${task.index}/${task.uuid}]]`;
    case "delete-dangling-index":
      return `delete-dangling-index [${task.index}] [${task.uuid}]`;
    case "import-dangling-index":
      return `allocation dangled indices [${task.metadata.name}]`;
    case "put-mapping":
      return `put-mapping [${task.index}/${task.uuid}]`;
    case "open-index":
      return `open-indices [${task.indices.join(", ")}]`;
    case "close-index":
      return task.step === "block"
        ? `add-block-index-to-close [${task.indices.join(", ")}]`
        : `close-indices [${task.indices.join(", ")}]`;
    case "update-index-settings":
      return `update-settings [${task.indices.join(", ")}]`;
    case "update-aliases":
      return "index-aliases";
    case "update-cluster-settings":
      return "cluster_update_settings";
    case "node-left":
      return `node-left[${task.nodeId} reason: ${task.reason}]`;
    case "node-join":
      return `node-join[{${task.node.name}}{${task.node.id}} join existing leader]`;
    case "plugin-task":
      return task.name;
    case "recover-state":
      return "local-gateway-elected-state";
    case "decommission-zone":
      return `decommission [${describeZone(task)}]`;
    case "put-weighted-routing":
      return "update_weighted_routing";
    case "delete-weighted-routing":
      return "delete_weighted_routing";
    case "delete-decommission-state":
      return "delete_decommission_state";
    case "put-component-template":
      return `create-component-template [${task.name}], cause [api]`;
    case "put-index-template":
      return `create-index-template-v2 [${task.name}], cause [api]`;
    case "put-legacy-template":
      return `create-index-template [${task.name}], cause [api]`;
    case "create-data-stream":
      return `create-data-stream [${task.name}]`;
    case "delete-data-streams":
      return `remove-data-stream [${task.names.join(",")}]`;
    case "roll-over":
      return `rollover_index source [${task.source.name}] to target [${task.index.name}]`;
    case "put-ingest-pipeline":
      return `put-pipeline-${task.id}`;
    case "delete-ingest-pipelines":
      return `delete-pipeline-${task.pattern}`;
    case "delete-templates":
      return `${removalNames[task.of]} [${task.pattern}]`;
    case "put-repository":
      return `put_repository [${task.name}]`;
    case "delete-repository":
      return `delete_repository [${task.name}]`;
    case "create-snapshot":
      return `create_snapshot [${task.snapshot}]`;
    case "update-snapshot-shards":
      return "update snapshot state";
    case "finish-snapshot":
      return "remove snapshot metadata";
    case "delete-snapshots":
      return "delete snapshot";
    case "finish-deletion":
      return "remove snapshot deletion metadata";
    case "start-repository-cleanup":
      return "cleanup repository";
    case "finish-repository-cleanup":
      return "remove repository cleanup task";
    case "restore-snapshot":
      return `restore_snapshot[${task.snapshot}]`;
    case "finish-restore":
      return "clean up snapshot restore state";
    case "set-repository-generation":
      return `set repository generation [${task.repository}][${task.change.kind}]`;
    case "reconfigure-voters":
      return "reconfigure";
    case "become-cluster-manager":
      return "elected-as-cluster-manager";
    default:
      return task.kind;
  }
}

const removalNames = {
  component: "remove-component-template",
  index: "remove-index-template-v2",
  legacy: "remove-index-template",
} as const;

/**
 * Batch of a task: tasks of one batch that wait together share a round, thus one entry, version and reroute. Undefined
 * for tasks that run alone.
 */
export function batchOf(task: Task): string | undefined {
  switch (task.kind) {
    case "node-join":
    case "node-left":
    case "assign-raft-id":
      return "membership";
    case "put-mapping":
      return "put-mapping";
    default:
      return undefined;
  }
}

const keepsRouting: ReadonlySet<string> = new Set([
  "add-voting-config-exclusions",
  "assign-raft-id",
  "clear-voting-config-exclusions",
  "decommission-zone",
  "delete-dangling-index",
  "delete-decommission-state",
  "delete-weighted-routing",
  "delete-ingest-pipelines",
  "delete-templates",
  "put-component-template",
  "put-index-template",
  "put-ingest-pipeline",
  "put-legacy-template",
  "put-mapping",
  "put-weighted-routing",
  "reconfigure-voters",
  "update-aliases",
  "update-decommission-status",
]);

/** Whether the task can change where copies belong; a round of other tasks alone skips the reroute. */
export function concernsRouting(task: Task): boolean {
  return !keepsRouting.has(task.kind);
}
