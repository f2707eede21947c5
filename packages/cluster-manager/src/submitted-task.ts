/**
 * Decoding and validation of submitted tasks, before they enter the queue: a task that no reducer can read must not be
 * proposed, because a committed entry that cannot be applied puts every node into quarantine.
 */
import { readEntry, type Task } from "@orrery/cluster-state";
import { SubmitTaskRequest } from "@orrery/protocol";
import { illegalArgument } from "@orrery/stdx";
import { priorityOrder } from "./priorities.ts";
import type { TaskPriority } from "./types.ts";

/** A decoded request to submit a task. */
export interface SubmittedTask extends Omit<SubmitTaskRequest, "task" | "priority"> {
  readonly task: Task;
  /** Undefined: the default of the kind of task. */
  readonly priority: TaskPriority | undefined;
}

/** Kinds of tasks that only the elected cluster manager creates, from its own observations; submitting one is refused. */
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

/** Longest id and source of a task, in characters; ids become part of snapshots, sources of pending tasks. */
const TEXT_MOST = 16_384;

/** The decoded request. Throws `OperationError` when it is malformed, or may not be submitted. */
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
