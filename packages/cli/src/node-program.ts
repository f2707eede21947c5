/**
 * Program of a node's process, with or without faults: it reports its progress to the parent, and stops on a signal or
 * when the parent has ended.
 */
import { dirname } from "node:path";
import { collectWhenIdle, createNodeHost, type NodeHostOptions } from "@orrery/host-node";
import type { Network } from "@orrery/ports";
import { closeRealm } from "@orrery/stdx";
import type { NodePlan } from "./cluster-plan.ts";
import { withPaths, writePlan } from "./data-folder.ts";
import type { NodeReport } from "./node-messages.ts";
import { secretsIn } from "./secrets.ts";
import { openNetwork, serveNode, untilGreen, untilJoined, type ServedNode } from "./serve-node.ts";
import { shardWorkers } from "./shard-workers.ts";
import { openNodeTelemetry } from "./telemetry.ts";
import { sentenceOf } from "./usage.ts";

/** Decorators around a node's host; empty in the plain program. */
export interface NodeDecorators {
  readonly network?: (network: Network) => Network;
  readonly host?: Pick<NodeHostOptions, "around" | "threadEntry" | "trace">;
  readonly onServed?: (served: ServedNode) => void;
}

/** Limit for closing the shards. */
const STOP_TIMEOUT_MS = 10_000;

/** Runs the node of this process until a signal, or until the parent has ended. */
export async function runNode(
  args: readonly string[],
  decorate: (plan: NodePlan) => NodeDecorators,
): Promise<void> {
  closeRealm();
  collectWhenIdle();
  const [folder = "", nodes = "1", given = "{}"] = args;
  const plan = JSON.parse(given) as NodePlan;
  let served: ServedNode | undefined;
  let isStopping = false;

  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    // After the parent's end no other process would kill a node that hangs.
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await served?.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void stop());
  process.on("disconnect", () => void stop());

  try {
    const { network: around = (network) => network, host: decorators, onServed } = decorate(plan);
    const telemetry = await openNodeTelemetry(plan);
    const host = createNodeHost({
      name: plan.name,
      folder,
      network: around(await openNetwork(plan)),
      secrets: secretsIn(dirname(folder)),
      settings: plan.settings,
      spans: telemetry?.spans,
      ...shardWorkers,
      ...decorators,
    });
    // The plan is written by the process that holds the lock of the folder.
    writePlan(folder, plan);
    served = await serveNode(host, withPaths(plan, folder), { telemetry });
    onServed?.(served);
    await report({ event: "serving" });
    served.node.onJoinRefused(
      (problem) => void report({ event: "failed", reason: problem.reason ?? problem.type }),
    );
    await untilJoined(served.cluster);
    await report({ event: "joined" });
    await untilGreen(served.cluster, Number(nodes));
    await report({ event: "green" });
  } catch (error) {
    const reason = sentenceOf(error);
    if (reason === undefined) throw error;
    await report({ event: "failed", reason });
    process.exit(2);
  }
}

/** Resolves when the parent has received the message. */
export function report(message: NodeReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}
