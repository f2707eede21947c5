/**
 * A task as another node asks for it: looked at before it waits in the queue, so that nothing waits there, is proposed or applied
 * that no reducer can read.
 */
import { readEntry, type Task } from "@orrery/cluster-state";
import { SubmitTaskRequest } from "@orrery/protocol";
import { illegalArgument } from "@orrery/stdx";
import { priorityOrder } from "./priorities.ts";
import type { TaskPriority } from "./types.ts";

export interface SubmittedTask extends Omit<SubmitTaskRequest, "task" | "priority"> {
  readonly task: Task;
  readonly priority: TaskPriority | undefined;
}

/** The elected cluster manager makes these itself, of what it sees; nobody can ask for one. */
const managersOwn: ReadonlySet<Task["kind"]> = new Set<Task["kind"]>([
  "assign-raft-id",
  "become-cluster-manager",
  "finish-deletion",
  "finish-repository-cleanup",
  "finish-restore",
  "finish-snapshot",
  "follow-repositories",
  "node-join",
  "node-left",
  "reconfigure-voters",
  "recover-state",
  "set-repository-generation",
  "update-decommission-status",
  "update-snapshot-shards",
]);

/** Of a task's id and of what pending tasks show of it. */
const TEXT_MOST = 16_384;

/** Throws `OperationError` for what cannot be asked for. */
export function readSubmittedTask(payload: Uint8Array): SubmittedTask {
  const request = SubmitTaskRequest.decode(payload);
  const { id, source, priority: named, managerTimeoutMs, ackTimeoutMs } = request;
  const { tasks, routing } = readEntry(request.task);
  const [task] = tasks;
  if (task === undefined || tasks.length > 1 || routing !== undefined)
    throw illegalArgument("malformed cluster state update: it is not one task");
  if (managersOwn.has(task.kind))
    throw illegalArgument(`cluster state update [${task.kind}] cannot be submitted`);
  const priority = priorityOrder.find((known) => known === named);
  if (priority === undefined && named !== "")
    throw illegalArgument(`malformed cluster state update: priority [${named}]`);
  if (id.length > TEXT_MOST || source.length > TEXT_MOST)
    throw illegalArgument("malformed cluster state update: its id or source is too long");
  return { id, source, task, priority, managerTimeoutMs, ackTimeoutMs };
}
