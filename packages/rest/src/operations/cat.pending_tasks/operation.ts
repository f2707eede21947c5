/** `cat.pending_tasks`: cluster state update tasks that wait for the elected cluster manager. */
import type { PendingTask } from "@orrery/node";
import { column, timeCell } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout, managerTimeoutMs } from "../../parameters.ts";

const query = { ...managerTimeout, local: flag(false) };

export const catPendingTasks: Operation = defineCat<typeof query, PendingTask>({
  group: "cat.pending_tasks",
  permission: "cluster:monitor/task",
  routes: ["GET /_cat/pending_tasks"],
  query,
  deviations: [],
  columns: [
    column("insertOrder", ({ insertOrder }) => insertOrder, {
      aliases: "o",
      description: "task insertion order",
      isRight: true,
    }),
    column("timeInQueue", ({ timeInQueueMs }) => timeCell(Math.floor(timeInQueueMs)), {
      aliases: "t",
      description: "how long task has been in queue",
      isRight: true,
    }),
    column("priority", ({ priority }) => priority, { aliases: "p", description: "task priority" }),
    column("source", ({ source }) => source, { aliases: "s", description: "task source" }),
  ],
  rows: (call, cluster) => cluster.pendingTasks(managerTimeoutMs(call.query)),
});
