/**
 * Program of a node's process, with or without faults: it reports its progress to the parent, and stops on a signal or
 * when the parent has ended.
 */
import { collectWhenIdle } from "@orrery/host-node";
import { closeRealm } from "@orrery/stdx";
import type { NodePlan } from "./cluster-plan.ts";
import type { NodeReport, SharedReport } from "./node-messages.ts";
import { untilGreen, untilJoined, type ServedNode } from "./serve-node.ts";
import { startSocketNode, type SocketNodeOptions } from "./socket-node.ts";
import { sentenceOf } from "./usage.ts";

/** Decorators around a node's host; empty in the plain program. */
export interface NodeDecorators extends SocketNodeOptions {
  readonly onServed?: (served: ServedNode) => void;
}

/** Limit for closing the shards. */
const STOP_TIMEOUT_MS = 10_000;

/** A node to run, and how its progress is reported. */
export interface NodeRun {
  readonly plan: NodePlan;
  readonly folder: string;
  /** Number of nodes of the complete cluster. */
  readonly nodes: number;
  readonly decorate: (plan: NodePlan) => NodeDecorators;
  readonly tell: (report: NodeReport) => Promise<void>;
  readonly onServed: (served: ServedNode) => void;
}

/** Runs the node of this process until a signal, or until the parent has ended. */
export async function runNode(
  args: readonly string[],
  decorate: (plan: NodePlan) => NodeDecorators,
): Promise<void> {
  const [folder = "", nodes = "1", given = "{}"] = args;
  const plan = JSON.parse(given) as NodePlan;
  const onServed = untilStopped();
  await startReported({ plan, folder, nodes: Number(nodes), decorate, tell: report, onServed });
}

/** Prepares a process of nodes. They stop on a signal, or when the parent has ended; the returned function adds a node. */
export function untilStopped(): (served: ServedNode) => void {
  closeRealm();
  collectWhenIdle();
  const running: ServedNode[] = [];
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    // After the parent's end no other process would kill a node that hangs.
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await Promise.all(running.map((served) => served.stop()));
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void stop());
  process.on("disconnect", () => void stop());
  return (served) => void running.push(served);
}

/** Starts a node and reports its progress until the cluster is green. A node that cannot start ends the process. */
export async function startReported(run: NodeRun): Promise<void> {
  const { plan, folder, nodes, decorate, tell } = run;
  try {
    const { network, host, onServed } = decorate(plan);
    const served = await startSocketNode(plan, folder, { network, host });
    run.onServed(served);
    onServed?.(served);
    await tell({ event: "serving" });
    served.node.onJoinRefused(
      (problem) => void tell({ event: "failed", reason: problem.reason ?? problem.type }),
    );
    await untilJoined(served.cluster);
    await tell({ event: "joined" });
    await untilGreen(served.cluster, nodes);
    await tell({ event: "green" });
  } catch (error) {
    const reason = sentenceOf(error);
    if (reason === undefined) throw error;
    await tell({ event: "failed", reason });
    process.exit(2);
  }
}

/** Resolves when the parent has received the message. */
export function report(message: NodeReport | SharedReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}
