/** A cluster of one process a node. */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { NodePlan } from "./cluster-plan.ts";
import type { DataFolder } from "./data-folder.ts";
import type { NodeReport } from "./node-process.ts";
import { rolesOf, withPatience, type OnDeath, type RunningCluster } from "./running-cluster.ts";
import { UsageError } from "./usage.ts";

interface Child {
  readonly plan: NodePlan;
  process: ChildProcess | undefined;
  /** An end that was asked for is no news. */
  isEndExpected: boolean;
}

export function startProcessCluster(
  plans: readonly NodePlan[],
  folder: DataFolder,
  onDeath: OnDeath,
): RunningCluster {
  const children: Child[] = plans.map((plan) => ({
    plan,
    process: undefined,
    isEndExpected: false,
  }));
  const start = (child: Child, awaited: NodeReport["event"]): Promise<void> => {
    child.isEndExpected = false;
    const args = [join(folder.path, child.plan.name), String(plans.length)];
    return launch(child, [...args, JSON.stringify(child.plan)], { awaited, onDeath });
  };
  const green = Promise.all(children.map((child) => start(child, "green"))).then(() => undefined);
  const childOf = (number: number): Child => {
    const child = children[number - 1];
    if (child === undefined) throw new UsageError(`there is no node [${number}]`);
    return child;
  };
  return {
    get nodes() {
      return children.map(({ plan, process: child }) => ({
        plan,
        pid: child?.pid ?? 0,
        roles: rolesOf(plan),
      }));
    },
    green,
    stopNode: (number) => end(childOf(number), "SIGTERM"),
    killNode: (number) => end(childOf(number), "SIGKILL"),
    startNode: async (number) => {
      const child = childOf(number);
      if (child.process === undefined) await withPatience(start(child, "joined"), child.plan);
    },
    stop: async () => {
      await Promise.all(children.map((child) => end(child, "SIGTERM")));
    },
  };
}

interface Launch {
  readonly awaited: NodeReport["event"];
  readonly onDeath: OnDeath;
}

/** Ends once the node says what is awaited. */
function launch(
  child: Child,
  args: readonly string[],
  { awaited, onDeath }: Launch,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const started = fork(join(import.meta.dirname, "node-process.js"), args, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: ["--max-semi-space-size=16"],
    });
    child.process = started;
    let refusal: string | undefined;
    started.on("message", (message: NodeReport) => {
      if (message.event === awaited) resolve();
      if (message.event !== "failed") return;
      refusal = message.reason;
      reject(new UsageError(`${child.plan.name}: ${message.reason}`));
    });
    started.on("exit", (code, signal) => {
      child.process = undefined;
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      reject(new UsageError(`${child.plan.name} ended with ${how} before it was ${awaited}`));
      if (!child.isEndExpected && refusal === undefined) onDeath(child.plan, how);
    });
  });
}

/** How long a node may take to close its shards before it is ended. */
const STOP_TIMEOUT_MS = 10_000;

function end(child: Child, signal: NodeJS.Signals): Promise<void> {
  const running = child.process;
  if (running === undefined) return Promise.resolve();
  child.isEndExpected = true;
  return new Promise((resolve) => {
    const timer = setTimeout(() => running.kill("SIGKILL"), STOP_TIMEOUT_MS);
    running.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    running.kill(signal);
  });
}
