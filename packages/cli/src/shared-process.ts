/**
 * Several nodes in one process, for clusters of many nodes: they share the memory of the program, and each has its own
 * transport, HTTP server, stores and shard workers. They start and stop together.
 */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { NodePlan } from "./cluster-plan.ts";
import type { ManagedNode } from "./managed-node.ts";
import type { NodeReport, SharedReport } from "./node-messages.ts";
import { endProcess, nodeExecArgv, type ProcessNodeOptions } from "./process-node.ts";
import { EndedError, UsageError } from "./usage.ts";

/** Distributes the nodes over so many processes, in runs of neighbours. */
export function createSharedProcesses(
  plans: readonly NodePlan[],
  processes: number,
  options: ProcessNodeOptions,
): readonly ManagedNode[] {
  const size = Math.ceil(plans.length / processes);
  const groups = Array.from({ length: Math.ceil(plans.length / size) }, (_, i) =>
    plans.slice(i * size, (i + 1) * size),
  );
  return groups.flatMap((group) => createGroup(group, options));
}

interface Group {
  readonly plans: readonly NodePlan[];
  readonly options: ProcessNodeOptions;
  process: ChildProcess | undefined;
  isEndExpected: boolean;
  /** The events that each node has reported. */
  readonly reached: ReadonlyMap<string, Set<NodeReport["event"]>>;
  /** Called after each report, and with an error when the process has ended or a node cannot start. */
  readonly listeners: Set<(node: string, error?: Error) => void>;
}

function createGroup(
  plans: readonly NodePlan[],
  options: ProcessNodeOptions,
): readonly ManagedNode[] {
  const group: Group = {
    ...{ plans, options, process: undefined, isEndExpected: false, listeners: new Set() },
    reached: new Map(plans.map(({ name }) => [name, new Set()])),
  };
  return plans.map((plan): ManagedNode => {
    const has = (event: NodeReport["event"]): boolean =>
      group.reached.get(plan.name)?.has(event) === true;
    return {
      plan,
      get pid() {
        return group.process?.pid ?? 0;
      },
      get status() {
        return group.process === undefined ? "down" : "up";
      },
      get isServing() {
        return group.process !== undefined && has("serving");
      },
      start: (awaited) => {
        const started = new Promise<void>((resolve, reject) => {
          const listener = (node: string, error?: Error): void => {
            if (error !== undefined) reject(error);
            else if (node !== plan.name || !has(awaited)) return;
            else resolve();
            group.listeners.delete(listener);
          };
          group.listeners.add(listener);
        });
        if (group.process === undefined) launch(group);
        return started;
      },
      stop: () => end(group, "SIGTERM"),
      kill: () => end(group, "SIGKILL"),
      faults: undefined,
    };
  });
}

function launch(group: Group): void {
  const { plans, options, reached, listeners } = group;
  const { folder, nodes, onDeath } = options;
  const tell = (node: string, error?: Error): void => {
    for (const listener of [...listeners]) listener(node, error);
  };
  for (const events of reached.values()) events.clear();
  group.isEndExpected = false;
  let isRefused = false;
  const started = fork(
    join(import.meta.dirname, "shared-node-process.js"),
    [folder.path, String(nodes), JSON.stringify(plans)],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [...nodeExecArgv],
      serialization: "advanced",
    },
  );
  group.process = started;
  // Each node waits for the end of the process.
  started.setMaxListeners(0);
  started.on("message", ({ node, report }: SharedReport) => {
    reached.get(node)?.add(report.event);
    if (report.event !== "failed") return tell(node);
    isRefused = true;
    return tell(node, new UsageError(`${node}: ${report.reason}`));
  });
  started.on("exit", (code, signal) => {
    group.process = undefined;
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    const names = plans.map(({ name }) => name).join(", ");
    const what = `the process of ${names} ended with ${how}`;
    tell("", group.isEndExpected ? new EndedError(what) : new UsageError(what));
    if (!group.isEndExpected && !isRefused) for (const plan of plans) onDeath(plan, how);
  });
}

async function end(group: Group, signal: NodeJS.Signals): Promise<void> {
  if (group.process === undefined) return;
  group.isEndExpected = true;
  await endProcess(group.process, signal);
}
