/**
 * The process of one node, started by `orrery up` with its folder as only argument. It tells its parent how far it is,
 * stops when told to, on SIGINT and SIGTERM, and when the parent is gone.
 */
import { createNodeHost } from "@orrery/host-node";
import { OperationError } from "@orrery/stdx";
import { dirname, basename } from "node:path";
import { readPlan } from "./data-folder.ts";
import { openNetwork, serveNode, untilGreen, untilJoined, type ServedNode } from "./serve-node.ts";

/** What a node's process tells `orrery up`. */
export type NodeReport =
  | { readonly event: "joined" }
  | { readonly event: "green" }
  | { readonly event: "failed"; readonly reason: string };

const folder = process.argv[2] ?? "";
const nodes = Number(process.argv[3] ?? "1");
const { plan } = readPlan(dirname(folder), basename(folder));

let served: ServedNode | undefined;
let isStopping = false;

const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  await served?.stop();
  process.exit(0);
};
process.on("SIGINT", () => void stop());
process.on("SIGTERM", () => void stop());
process.on("disconnect", () => void stop());

const report = (message: NodeReport): void => {
  if (process.connected) process.send?.(message);
};

try {
  const host = await createNodeHost({
    folder,
    network: await openNetwork(plan),
    settings: plan.settings,
  });
  served = await serveNode(host, plan);
  served.node.onJoinRefused((problem) =>
    report({ event: "failed", reason: problem.reason ?? problem.type }),
  );
  await untilJoined(served.cluster);
  report({ event: "joined" });
  await untilGreen(served.cluster, nodes);
  report({ event: "green" });
} catch (error) {
  if (!(error instanceof OperationError)) throw error;
  report({ event: "failed", reason: error.problem.reason ?? error.problem.type });
  process.exitCode = 2;
  process.disconnect?.();
}
