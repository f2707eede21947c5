/** Node in a process of its own: forked, observed, ended. */
import { fork, type ChildProcess } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ActiveRule } from "@orrery/faults";
import type { ClusterView } from "@orrery/scenario";
import type { DataFolder } from "./data-folder.ts";
import {
  sumOfHits,
  type FaultOptions,
  type ManagedNode,
  type NodeFaults,
  type NodeStatus,
  type OnDeath,
} from "./managed-node.ts";
import type { NodePlan } from "./cluster-plan.ts";
import type { NodeOrder, NodeReport } from "./node-messages.ts";
import { EndedError, UsageError } from "./usage.ts";

export interface ProcessNodeOptions {
  readonly folder: DataFolder;
  /** Number of nodes of the complete cluster. */
  readonly nodes: number;
  readonly onDeath: OnDeath;
  readonly faults?: FaultOptions;
}

/** State of the child process. */
interface Child {
  readonly plan: NodePlan;
  process: ChildProcess | undefined;
  isPaused: boolean;
  isServing: boolean;
  /** The end was requested, so it is not reported. */
  isEndExpected: boolean;
  rules: readonly ActiveRule[];
  /** Hits of earlier incarnations. */
  hitsBefore: ReadonlyMap<string, number>;
  hits: ReadonlyMap<string, number>;
  /** Callbacks by the number of an order, called when it was carried out. */
  readonly onDone: Map<number, (view?: ClusterView) => void>;
  orders: number;
}

export function createProcessNode(plan: NodePlan, options: ProcessNodeOptions): ManagedNode {
  const child: Child = {
    plan,
    process: undefined,
    isPaused: false,
    isServing: false,
    isEndExpected: false,
    rules: [],
    hitsBefore: new Map(),
    hits: new Map(),
    onDone: new Map(),
    orders: 0,
  };
  const path = join(options.folder.path, plan.name);
  return {
    plan,
    get pid() {
      return child.process?.pid ?? 0;
    },
    get status(): NodeStatus {
      if (child.process === undefined) return "down";
      return child.isPaused ? "paused" : "up";
    },
    get isServing() {
      return child.isServing && !child.isPaused;
    },
    start: (awaited) => {
      child.isEndExpected = false;
      return launch(child, path, awaited, options);
    },
    stop: () => end(child, "SIGTERM"),
    kill: () => end(child, "SIGKILL"),
    faults: options.faults && faultsOf(child, path, options.faults),
  };
}

/** Options of Node for a process of nodes. */
export const nodeExecArgv: readonly string[] = [
  "--max-semi-space-size=16",
  "--disable-proto=delete",
];

/** Forks the process; resolves when the node reports the awaited event. */
function launch(
  child: Child,
  path: string,
  awaited: NodeReport["event"],
  { nodes, onDeath, faults }: ProcessNodeOptions,
): Promise<void> {
  const { plan, rules } = child;
  const program = faults === undefined ? "node-process.js" : "faulty-node-process.js";
  const start = faults && {
    names: faults.names(),
    rules,
    isTraced: faults.onTrace !== undefined,
    isDetailed: faults.isDetailed === true,
  };
  const args = [path, String(nodes), JSON.stringify(plan)];
  return new Promise((resolve, reject) => {
    const started = fork(
      join(import.meta.dirname, program),
      start === undefined ? args : [...args, JSON.stringify(start)],
      {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        execArgv: [...nodeExecArgv],
        // Structured clone instead of JSON, for maps and infinite numbers.
        serialization: "advanced",
      },
    );
    child.process = started;
    child.isPaused = false;
    child.isServing = false;
    let refusal: string | undefined;
    started.on("message", (message: NodeReport) => {
      if (message.event === awaited) resolve();
      if (message.event === "serving") child.isServing = true;
      if (message.event === "done") child.onDone.get(message.order)?.(message.view);
      if (message.event === "hits") child.hits = new Map(message.hits);
      if (message.event === "trace")
        for (const [atMs, event] of message.events) faults?.onTrace?.(plan.name, event, atMs);
      if (message.event !== "failed") return;
      refusal = message.reason;
      reject(new UsageError(`${plan.name}: ${message.reason}`));
    });
    started.on("exit", (code, signal) => {
      child.process = undefined;
      child.isServing = false;
      child.hitsBefore = sumOfHits(child.hitsBefore, child.hits);
      child.hits = new Map();
      for (const done of child.onDone.values()) done();
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      const what = `${plan.name} ended with ${how} before it was ${awaited}`;
      reject(child.isEndExpected ? new EndedError(what) : new UsageError(what));
      if (!child.isEndExpected && refusal === undefined) onDeath(plan, how);
    });
  });
}

/** Time that a node may take to close its shards before it is killed. */
const STOP_TIMEOUT_MS = 10_000;

async function end(child: Child, signal: NodeJS.Signals): Promise<void> {
  const running = child.process;
  if (running === undefined) return;
  child.isEndExpected = true;
  const ended = endProcess(running, signal);
  // A paused process handles no signal but SIGKILL until it resumes.
  if (child.isPaused && signal !== "SIGKILL") resume(child);
  await ended;
}

/** Sends the signal, and SIGKILL if the process does not end in time; resolves when it has ended. */
export function endProcess(running: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => running.kill("SIGKILL"), STOP_TIMEOUT_MS);
    running.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    askToEnd(running, signal);
  });
}

/** Windows has no signal that a process could handle: there the node stops when its parent closes the channel to it. */
function askToEnd(running: ChildProcess, signal: NodeJS.Signals): void {
  if (process.platform === "win32" && signal === "SIGTERM") running.disconnect();
  else running.kill(signal);
}

function resume(child: Child): void {
  child.process?.kill("SIGCONT");
  child.isPaused = false;
}

function faultsOf(child: Child, path: string, { names }: FaultOptions): NodeFaults {
  return {
    pause: async () => {
      if (child.process === undefined)
        throw new UsageError(`${child.plan.name} is down: it cannot be paused`);
      if (process.platform === "win32")
        throw new UsageError("Windows cannot pause a process: nodes in memory can be paused");
      child.process.kill("SIGSTOP");
      child.isPaused = true;
    },
    resume: async () => resume(child),
    setRules: async (rules) => {
      child.rules = rules;
      await order(child, { kind: "rules", rules, names: names() });
    },
    get hits() {
      return sumOfHits(child.hitsBefore, child.hits);
    },
    powerOff: async (unsynced) => {
      // A paused process cannot undo unsynced writes: its writes stay with the operating system.
      if (child.process === undefined || child.isPaused) return end(child, "SIGKILL");
      child.isEndExpected = true;
      const running = child.process;
      const gone = new Promise<void>((resolve) => {
        running.once("exit", () => resolve());
      });
      const timer = setTimeout(() => running.kill("SIGKILL"), ORDER_PATIENCE_MS);
      void order(child, { kind: "power-off", unsynced });
      await gone;
      clearTimeout(timer);
      return undefined;
    },
    view: () => order(child, { kind: "view" }),
    wipe: async () => {
      if (child.process !== undefined)
        throw new UsageError(`${child.plan.name} runs: it must be down to lose its data`);
      for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
    },
  };
}

/** Time after which an unresponsive node is no longer awaited. */
const ORDER_PATIENCE_MS = 2000;

/**
 * Sends an order; resolves when the node has carried it out. A paused node does so when it resumes; a node that is down
 * receives it at its next start.
 */
function order(child: Child, what: NodeOrder["what"]): Promise<ClusterView | undefined> {
  const { process: running, isPaused, onDone } = child;
  if (running === undefined || !running.connected) return Promise.resolve(undefined);
  child.orders += 1;
  const number = child.orders;
  const message: NodeOrder = { order: number, what };
  return new Promise((resolve) => {
    const done = (view?: ClusterView): void => {
      clearTimeout(timer);
      onDone.delete(number);
      resolve(view);
    };
    const timer = setTimeout(() => done(), isPaused ? 0 : ORDER_PATIENCE_MS);
    onDone.set(number, done);
    // A process that has just ended needs no order.
    running.send(message, (error) => error && done());
  });
}
