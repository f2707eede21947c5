/**
 * The process of one node, started by `orrery up` with its folder, the size of the cluster and its plan. It tells its parent
 * how far it is, stops when told to by a signal, and when the parent is gone.
 */
import { createNodeHost } from "@orrery/host-node";
import type { NodePlan } from "./cluster-plan.ts";
import { writePlan } from "./data-folder.ts";
import { openNetwork, serveNode, untilGreen, untilJoined, type ServedNode } from "./serve-node.ts";
import { sentenceOf } from "./usage.ts";

/** What a node's process tells `orrery up`. */
export type NodeReport =
  | { readonly event: "joined" }
  | { readonly event: "green" }
  | { readonly event: "failed"; readonly reason: string };

const folder = process.argv[2] ?? "";
const nodes = Number(process.argv[3] ?? "1");
const plan = JSON.parse(process.argv[4] ?? "{}") as NodePlan;

/** How long closing the shards may take. */
const STOP_TIMEOUT_MS = 10_000;

let served: ServedNode | undefined;
let isStopping = false;

const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  // Nobody ends a node for it when its parent is gone.
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  await served?.stop();
  process.exit(0);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void stop());
process.on("disconnect", () => void stop());

/** Ends when the parent has it. */
const report = (message: NodeReport): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });

try {
  const host = createNodeHost({
    folder,
    network: await openNetwork(plan),
    settings: plan.settings,
  });
  // Only whoever holds the folder may say what is in it.
  writePlan(folder, plan);
  served = await serveNode(host, plan);
  served.node.onJoinRefused(
    (problem) => void report({ event: "failed", reason: problem.reason ?? problem.type }),
  );
  await untilJoined(served.cluster);
  await report({ event: "joined" });
  await untilGreen(served.cluster, nodes);
  await report({ event: "green" });
} catch (error) {
  const reason = sentenceOf(error);
  if (reason === undefined) throw error;
  await report({ event: "failed", reason });
  process.exit(2);
}
