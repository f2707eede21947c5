/** `cluster.pending_tasks`: cluster state update tasks that wait for the elected cluster manager. */
import { formatDuration } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout, managerTimeoutMs } from "../../parameters.ts";

export const clusterPendingTasks: Operation = defineOperation({
  group: "cluster.pending_tasks",
  permission: "cluster:monitor/task",
  routes: ["GET /_cluster/pending_tasks"],
  query: { ...managerTimeout, local: flag(false) },
  deviations: [],

  async handle({ query }, cluster) {
    const tasks = await cluster.pendingTasks(managerTimeoutMs(query));
    return {
      body: {
        tasks: tasks.map((task) => ({
          insert_order: task.insertOrder,
          priority: task.priority,
          source: task.source,
          executing: task.executing,
          time_in_queue_millis: Math.floor(task.timeInQueueMs),
          time_in_queue: formatDuration(Math.floor(task.timeInQueueMs)),
        })),
      },
    };
  },
});
